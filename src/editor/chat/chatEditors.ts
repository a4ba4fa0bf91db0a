// `ChatEditors`: chats in editor tabs, which the editor restores with its window.
import { l10n, type Memento, Uri, ViewColumn, type WebviewPanel, window } from 'vscode'
import * as z from 'zod/mini'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import type { Session } from '../../core/agent/session.ts'
import type { Sessions } from '../../core/agent/sessions.ts'
import type { ShownSession } from '../../core/agent/shownSession.ts'
import { ChatPanel, type ChatPanelOptions } from './chatPanel.ts'
import { titleOf } from './conversationTitle.ts'

const KEY = 'kourier.chatEditors'
const TITLE_CHARS = 30

/** What the page keeps of itself; the rest of its state is its own affair. */
const pageState = z.object({ conversation: z.string().check(z.minLength(1), z.maxLength(200)) })

export interface ChatEditorsOptions {
  /** The one of the activation event. */
  readonly viewType: string
  readonly sessions: Sessions
  /** That of the workspace. */
  readonly state: Memento
  readonly panel: ChatPanelOptions
  /** A tab has become the one in front, or is used. */
  readonly onDidShow: (shown: ShownSession) => void
  /** A tab is no longer in front. */
  readonly onDidHide: () => void
  readonly onFault: (fault: unknown) => void
}

interface OpenTab extends Disposable {
  readonly tab: WebviewPanel
  readonly panel: ChatPanel
}

/**
 * The page's own state may be lost when the window is reloaded soon after a tab was opened, so the conversations of the
 * open tabs are kept in the state of the workspace as well.
 */
export class ChatEditors implements Disposable {
  readonly #options: ChatEditorsOptions
  readonly #open = new Set<OpenTab>()
  /** Conversations of tabs that were open before, and that no restored tab has claimed yet. */
  readonly #unclaimed: string[]

  constructor(options: ChatEditorsOptions) {
    this.#options = options
    const kept = z.array(z.string()).safeParse(options.state.get(KEY))
    this.#unclaimed = kept.success ? kept.data : []
  }

  /** The chat in the active tab. */
  get active(): ChatPanel | undefined {
    return [...this.#open].find(({ tab }) => tab.active)?.panel
  }

  get panels(): readonly ChatPanel[] {
    return [...this.#open].map(({ panel }) => panel)
  }

  /** Opens the conversation in a tab, or shows the tab that has it. */
  async show(conversation: string | undefined, signal: AbortSignal): Promise<ChatPanel> {
    const known = [...this.#open].find(({ panel }) => panel.shown.current.id === conversation)
    if (known) {
      known.tab.reveal()
      known.panel.focus()
      return known.panel
    }
    const { viewType, sessions } = this.#options
    const shown = sessions.show()
    try {
      if (conversation !== undefined) await shown.open(conversation, signal)
    } catch (fault) {
      shown.dispose()
      throw fault
    }
    const tab = window.createWebviewPanel(viewType, l10n.t('Chat'), ViewColumn.Active, {
      retainContextWhenHidden: true,
      enableScripts: true,
    })
    const panel = this.#fill(tab, shown)
    panel.focus()
    return panel
  }

  /** Closes the tab of the panel; its conversation stays in the history. */
  close(panel: ChatPanel): void {
    for (const open of this.#open) if (open.panel === panel) open.tab.dispose()
  }

  /** Fills a tab of the window before. `state` is that of its page. */
  async restore(tab: WebviewPanel, state: unknown): Promise<void> {
    const read = pageState.safeParse(state)
    const conversation = read.success ? read.data.conversation : this.#unclaimed[0]
    const shown = this.#options.sessions.show()
    try {
      if (conversation) await shown.open(conversation, new AbortController().signal)
    } catch (fault) {
      this.#options.onFault(fault)
    }
    const at = this.#unclaimed.indexOf(conversation ?? '')
    if (at >= 0) this.#unclaimed.splice(at, 1)
    this.#fill(tab, shown)
  }

  #fill(tab: WebviewPanel, shown: ShownSession): ChatPanel {
    const { panel: options, onDidShow, onDidHide } = this.#options
    const page = new DisposableStore()
    const panel = page.add(new ChatPanel(tab.webview, shown, options, () => onDidShow(shown)))
    const open: OpenTab = { tab, panel, dispose: () => page.dispose() }
    this.#open.add(open)
    tab.iconPath = Uri.joinPath(options.extensionUri, 'media', 'icon.svg')
    const draw = () => {
      tab.title = titleOf(shown.current.conversation, TITLE_CHARS) || l10n.t('Chat')
    }
    // The title is an event of the conversation and changes no state of the session.
    const follow = (session: Session) => {
      const both = new DisposableStore()
      both.add(session.onDidChangeState(draw))
      both.add(session.onDidAppend(({ kind }) => kind === 'title' && draw()))
      return both
    }
    const subscription = { current: follow(shown.current) }
    page.add(
      shown.onDidOpen(({ session }) => {
        subscription.current.dispose()
        subscription.current = follow(session)
        draw()
        this.#keep()
      }),
    )
    page.add({ dispose: () => subscription.current.dispose() })
    page.add(tab.onDidChangeViewState(() => (tab.active ? onDidShow(shown) : onDidHide())))
    tab.onDidDispose(() => {
      this.#open.delete(open)
      page.dispose()
      onDidHide()
      shown.dispose()
      this.#keep()
    })
    draw()
    if (tab.active) onDidShow(shown)
    this.#keep()
    return panel
  }

  #keep(): void {
    void this.#options.state.update(KEY, [...this.panels.map(({ shown }) => shown.current.id), ...this.#unclaimed])
  }

  sendFacts(): void {
    for (const { panel } of this.#open) panel.sendFacts()
  }

  /** The tabs stay open: the editor restores them. */
  dispose(): void {
    for (const open of this.#open) open.dispose()
  }
}
