// `ChatView`: the chat's webview view: its page, and the messages to and from it.
import { commands, env, Uri, type WebviewView } from 'vscode'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import type { SignIn } from '../../core/account/signIn.ts'
import type { Session } from '../../core/agent/session.ts'
import type { Sessions } from '../../core/agent/sessions.ts'
import type { KeyText } from '../../core/log/keyText.ts'
import type { Log } from '../../core/log/log.ts'
import type { FromPage, Notice, PanelAccount, ToPage } from '../../protocol/panel.ts'
import type { Names } from '../ui/faultSentence.ts'
import { runRemedy } from '../ui/notices.ts'
import { ConversationFeed } from './conversationFeed.ts'
import type { DraftMemory } from './draftMemory.ts'
import { askAboutKey } from './keyInMessage.ts'
import { pageHtml } from './pageHtml.ts'
import { panelActivity } from './panelActivity.ts'
import { PanelPort } from './panelPort.ts'

export interface ChatViewOptions {
  /** The one of the manifest. */
  readonly viewId: string
  readonly extensionUri: Uri
  readonly sessions: Sessions
  readonly log: Log
  readonly account: () => PanelAccount
  readonly model: () => string | undefined
  /** The view is visible. */
  readonly onReady: () => void
  readonly onDidChangeVisibility: (isVisible: boolean) => void
  readonly names: () => Names
  readonly sendOnEnter: () => boolean
  /** What is not available in this window, and why. */
  readonly limits: () => Notice | undefined
  readonly clock: Clock
  readonly keys: KeyText
  readonly drafts: DraftMemory
  readonly signIn: Pick<SignIn, 'cancel' | 'copyCode' | 'openBrowser' | 'renew' | 'dropNotice'>
}

/**
 * The extension owns the state: a page that is created anew sends `ready` and receives everything. A hidden page is
 * retained, because a message that a page sends while it is being destroyed is lost, and with it the unsent text.
 */
export class ChatView implements Disposable {
  readonly #options: ChatViewOptions
  readonly #disposables = new DisposableStore()
  #view: WebviewView | undefined
  #port: PanelPort | undefined
  #feed: ConversationFeed | undefined
  #sessionSubscription: Disposable | undefined
  #wantsFocus = false

  constructor(options: ChatViewOptions) {
    this.#options = options
    this.#disposables.add(options.sessions.onDidOpen(session => this.#attach(session)))
  }

  /** Fills a view that the editor shows for the first time. */
  resolve(view: WebviewView): void {
    const { extensionUri, log } = this.#options
    const page = new DisposableStore()
    this.#view = view
    view.webview.options = {
      enableScripts: true,
      enableCommandUris: false,
      enableForms: false,
      localResourceRoots: [Uri.joinPath(extensionUri, 'dist'), Uri.joinPath(extensionUri, 'media')],
    }
    this.#port = page.add(new PanelPort(view.webview, log, message => this.#onMessage(message)))
    view.webview.html = pageHtml(view.webview, extensionUri)
    this.#attach(this.#options.sessions.current)
    page.add(view.onDidChangeVisibility(() => this.#onVisibilityChange(view)))
    this.#options.onDidChangeVisibility(view.visible)
    page.add(
      view.onDidDispose(() => {
        page.dispose()
        this.#port = undefined
        this.#view = undefined
        this.#options.onDidChangeVisibility(false)
      }),
    )
  }

  /** Shows the view and focuses its composer. */
  async show(): Promise<void> {
    this.#wantsFocus = true
    await commands.executeCommand(`${this.#options.viewId}.focus`)
    if (this.#view?.visible) this.#send({ kind: 'focus' })
  }

  #onVisibilityChange({ visible }: WebviewView): void {
    this.#options.onDidChangeVisibility(visible)
    if (visible) this.#options.onReady()
  }

  /** Opens an empty conversation and shows it. */
  showNew(): Promise<void> {
    this.#openNew()
    return this.show()
  }

  /** An unanswered prompt is restored to the composer, because no conversation would show it any more. */
  #openNew(): void {
    const { sessions } = this.#options
    const { unanswered } = sessions.current
    sessions.openNew()
    if (unanswered !== undefined) this.#restoreToComposer(unanswered)
  }

  /** Saves the text as a draft for a page that is created later, and sends it to the current one. */
  #restoreToComposer(text: string): void {
    const { drafts, clock } = this.#options
    const { text: draft = '', at = 0 } = drafts.saved ?? {}
    drafts.save({ text: draft ? `${text}\n${draft}` : text, at: Math.max(clock.now(), at + 1) })
    this.#send({ kind: 'draft', conversation: this.#options.sessions.current.id, text })
  }

  /** Sends everything that the page shows except for the conversation. */
  sendFacts(): void {
    const { account, model, sendOnEnter, limits } = this.#options
    const id = model()
    const notice = limits()
    this.#send({ kind: 'settings', sendOnEnter: sendOnEnter() })
    this.#send({ kind: 'limits', ...(notice && { notice }) })
    this.#send({ kind: 'model', ...(id && { id }) })
    this.#send({ kind: 'account', account: account() })
  }

  #sendEverything(): void {
    const { saved } = this.#options.drafts
    if (saved) this.#send({ kind: 'kept-draft', conversation: this.#options.sessions.current.id, ...saved })
    this.sendFacts()
    void this.#feed?.replay()
    this.#sendActivity(this.#options.sessions.current)
    if (this.#wantsFocus) this.#send({ kind: 'focus' })
    this.#wantsFocus = false
  }

  #attach(session: Session): void {
    const { clock, log } = this.#options
    this.#sessionSubscription?.dispose()
    const disposables = new DisposableStore()
    this.#sessionSubscription = disposables
    const send = (message: ToPage) => this.#send(message)
    this.#feed = disposables.add(new ConversationFeed({ conversation: session, send, clock, log }))
    disposables.add(session.onDidChangeState(() => this.#sendActivity(session)))
    void this.#feed.replay()
    this.#sendActivity(session)
  }

  /** Flushes the feed first, so that the page has the events that led to the activity. */
  #sendActivity(session: Session): void {
    const { names, clock } = this.#options
    this.#feed?.flush()
    const activity = panelActivity(session, names(), clock.elapsed())
    this.#send({ kind: 'activity', conversation: session.id, activity })
  }

  #send(message: ToPage): void {
    this.#port?.send(message)
  }

  #onMessage(message: FromPage): void {
    const { sessions, signIn, log } = this.#options
    const isCurrent = 'conversation' in message && this.#isCurrent(message.conversation)
    switch (message.kind) {
      case 'ready':
        this.#sendEverything()
        return this.#options.onReady()
      case 'replay':
        return void this.#feed?.replay(message.from)
      case 'send':
        signIn.dropNotice()
        return void this.#sendPrompt(message)
      case 'draft':
        return this.#options.drafts.save(message)
      case 'stop':
        return isCurrent ? sessions.current.stop() : undefined
      case 'new-chat':
        return isCurrent ? this.#openNew() : undefined
      case 'act':
        return this.#runAction(message.action)
      case 'copy-code':
        return void signIn.copyCode()
      case 'open-browser':
        return void signIn.openBrowser()
      case 'cancel-sign-in':
        return signIn.cancel()
      case 'open':
        return openLink(message.url)
      case 'report':
        return log.warn('The chat page reports', { text: message.text })
    }
  }

  /**
   * A message for a conversation that the page has left meanwhile must not stop or change another one. The id is empty
   * where the page has received no conversation yet; such a message is for the current one.
   */
  #isCurrent(conversation: string): boolean {
    return conversation === '' || conversation === this.#options.sessions.current.id
  }

  async #sendPrompt({ text, conversation }: Extract<FromPage, { kind: 'send' }>): Promise<void> {
    const { keys, sessions } = this.#options
    const prompt = await askAboutKey(text, keys)
    const { current } = sessions
    // `ask` refuses while the conversation has a turn, which a button or another page may have started meanwhile.
    const isAccepted = prompt !== undefined && this.#isCurrent(conversation) && (await current.ask(prompt))
    if (!isAccepted) this.#restoreToComposer(text)
  }

  #runAction(action: Extract<FromPage, { kind: 'act' }>['action']): void {
    const { sessions, signIn } = this.#options
    if (action === 'new-code') signIn.renew()
    else if (action !== 'retry') runRemedy(action)
    else if (sessions.current.state.is === 'waiting') sessions.current.retryNow()
    else void sessions.current.retry()
  }

  dispose(): void {
    this.#sessionSubscription?.dispose()
    this.#port?.dispose()
    this.#disposables.dispose()
  }
}

/** Opens only schemes of a browser or a mail program. The editor shows the whole target and asks the user. */
function openLink(url: string): void {
  if (!URL.canParse(url) || !['https:', 'http:', 'mailto:'].includes(new URL(url).protocol)) return
  void env.openExternal(Uri.parse(url, true))
}
