// `ChatPanels`: the chat in the side bar and those in editor tabs, and which of them is in front.
import { commands, l10n, type Memento } from 'vscode'
import type { Disposable } from '../../base/disposable.ts'
import { textBehind } from '../../base/text.ts'
import type { Sessions } from '../../core/agent/sessions.ts'
import type { ShownSession } from '../../core/agent/shownSession.ts'
import type { ContextReference } from '../../protocol/contextReference.ts'
import { setContextKey } from '../ui/contextKeys.ts'
import type { ReadOnlyDocuments } from '../ui/readOnlyDocuments.ts'
import { AccessibleView } from './accessibleView.ts'
import { ChatEditors } from './chatEditors.ts'
import type { ChatPageOptions } from './chatPage.ts'
import type { ChatPanel, ChatPanelOptions } from './chatPanel.ts'
import { ChatView } from './chatView.ts'
import type { HistoryPanel, HistoryServices, OpenRequest } from './panelHistory.ts'

export interface ChatPanelsOptions {
  /** The id of the view in the manifest. */
  readonly viewId: string
  /** The type of the editor tabs. */
  readonly editorType: string
  readonly sessions: Sessions
  readonly sideBar: ShownSession
  /** That of the workspace. */
  readonly state: Memento
  readonly onDidChangeVisibility: (isVisible: boolean) => void
  readonly onFault: (fault: unknown) => void
  readonly page: ChatPageOptions
  readonly panel: Omit<ChatPanelOptions, 'history' | 'read' | 'onDidFocus'>
  /** For messages as plain text. */
  readonly documents: ReadOnlyDocuments
  readonly history: HistoryServices
}

/** In front is the tab that is active, else the side bar. */
export class ChatPanels implements Disposable {
  readonly view: ChatView
  readonly editors: ChatEditors
  readonly accessibleView: AccessibleView
  /** The last command of the editor: what it has put into a composer, and what it has attached. */
  #composed: { readonly conversation: string; readonly command: string; readonly about: readonly ContextReference[] } =
    {
      conversation: '',
      command: '',
      about: [],
    }
  readonly #focused = new Set<ChatPanel>()
  readonly #options: ChatPanelsOptions

  constructor(options: ChatPanelsOptions) {
    const { viewId, editorType, sessions, sideBar, state } = options
    this.#options = options
    this.accessibleView = new AccessibleView({ documents: options.documents, reveal: panel => this.#reveal(panel) })
    const panel: ChatPanelOptions = {
      ...options.panel,
      history: this.#historyOptions(),
      read: (panel, place) => this.accessibleView.show(panel, place),
      onDidFocus: (panel, hasFocus) => this.#setFocused(panel, hasFocus),
    }
    panel.drafts.takeOver(sideBar.current.id)
    this.view = new ChatView({
      viewId,
      shown: sideBar,
      onDidChangeVisibility: options.onDidChangeVisibility,
      onDidUse: () => sessions.bringToFront(sideBar),
      panel,
    })
    this.editors = new ChatEditors({
      viewType: editorType,
      sessions,
      state,
      page: options.page,
      panel,
      onDidShow: shown => sessions.bringToFront(shown),
      onDidHide: () => sessions.bringToFront(this.editors.active?.shown ?? sideBar),
      onFault: options.onFault,
    })
  }

  /** The panel in front; undefined if no panel has been shown yet. */
  get front(): ChatPanel | undefined {
    return this.editors.active ?? this.view.panel
  }

  /** Shows and focuses the side bar. */
  show(): Promise<void> {
    return this.view.show()
  }

  /** Opens the find bar of the panel in front. */
  async find(): Promise<void> {
    if (!this.editors.active) await this.view.show()
    this.front?.find()
  }

  /** Focuses the question after the place of the panel in front, or the one before. */
  async goToQuestion(by: 1 | -1): Promise<void> {
    if (!this.front) await this.view.show()
    this.front?.goToQuestion(by)
  }

  /** Shows a message of the panel in front as plain text. */
  async read(): Promise<void> {
    if (!this.front) await this.view.show()
    this.front?.readFocused()
  }

  /** Shows how the chat is used by keyboard. */
  async showHelp(packageJson: unknown): Promise<void> {
    const { accessibilityHelp } = await import('./accessibilityHelp.ts')
    const text = accessibilityHelp(packageJson, this.#options.panel.sendOnEnter())
    await this.accessibleView.showText(this.front, l10n.t('Accessibility help for the chat'), text)
  }

  /** What has the focus in its page has it again. */
  async #reveal(panel: ChatPanel): Promise<void> {
    if (panel === this.view.panel) await commands.executeCommand(`${this.#options.viewId}.focus`)
    else this.editors.reveal(panel)
  }

  #setFocused(panel: ChatPanel, hasFocus: boolean): void {
    if (hasFocus) this.#focused.add(panel)
    else this.#focused.delete(panel)
    setContextKey('kourier.chatFocused', this.#focused.size > 0)
  }

  /** Opens an empty conversation in the panel in front. */
  async showNew(): Promise<void> {
    const { active } = this.editors
    if (!active) return this.view.showNew()
    active.shown.openNew()
    active.focus()
  }

  /** Moves the conversation of the side bar into an editor tab. */
  async showInEditor(): Promise<void> {
    const { sideBar } = this.#options
    const { current } = sideBar
    await this.editors.show(current.id, new AbortController().signal)
    sideBar.openNew({ carriesDraft: false })
  }

  /** Moves the conversation of the active tab into the side bar. */
  async moveToSideBar(): Promise<void> {
    const { active } = this.editors
    if (!active) return this.view.show()
    await this.#options.sideBar.open(active.shown.current.id, new AbortController().signal)
    this.editors.close(active)
    await this.view.show()
  }

  /** Attaches it to the unsent message of the panel in front. */
  attach(reference: ContextReference): void {
    const { sessions, panel } = this.#options
    panel.context.contexts.of(sessions.current.id).add(reference).catch(panel.report)
  }

  /**
   * Puts the command before the unsent text of the panel in front, whether or not the editor has shown it yet, and attaches
   * what the command is about. Takes the place of an earlier command that was not sent and that nobody has changed.
   */
  compose(command: string, about: readonly ContextReference[]): void {
    const { sessions, panel } = this.#options
    const { id: conversation } = sessions.current
    const context = panel.context.contexts.of(conversation)
    const { text: draft = '', at = 0 } = panel.drafts.saved(conversation) ?? {}
    const { conversation: former, command: replaces, about: attached } = this.#composed
    const own = former === conversation ? textBehind(draft, replaces) : undefined
    if (own !== undefined) for (const reference of attached) context.removeReference(reference)
    this.#composed = { conversation, command, about: about.filter(reference => !context.has(reference)) }
    for (const reference of about) this.attach(reference)
    if (this.front) return this.front.restoreToComposer(command, own === undefined ? undefined : replaces)
    const behind = own ?? draft
    const text = behind ? `${command}\n${behind}` : command
    panel.drafts.save(conversation, { text, at: Math.max(panel.clock.now(), at + 1) })
  }

  /** Shows and focuses the panel in front. */
  async showFront(): Promise<void> {
    const { active } = this.editors
    if (active) active.focus()
    else await this.view.show()
  }

  /** Shows the history in the panel in front. */
  async showHistory(): Promise<void> {
    const { active } = this.editors
    if (active) active.history.show()
    else await this.view.showHistory()
  }

  /** Exports the conversation in front. */
  exportChat(): Promise<void> {
    return this.#export(this.#options.sessions.current.id)
  }

  /** Imports a conversation into the panel in front. */
  importChat(): Promise<void> {
    return this.#import(this.front)
  }

  #historyOptions(): ChatPanelOptions['history'] {
    return {
      ...this.#options.history,
      open: (request, from) => this.#open(request, from),
      leave: conversation => this.#leave(conversation),
      move: from => (this.#placeOf(from) === 'editor' ? this.moveToSideBar() : this.showInEditor()),
      placeOf: panel => this.#placeOf(panel),
      exportChat: conversation => this.#export(conversation),
      importChat: from => this.#import(from),
    }
  }

  /** A conversation that a panel shows already is revealed there. */
  async #open({ conversation, where, turn }: OpenRequest, from: HistoryPanel): Promise<void> {
    const target = await this.#panelFor(conversation, where, from)
    if (turn) await target?.showTurn(turn)
  }

  async #panelFor(conversation: string, where: OpenRequest['where'], from: HistoryPanel) {
    const { sideBar } = this.#options
    const { signal } = new AbortController()
    const own = [this.view.panel, ...this.editors.panels].find(panel => panel === from)
    if (own?.shown.current.id === conversation && where === 'here') return own
    if (sideBar.current.id === conversation && where === 'here') {
      await this.view.show()
      return this.view.panel
    }
    const isInTab = this.editors.panels.some(({ shown }) => shown.current.id === conversation)
    if (isInTab || where === 'editor') return this.editors.show(conversation, signal)
    await own?.shown.open(conversation, signal)
    return own
  }

  #leave(conversation: string): void {
    const { sessions, sideBar } = this.#options
    sessions.all.find(({ id }) => id === conversation)?.stop()
    for (const shown of [sideBar, ...this.editors.panels.map(panel => panel.shown)])
      if (shown.current.id === conversation) shown.openNew({ carriesDraft: false })
  }

  #placeOf(panel: HistoryPanel): 'side-bar' | 'editor' {
    return this.editors.panels.some(other => other === panel) ? 'editor' : 'side-bar'
  }

  async #export(conversation: string): Promise<void> {
    const { sessions, history } = this.#options
    const { exportChat } = await import('./exportChat.ts')
    await sessions.use(
      conversation,
      session => exportChat(session.conversation, history.keys),
      new AbortController().signal,
    )
  }

  async #import(from: HistoryPanel | undefined): Promise<void> {
    const { sessions, sideBar, history } = this.#options
    const { importChat } = await import('./importChat.ts')
    await importChat({
      sessions,
      workspace: history.workspace,
      newId: () => crypto.randomUUID(),
      show: async ({ id: conversation }) => {
        if (!from) await sideBar.open(conversation, new AbortController().signal)
        else await this.#open({ is: 'open', conversation, where: 'here' }, from)
        from?.sendHistory({ is: 'hide' })
      },
    })
  }

  sendFacts(): void {
    this.view.sendFacts()
    this.editors.sendFacts()
  }

  dispose(): void {
    this.accessibleView.dispose()
    this.view.dispose()
    this.editors.dispose()
  }
}
