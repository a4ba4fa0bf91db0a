// `ChatEditors`: chats in editor tabs, which the editor restores with its window.
import { env, l10n, type Memento, type Tab, ThemeIcon, ViewColumn, type WebviewPanel, window } from 'vscode'
import * as z from 'zod/mini'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import type { Session } from '../../core/agent/session.ts'
import type { Sessions } from '../../core/agent/sessions.ts'
import type { ShownSession } from '../../core/agent/shownSession.ts'
import { ChatPage, type ChatPageOptions } from './chatPage.ts'
import { ChatPanel, type ChatPanelOptions } from './chatPanel.ts'
import { titleOf } from './conversationTitle.ts'

const KEY = 'kourier.chatEditors'
const TITLE_CHARS = 30
/** A tab whose page has lost the extension stays open for so long at most once the one in its place is. */
const READY_MS = 10_000

/** What the page keeps of itself; the rest of its state is its own affair. */
const pageState = z.object({ conversation: z.string().check(z.minLength(1), z.maxLength(200)) })

/** `session`: that of the editor in which they were open. `label`: the title of the tab. `page`: the id of its page. */
const keptTabs = z.object({
  session: z.string(),
  tabs: z.array(
    z.object({
      conversation: z.string(),
      label: z.string(),
      page: z.optional(z.string().check(z.regex(/^[\w-]{1,64}$/))),
    }),
  ),
})
type KeptTab = z.infer<typeof keptTabs>['tabs'][number]

export interface ChatEditorsOptions {
  /** The one of the activation event. */
  readonly viewType: string
  readonly sessions: Sessions
  /** That of the workspace. */
  readonly state: Memento
  readonly page: ChatPageOptions
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
  /** Tabs that were open before, and that no restored tab has claimed yet. */
  readonly #unclaimed: KeptTab[]
  /** The extension was started again, and the window was not. */
  readonly isRestarted: boolean

  constructor(options: ChatEditorsOptions) {
    this.#options = options
    const kept = keptTabs.safeParse(options.state.get(KEY))
    this.#unclaimed = kept.success ? kept.data.tabs : []
    this.isRestarted = kept.success && kept.data.session === env.sessionId
  }

  /** The chat in the active tab. */
  get active(): ChatPanel | undefined {
    return [...this.#open].find(({ tab }) => tab.active)?.panel
  }

  /** Those in front of their group. */
  get visible(): readonly ChatPanel[] {
    return [...this.#open].flatMap(({ tab, panel }) => (tab.visible ? [panel] : []))
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
    const panel = this.#fill(newTab(viewType, { viewColumn: ViewColumn.Active }), shown)
    panel.focus()
    return panel
  }

  /** Whether the tab that is shown there has a page of this start of the extension. */
  hasFilled(column: ViewColumn): boolean {
    return [...this.#open].some(({ tab }) => tab.visible && tab.viewColumn === column)
  }

  /**
   * Puts a new tab with the same conversation in the place of one that the editor does not restore, whose page is asked
   * for what is unsent. Several tabs may have the same label, so the pages of all of them are asked.
   */
  async replace(tab: Tab): Promise<void> {
    const { viewType, sessions, onFault } = this.#options
    const shown = sessions.show()
    const formers = this.#unclaimed.flatMap(({ label, page }) => (label === tab.label && page ? [page] : []))
    await this.#openIn(shown, this.#unclaimed.find(({ label }) => label === tab.label)?.conversation)
    try {
      const made = newTab(viewType, { viewColumn: tab.group.viewColumn, preserveFocus: true })
      await this.#ready(this.#fill(made, shown, formers))
      await window.tabGroups.close(tab, true)
    } catch (fault) {
      onFault(fault)
    }
  }

  /** A page that cannot be loaded keeps nothing waiting. */
  async #ready({ whenReady }: ChatPanel): Promise<void> {
    const { clock } = this.#options.panel
    let cancel = () => {}
    const limit = new Promise<void>(resolve => {
      cancel = clock.later(READY_MS, resolve)
    })
    await Promise.race([whenReady, limit])
    cancel()
  }

  /** Shows the tab of the panel, with the focus where it was. */
  reveal(panel: ChatPanel): void {
    for (const open of this.#open) if (open.panel === panel) open.tab.reveal()
  }

  /** Closes the tab of the panel; its conversation stays in the history. */
  close(panel: ChatPanel): void {
    for (const open of this.#open) if (open.panel === panel) open.tab.dispose()
  }

  /** Fills a tab of the window before. `state` is that of its page. */
  async restore(tab: WebviewPanel, state: unknown): Promise<void> {
    const read = pageState.safeParse(state)
    const shown = this.#options.sessions.show()
    await this.#openIn(shown, read.success ? read.data.conversation : undefined)
    this.#fill(tab, shown)
  }

  /** Without a conversation, the first that no tab has claimed. */
  async #openIn(shown: ShownSession, known: string | undefined): Promise<void> {
    const conversation = known ?? this.#unclaimed[0]?.conversation
    const at = this.#unclaimed.findIndex(one => one.conversation === conversation)
    if (at >= 0) this.#unclaimed.splice(at, 1)
    try {
      if (conversation !== undefined) await shown.open(conversation, new AbortController().signal)
    } catch (fault) {
      this.#options.onFault(fault)
    }
  }

  #fill(tab: WebviewPanel, shown: ShownSession, formers: readonly string[] = []): ChatPanel {
    const { page: pageOptions, panel: options, onDidShow, onDidHide } = this.#options
    const page = new DisposableStore()
    const made = new ChatPage(tab.webview, { ...pageOptions, formers })
    const panel = page.add(new ChatPanel(made, shown, options, () => onDidShow(shown)))
    const open: OpenTab = { tab, panel, dispose: () => page.dispose() }
    this.#open.add(open)
    // An icon of the editor has the colour of the theme; a picture has its own, which a dark theme hides.
    tab.iconPath = new ThemeIcon('send')
    const draw = () => {
      const title = titleOf(shown.current.conversation, TITLE_CHARS) || l10n.t('Chat')
      if (title === tab.title) return
      tab.title = title
      this.#keep()
    }
    // The title and a question are events of the conversation; they change no state of the session.
    const follow = (session: Session) => {
      const both = new DisposableStore()
      both.add(session.onDidChangeState(draw))
      both.add(session.onDidAppend(({ kind }) => (kind === 'title' || kind === 'turn-started') && draw()))
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
    const open = [...this.#open].map(({ tab, panel }) => ({
      conversation: panel.shown.current.id,
      label: tab.title,
      page: panel.page,
    }))
    void this.#options.state.update(KEY, { session: env.sessionId, tabs: [...open, ...this.#unclaimed] })
  }

  sendFacts(): void {
    for (const { panel } of this.#open) panel.sendFacts()
  }

  /** The tabs stay open: the editor restores them. */
  dispose(): void {
    for (const open of this.#open) open.dispose()
  }
}

const newTab = (viewType: string, where: { viewColumn: ViewColumn; preserveFocus?: boolean }) =>
  window.createWebviewPanel(viewType, l10n.t('Chat'), where, { retainContextWhenHidden: true, enableScripts: true })
