// `AccessibleView`: a message of a chat, or help, as plain text in an editor, which gives the focus back when it closes.
import { l10n, type Tab, TabInputText, type Uri, window } from 'vscode'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import { type ReadableMessage, readableMessages } from '../../core/conversation/readableMessages.ts'
import type { MessagePlace } from '../../protocol/panel.ts'
import type { ReadOnlyDocuments } from '../ui/readOnlyDocuments.ts'
import type { ChatPanel } from './chatPanel.ts'
import { chatWords } from './chatWords.ts'

export interface AccessibleViewOptions {
  readonly documents: Pick<ReadOnlyDocuments, 'show' | 'uriOf'>
  /** Gives the panel the focus. */
  readonly reveal: (panel: ChatPanel) => Promise<void>
}

/** What the view shows. */
interface OpenText {
  readonly uri: Uri
  readonly panel: ChatPanel | undefined
  readonly conversation?: string
  readonly message?: ReadableMessage
  /** The user has moved on, so the message has the focus afterwards, and not what had it before. */
  readonly hasMoved: boolean
}

/** There is one at a time. */
export class AccessibleView implements Disposable {
  readonly #options: AccessibleViewOptions
  readonly #disposables = new DisposableStore()
  #current: OpenText | undefined

  constructor(options: AccessibleViewOptions) {
    this.#options = options
    this.#disposables.add(window.tabGroups.onDidChangeTabs(({ closed }) => this.#onClosed(closed)))
  }

  /** Shows this message of the panel's conversation, else its last answer. */
  async show(panel: ChatPanel, place: MessagePlace | undefined): Promise<void> {
    const messages = messagesOf(panel)
    const message =
      (place && messages[indexOf(messages, place)]) ??
      messages.findLast(({ role }) => role === 'assistant') ??
      messages.at(-1)
    if (message) return this.#showMessage(panel, messages, message, false)
    void window.showInformationMessage(l10n.t('There are no messages in this chat yet.'))
  }

  /** Shows a text about the chat. */
  async showText(panel: ChatPanel | undefined, name: string, text: string): Promise<void> {
    await this.#show(name, text, { panel, hasMoved: false })
  }

  /** Shows the next message of the conversation, or the previous one; nothing at its end. */
  async move(by: 1 | -1): Promise<void> {
    const { panel, conversation, message } = this.#current ?? {}
    if (!panel || !message || panel.shown.current.id !== conversation) return
    const messages = messagesOf(panel)
    const at = indexOf(messages, message)
    const next = at < 0 ? undefined : messages[at + by]
    if (next) await this.#showMessage(panel, messages, next, true)
    else
      void window.showInformationMessage(
        by > 0 ? l10n.t('This is the last message.') : l10n.t('This is the first message.'),
      )
  }

  async close(): Promise<void> {
    const tab = this.#current && tabOf(this.#current.uri)
    if (tab) await window.tabGroups.close(tab)
    else await this.#closeActive()
  }

  /** One of the window before the reload. */
  async #closeActive(): Promise<void> {
    const { activeTab } = window.tabGroups.activeTabGroup
    if (activeTab) await window.tabGroups.close(activeTab)
  }

  async #showMessage(
    panel: ChatPanel,
    messages: readonly ReadableMessage[],
    message: ReadableMessage,
    hasMoved: boolean,
  ): Promise<void> {
    const values = { number: messages.indexOf(message) + 1, count: messages.length }
    const name =
      message.role === 'user'
        ? l10n.t('You, message {number} of {count}', values)
        : l10n.t('Kourier, message {number} of {count}', values)
    await this.#show(name, message.text, { panel, conversation: panel.shown.current.id, message, hasMoved })
  }

  async #show(name: string, text: string, shown: Omit<OpenText, 'uri'>): Promise<void> {
    const { documents } = this.#options
    const uri = documents.uriOf(name)
    const before = this.#current
    this.#current = { ...shown, uri }
    // A preview would be closed by the next file that is opened, and would take the focus from that.
    await documents.show(name, text, { isPreview: false })
    const tab = before && before.uri.toString() !== uri.toString() && tabOf(before.uri)
    if (tab) await window.tabGroups.close(tab)
  }

  #onClosed(closed: readonly Tab[]): void {
    const shown = this.#current
    if (!shown || !closed.some(tab => isOf(tab, shown.uri))) return
    this.#current = undefined
    void this.#returnFocus(shown)
  }

  async #returnFocus({ panel, conversation, message, hasMoved }: OpenText): Promise<void> {
    if (!panel) return
    await this.#options.reveal(panel)
    if (hasMoved && message && panel.shown.current.id === conversation) panel.focusMessage(message)
  }

  dispose(): void {
    this.#disposables.dispose()
  }
}

const messagesOf = ({ shown }: ChatPanel) => readableMessages(shown.current.conversation, chatWords())

const indexOf = (messages: readonly ReadableMessage[], { turn, role }: MessagePlace) =>
  messages.findIndex(message => message.turn === turn && message.role === role)

const tabOf = (uri: Uri) => window.tabGroups.all.flatMap(({ tabs }) => tabs).find(tab => isOf(tab, uri))

const isOf = ({ input }: Tab, uri: Uri) => input instanceof TabInputText && input.uri.toString() === uri.toString()
