// `ChatView`: the chat in the side bar.
import { commands, l10n, type WebviewView } from 'vscode'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import type { ShownSession } from '../../core/agent/shownSession.ts'
import type { ChatPage } from './chatPage.ts'
import { ChatPanel, type ChatPanelOptions } from './chatPanel.ts'

export interface ChatViewOptions {
  /** The one of the manifest. */
  readonly viewId: string
  readonly shown: ShownSession
  readonly onDidChangeVisibility: (isVisible: boolean) => void
  /** The user does something in the view. */
  readonly onDidUse: () => void
  readonly panel: ChatPanelOptions
}

export class ChatView implements Disposable {
  readonly #options: ChatViewOptions
  #panel: ChatPanel | undefined
  #page = new DisposableStore()
  #isVisible = false
  #view: WebviewView | undefined
  #questions = 0
  #finished = 0
  #wantsFocus = false
  #wantsHistory = false

  constructor(options: ChatViewOptions) {
    this.#options = options
  }

  /** Undefined until the editor has shown the view. */
  get panel(): ChatPanel | undefined {
    return this.#panel
  }

  /** Takes over the page of a view that the editor shows for the first time, or again after the user has moved it. */
  resolve(view: WebviewView, shownPage: ChatPage): void {
    const { shown, panel, onDidUse } = this.#options
    this.#page.dispose()
    const page = new DisposableStore()
    this.#page = page
    const made = page.add(new ChatPanel(shownPage, shown, panel, onDidUse, { resumes: true }))
    this.#panel = made
    this.#view = view
    this.#drawBadge()
    if (this.#wantsFocus) made.focus()
    this.#wantsFocus = false
    if (this.#wantsHistory) made.history.show()
    this.#wantsHistory = false
    page.add(view.onDidChangeVisibility(() => this.#setVisible(view.visible)))
    this.#setVisible(view.visible)
    page.add(
      view.onDidDispose(() => {
        if (this.#panel !== made) return
        page.dispose()
        this.#panel = undefined
        this.#view = undefined
        this.#setVisible(false)
      }),
    )
  }

  /** Shows the view and focuses its composer. */
  async show(): Promise<void> {
    this.#wantsFocus = this.#panel === undefined
    await commands.executeCommand(`${this.#options.viewId}.focus`)
    this.#panel?.focus()
  }

  /** Shows the view with the history in it. */
  async showHistory(): Promise<void> {
    this.#wantsHistory = this.#panel === undefined
    await this.show()
    this.#panel?.history.show()
  }

  /** Opens an empty conversation and shows it. */
  showNew(): Promise<void> {
    this.#options.shown.openNew()
    return this.show()
  }

  /** How many questions wait, at the icon of the view. */
  showQuestions(count: number): void {
    this.#questions = count
    this.#drawBadge()
  }

  /** How many answers have ended that nobody has seen, at the icon of the view. */
  showFinished(count: number): void {
    this.#finished = count
    this.#drawBadge()
  }

  /** A question counts more than an answer. */
  #drawBadge(): void {
    if (!this.#view) return
    if (this.#questions > 0) this.#view.badge = { value: this.#questions, tooltip: l10n.t('Waiting for you') }
    else if (this.#finished > 0) this.#view.badge = { value: this.#finished, tooltip: l10n.t('An answer is done') }
    else this.#view.badge = undefined
  }

  sendFacts(): void {
    this.#panel?.sendFacts()
  }

  #setVisible(isVisible: boolean): void {
    const hasAppeared = isVisible && !this.#isVisible
    this.#isVisible = isVisible
    this.#options.onDidChangeVisibility(isVisible)
    if (hasAppeared) this.#options.panel.onReady()
  }

  dispose(): void {
    this.#page.dispose()
  }
}
