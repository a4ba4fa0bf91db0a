// The chat view: its page, its policy, its port.
import { commands, env, Uri, type Webview, type WebviewView, type WebviewViewProvider, window } from 'vscode'
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
import { panelActivity } from './panelActivity.ts'
import { PanelPort } from './panelPort.ts'

export const CHAT_VIEW = 'kourier.chat'

export interface ChatViewOptions {
  readonly extensionUri: Uri
  readonly sessions: Sessions
  readonly log: Log
  /** What the page needs to know beside the conversation. */
  readonly account: () => PanelAccount
  readonly model: () => string | undefined
  /** Somebody looks at the chat. */
  readonly onReady: () => void
  readonly onDidChangeVisibility: (isVisible: boolean) => void
  readonly names: () => Names
  readonly sendOnEnter: () => boolean
  /** What is left out in this window, and why. */
  readonly limits: () => Notice | undefined
  readonly clock: Clock
  readonly keys: KeyText
  readonly drafts: DraftMemory
  readonly signIn: Pick<SignIn, 'cancel' | 'copyCode' | 'openBrowser' | 'renew' | 'dropNotice'>
}

/**
 * The truth stays in the extension: whenever the page is made anew it says `ready`, and is told everything. Where only the
 * view is hidden the page stays: what it says in its last moment would be lost on the way, and with it what was written.
 */
export class ChatView implements WebviewViewProvider, Disposable {
  readonly #options: ChatViewOptions
  readonly #life = new DisposableStore()
  #view: WebviewView | undefined
  #port: PanelPort | undefined
  #feed: ConversationFeed | undefined
  #following: Disposable | undefined
  #wantsFocus = false

  constructor(options: ChatViewOptions) {
    this.#options = options
    const webviewOptions = { retainContextWhenHidden: true }
    this.#life.add(window.registerWebviewViewProvider(CHAT_VIEW, this, { webviewOptions }))
    this.#life.add(options.sessions.onDidOpen(session => this.#follow(session)))
  }

  resolveWebviewView(view: WebviewView): void {
    const { extensionUri, log } = this.#options
    const page = new DisposableStore()
    this.#view = view
    view.webview.options = {
      enableScripts: true,
      enableCommandUris: false,
      enableForms: false,
      localResourceRoots: [Uri.joinPath(extensionUri, 'dist'), Uri.joinPath(extensionUri, 'media')],
    }
    this.#port = page.add(new PanelPort(view.webview, log, message => this.#hear(message)))
    view.webview.html = pageHtml(view.webview, extensionUri)
    this.#follow(this.#options.sessions.current)
    page.add(view.onDidChangeVisibility(() => this.#followVisibility(view)))
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

  /** Shows the view and puts the keyboard into its composer. */
  async show(): Promise<void> {
    this.#wantsFocus = true
    await commands.executeCommand(`${CHAT_VIEW}.focus`)
    if (this.#view?.visible) this.#send({ kind: 'focus' })
  }

  #followVisibility({ visible }: WebviewView): void {
    this.#options.onDidChangeVisibility(visible)
    if (visible) this.#options.onReady()
  }

  /** Begins an empty conversation and shows it. */
  showNew(): Promise<void> {
    this.#openNew()
    return this.show()
  }

  /** A question that has no answer goes back into the composer, for it would stand nowhere any more. */
  #openNew(): void {
    const { sessions } = this.#options
    const { unanswered } = sessions.current
    sessions.openNew()
    if (unanswered !== undefined) this.#giveBack(unanswered)
  }

  /** Into the composer: to the page that stands, and for one that is made only now. */
  #giveBack(text: string): void {
    const { drafts, clock } = this.#options
    const { text: written = '', at = 0 } = drafts.kept ?? {}
    drafts.keep({ text: written ? `${text}\n${written}` : text, at: Math.max(clock.now(), at + 1) })
    this.#send({ kind: 'draft', conversation: this.#options.sessions.current.id, text })
  }

  /** Everything beside the conversation. */
  sendFacts(): void {
    const { account, model, sendOnEnter, limits } = this.#options
    const id = model()
    const left = limits()
    this.#send({ kind: 'settings', sendOnEnter: sendOnEnter() })
    this.#send({ kind: 'limits', ...(left && { notice: left }) })
    this.#send({ kind: 'model', ...(id && { id }) })
    this.#send({ kind: 'account', account: account() })
  }

  #sendEverything(): void {
    const { kept } = this.#options.drafts
    if (kept) this.#send({ kind: 'kept-draft', conversation: this.#options.sessions.current.id, ...kept })
    this.sendFacts()
    void this.#feed?.replay()
    this.#sendActivity(this.#options.sessions.current)
    if (this.#wantsFocus) this.#send({ kind: 'focus' })
    this.#wantsFocus = false
  }

  #follow(session: Session): void {
    const { clock, log } = this.#options
    this.#following?.dispose()
    const life = new DisposableStore()
    this.#following = life
    const send = (message: ToPage) => this.#send(message)
    this.#feed = life.add(new ConversationFeed({ conversation: session, send, clock, log }))
    life.add(session.onDidMove(() => this.#sendActivity(session)))
    void this.#feed.replay()
    this.#sendActivity(session)
  }

  /** Behind the events that led to it. */
  #sendActivity(session: Session): void {
    const { names, clock } = this.#options
    this.#feed?.flush()
    const activity = panelActivity(session, names(), clock.elapsed())
    this.#send({ kind: 'activity', conversation: session.id, activity })
  }

  #send(message: ToPage): void {
    this.#port?.send(message)
  }

  #hear(message: FromPage): void {
    const { sessions, signIn, log } = this.#options
    const isCurrent = 'conversation' in message && this.#isInFront(message.conversation)
    switch (message.kind) {
      case 'ready':
        this.#sendEverything()
        return this.#options.onReady()
      case 'replay':
        return void this.#feed?.replay(message.from)
      case 'send':
        signIn.dropNotice()
        return void this.#ask(message)
      case 'draft':
        return this.#options.drafts.keep(message)
      case 'stop':
        return isCurrent ? sessions.current.stop() : undefined
      case 'new-chat':
        return isCurrent ? this.#openNew() : undefined
      case 'act':
        return this.#act(message.action)
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
   * What was meant for a conversation that has gone from the page meanwhile must not end or change another one. A page
   * that has been sent none yet means the one in front.
   */
  #isInFront(conversation: string): boolean {
    return conversation === '' || conversation === this.#options.sessions.current.id
  }

  async #ask({ text, conversation }: Extract<FromPage, { kind: 'send' }>): Promise<void> {
    const { keys, sessions } = this.#options
    const asked = await askAboutKey(text, keys)
    const { current } = sessions
    // Another answer may have been asked for in the same moment, by a button or in another place.
    const isAccepted = asked !== undefined && this.#isInFront(conversation) && (await current.ask(asked))
    if (!isAccepted) this.#giveBack(text)
  }

  #act(action: Extract<FromPage, { kind: 'act' }>['action']): void {
    const { sessions, signIn } = this.#options
    if (action === 'new-code') signIn.renew()
    else if (action !== 'retry') runRemedy(action)
    else if (sessions.current.state.is === 'waiting') sessions.current.retryNow()
    else void sessions.current.retry()
  }

  dispose(): void {
    this.#following?.dispose()
    this.#port?.dispose()
    this.#life.dispose()
  }
}

/** Only what a browser or a mail program opens. The editor itself shows the whole target and asks. */
function openLink(url: string): void {
  if (!URL.canParse(url) || !['https:', 'http:', 'mailto:'].includes(new URL(url).protocol)) return
  void env.openExternal(Uri.parse(url, true))
}

function pageHtml(webview: Webview, extensionUri: Uri): string {
  const nonce = newNonce()
  const at = (...path: string[]) => webview.asWebviewUri(Uri.joinPath(extensionUri, ...path)).toString()
  const own = webview.cspSource
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${own}`,
    `font-src ${own}`,
    `img-src ${own} data:`,
    `connect-src 'none'`,
    `frame-src 'none'`,
    `object-src 'none'`,
    `form-action 'none'`,
    `base-uri 'none'`,
  ].join('; ')
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${at('media', 'chat.css')}">
<title>Kourier</title>
</head>
<body>
<div id="root"></div>
<script nonce="${nonce}" src="${at('dist', 'page.js')}"></script>
</body>
</html>`
}

/** 128 bits, fresh for each load. */
function newNonce(): string {
  return crypto
    .getRandomValues(new Uint8Array(16))
    .reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '')
}
