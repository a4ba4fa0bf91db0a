// `ChatPanel`: one page of the chat, in the side bar or in an editor tab: its messages, and the conversation it shows.
import { env, Uri, type Webview } from 'vscode'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import type { SignIn } from '../../core/account/signIn.ts'
import type { Session } from '../../core/agent/session.ts'
import type { OpenedSession, ShownSession } from '../../core/agent/shownSession.ts'
import { isAutomatic } from '../../core/context/automaticContext.ts'
import { type SlashCommand, slashCommandOf } from '../../core/conversation/slashCommands.ts'
import type { KeyText } from '../../core/log/keyText.ts'
import type { Log } from '../../core/log/log.ts'
import type { ContextReference } from '../../protocol/contextReference.ts'
import { pathIds, promptText } from '../../protocol/conversationPath.ts'
import { type QueuedMessage, turnOf } from '../../protocol/conversationState.ts'
import type { HistoryToPage } from '../../protocol/historyPanel.ts'
import type { ChangeMessage, CodeMessage, FromPage, Notice, PanelAccount, ToPage } from '../../protocol/panel.ts'
import type { Names } from '../ui/faultSentence.ts'
import { runRemedy } from '../ui/notices.ts'
import { ConversationFeed } from './conversationFeed.ts'
import { ConversationSearch } from './conversationSearch.ts'
import type { DraftMemory } from './draftMemory.ts'
import { askAboutKey } from './keyInMessage.ts'
import { type ColourSource, PageColours } from './pageColours.ts'
import { pageHtml } from './pageHtml.ts'
import { type LinkFinder, PageLinks } from './pageLinks.ts'
import { panelActivity } from './panelActivity.ts'
import { type ContextMessage, PanelContext, type PanelContextOptions } from './panelContext.ts'
import { PanelHistory, type PanelHistoryOptions } from './panelHistory.ts'
import { type MeterMessage, meterKinds, PanelMeter, type PanelMeterOptions } from './panelMeter.ts'
import { PanelPort } from './panelPort.ts'
import { showFile } from './showFile.ts'

export interface ChatPanelOptions {
  readonly extensionUri: Uri
  readonly log: Log
  readonly account: () => PanelAccount
  readonly model: () => string | undefined
  /** The page is ready, and shown. */
  readonly onReady: () => void
  readonly names: () => Names
  readonly sendOnEnter: () => boolean
  /** What is not available in this window, and why. */
  readonly limits: () => Notice | undefined
  /** Stores a copy of the conversation up to the end of the turn, and resolves with its id. */
  readonly fork: (session: Session, turn: string) => Promise<string>
  readonly report: (fault: unknown) => void
  readonly history: PanelHistoryOptions
  readonly clock: Clock
  readonly keys: KeyText
  readonly drafts: DraftMemory
  readonly context: PanelContextOptions
  readonly meter: PanelMeterOptions
  /** Loads what colours the code blocks. */
  readonly colours: () => Promise<ColourSource>
  /** The buttons on code blocks and on changed files. */
  readonly code: CodeActionHandler
  /** Finds what an answer names. */
  readonly links: LinkFinder
  readonly signIn: Pick<SignIn, 'cancel' | 'copyCode' | 'openBrowser' | 'renew' | 'dropNotice'>
}

export interface CodeActionHandler {
  run(message: CodeMessage, session: Session): void
  review(message: ChangeMessage, session: Session): void
  /** Whether code may run in a terminal of this window. */
  readonly mayRun: boolean
}

/**
 * The extension owns the state: a page that is created anew sends `ready` and receives everything. A hidden page is
 * retained, because a message that a page sends while it is being destroyed is lost, and with it the unsent text.
 */
export class ChatPanel implements Disposable {
  readonly shown: ShownSession
  readonly history: PanelHistory
  readonly #options: ChatPanelOptions
  readonly #disposables = new DisposableStore()
  readonly #port: PanelPort
  readonly #context: PanelContext
  readonly #meter: PanelMeter
  readonly #colours: PageColours
  readonly #links: PageLinks
  readonly #onDidUse: () => void
  #feed: ConversationFeed | undefined
  #search: ConversationSearch | undefined
  #sessionSubscription: Disposable | undefined
  #wantsFocus = false
  /** For a page that is not ready yet. */
  #turnToShow: string | undefined
  /** The conversation that the page was last sent. */
  #attachedTo: Session | undefined
  #wantsFind = false

  /** `onDidUse`: the user does something in the page. */
  constructor(webview: Webview, shown: ShownSession, options: ChatPanelOptions, onDidUse: () => void) {
    const { extensionUri, log } = options
    this.shown = shown
    this.#options = options
    this.#onDidUse = onDidUse
    webview.options = {
      enableScripts: true,
      enableCommandUris: false,
      enableForms: false,
      localResourceRoots: [Uri.joinPath(extensionUri, 'dist'), Uri.joinPath(extensionUri, 'media')],
    }
    this.#port = this.#disposables.add(new PanelPort(webview, log, message => this.#onMessage(message)))
    this.#context = this.#disposables.add(
      new PanelContext(options.context, {
        send: message => this.#send(message),
        state: () => shown.current.conversation,
        run: command => this.#runCommand(command),
      }),
    )
    this.#meter = this.#disposables.add(
      new PanelMeter(options.meter, {
        send: message => this.#send(message),
        session: () => shown.current,
        chips: () => this.#context.chips,
      }),
    )
    this.#disposables.add(options.context.contexts.onDidChange(() => this.#meter.updateSoon()))
    this.#colours = this.#disposables.add(new PageColours(options.colours, message => this.#send(message), log))
    const { links, report } = options
    this.#links = this.#disposables.add(new PageLinks({ links, report, send: message => this.#send(message) }))
    webview.html = pageHtml(webview, extensionUri)
    this.#disposables.add(shown.onDidOpen(opened => this.#attach(opened)))
    this.history = this.#disposables.add(new PanelHistory(this, options.history))
    this.#attach({ session: shown.current, carriesDraft: false })
  }

  /** Focuses the composer, as soon as the page is ready. */
  focus(): void {
    this.#wantsFocus = true
    this.#send({ kind: 'focus' })
  }

  /** Opens the find bar, as soon as the page is ready. */
  find(): void {
    this.#wantsFind = true
    this.#send({ kind: 'find' })
  }

  /** Puts a text into the composer, before the text that is there. */
  restoreToComposer(text: string): void {
    const { drafts, clock } = this.#options
    const { id } = this.shown.current
    const { text: draft = '', at = 0 } = drafts.saved(id) ?? {}
    drafts.save(id, { text: draft ? `${text}\n${draft}` : text, at: Math.max(clock.now(), at + 1) })
    this.#send({ kind: 'draft', conversation: id, text })
  }

  /** Messages that were queued and not sent; what was attached to them is attached again as it was. */
  #restoreMessages(messages: readonly QueuedMessage[]): void {
    this.restoreToComposer(messages.map(({ parts }) => promptText(parts)).join('\n'))
    for (const part of messages.flatMap(({ parts }) => parts))
      if (part.kind !== 'text' && !isAutomatic(part)) this.#context.current.addContent(part).catch(this.#options.report)
  }

  /** Attaches it to the unsent message. */
  attach(reference: ContextReference): void {
    this.#context.attach(reference)
  }

  sendHistory(message: HistoryToPage): void {
    this.#send({ kind: 'history', message })
  }

  /** Scrolls to a turn of the shown conversation, for which it becomes part of the path. */
  async showTurn(turn: string): Promise<void> {
    const { current } = this.shown
    if (!pathIds(current.conversation).includes(turn)) await current.chooseBranch(turn)
    this.#turnToShow = turn
    this.sendHistory({ is: 'turn', conversation: current.id, turn })
  }

  /** Sends everything that the page shows except for the conversation. */
  sendFacts(): void {
    const { account, model, sendOnEnter, limits, code } = this.#options
    const id = model()
    const notice = limits()
    this.#send({ kind: 'settings', sendOnEnter: sendOnEnter() })
    this.#send({ kind: 'limits', ...(notice && { notice }), mayRun: code.mayRun })
    this.#send({ kind: 'model', ...(id && { id }) })
    this.#send({ kind: 'account', account: account() })
    this.#meter.updateSoon()
    this.#context.refreshSoon()
  }

  #sendEverything(): void {
    this.sendFacts()
    this.history.sendHead()
    this.#sendDraft()
    if (this.#turnToShow) this.sendHistory({ is: 'turn', conversation: this.shown.current.id, turn: this.#turnToShow })
    this.#turnToShow = undefined
    this.#context.sendState()
    this.#meter.sendState()
    this.#feed?.replay()
    this.#sendActivity(this.shown.current)
    if (this.#wantsFocus) this.#send({ kind: 'focus' })
    if (this.#wantsFind) this.#send({ kind: 'find' })
    this.#wantsFocus = false
    this.#wantsFind = false
    this.history.onReady()
  }

  #sendDraft(carriesDraft = false): void {
    const { id } = this.shown.current
    const { text = '', at = 0 } = this.#options.drafts.saved(id) ?? {}
    this.#send({ kind: 'kept-draft', conversation: id, text, at, carriesDraft })
  }

  #attach({ session, carriesDraft }: OpenedSession): void {
    this.#turnToShow = undefined
    const { clock } = this.#options
    this.#sessionSubscription?.dispose()
    const disposables = new DisposableStore()
    this.#sessionSubscription = disposables
    const send = (message: ToPage) => this.#send(message)
    this.#feed = disposables.add(new ConversationFeed({ conversation: session, send, clock }))
    this.#search = disposables.add(new ConversationSearch({ conversation: session, send, clock }))
    disposables.add(session.onDidChangeState(() => this.#sendActivity(session)))
    disposables.add(session.onDidWithdraw(messages => this.#restoreMessages(messages)))
    disposables.add(this.#meter.follow(session, () => this.#context.refreshSoon()))
    const before = this.#attachedTo
    if (carriesDraft && before) this.#context.carry(before.id, session.id)
    this.#attachedTo = session
    this.#sendDraft(carriesDraft)
    // A question that failed is asked again in the new conversation, if the user wants that.
    if (carriesDraft && before && !before.isBusy && before.unanswered) this.restoreToComposer(before.unanswered)
    this.#context.sendState()
    this.#feed.replay()
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
    this.#port.send(message)
  }

  #onMessage(message: FromPage): void {
    const { signIn, log } = this.#options
    switch (message.kind) {
      case 'ready':
        this.#sendEverything()
        return this.#options.onReady()
      case 'history':
        return this.history.onMessage(message.message)
      case 'copy-code':
        return void signIn.copyCode()
      case 'open-browser':
        return void signIn.openBrowser()
      case 'cancel-sign-in':
        return signIn.cancel()
      case 'open':
        return openLink(message.url)
      case 'find-links':
      case 'open-link':
        return this.#links.receive(message)
      case 'colour':
        return this.#colours.receive(message)
      case 'report':
        return log.warn('The chat page reports', { text: message.text })
      default:
        if (this.#isCurrent(message.conversation)) this.#onConversationMessage(message)
        else this.#onLateMessage(message)
    }
  }

  /**
   * A message for a conversation that the page has left meanwhile must not stop or change another one. The id is empty
   * where the page has received no conversation yet; such a message is for the current one.
   */
  #isCurrent(conversation: string): boolean {
    return conversation === '' || conversation === this.shown.current.id
  }

  #onConversationMessage(message: ConversationMessage): void {
    const { current } = this.shown
    if (!byItself.has(message.kind)) this.#onDidUse()
    if (isAboutContext(message)) return this.#context.receive(message)
    if (isAboutSize(message)) return this.#meter.receive(message)
    switch (message.kind) {
      case 'replay':
        return this.#feed?.replay()
      case 'drawn':
        return this.#feed?.onDrawn()
      case 'turns':
        return this.#feed?.sendTurns(message.turns)
      case 'find':
        return void this.#search?.find(message.text)
      case 'send':
        this.#options.signIn.dropNotice()
        return void this.#sendPrompt(message)
      case 'draft':
        this.#meter.updateSoon()
        return this.#options.drafts.save(current.id, message)
      case 'stop':
        return current.stop()
      case 'new-chat':
        return this.shown.openNew()
      case 'act':
        return this.#runAction(message.action)
      case 'open-part':
        return this.#openPart(message)
      case 'steer':
        return void current.steer(message.message)
      case 'withdraw':
        return void current.withdraw(message.message)
      case 'retry-turn':
        return void current.retry(message.turn)
      case 'edit-turn':
        return void this.#editTurn(message)
      case 'choose-branch':
        return void current.chooseBranch(message.turn)
      case 'fork':
        return void this.#fork(message.turn)
      case 'delete-turn':
        return void current.setTurnDeleted(message.turn, message.value)
      case 'code':
        return this.#options.code.run(message, current)
      case 'change':
        return this.#options.code.review(message, current)
    }
  }

  /** Of a conversation that is no longer shown, the unsent text is kept and a prompt is not lost. */
  #onLateMessage(message: ConversationMessage): void {
    if (message.kind === 'draft') this.#options.drafts.save(message.conversation, message)
    else if (message.kind === 'send' || message.kind === 'edit-turn') this.restoreToComposer(message.text)
    else if (message.kind === 'act') this.#runAction(message.action)
  }

  async #sendPrompt({ text, conversation }: Extract<FromPage, { kind: 'send' }>): Promise<void> {
    const command = slashCommandOf(text)?.command
    if (command?.acts) return this.#runCommand(command)
    const prompt = await askAboutKey(text, this.#options.keys)
    const isAccepted = prompt !== undefined && this.#isCurrent(conversation) && (await this.#sendAttached(prompt))
    if (!isAccepted) this.restoreToComposer(text)
  }

  /** False if another window runs a turn, or something that is attached cannot be read; its chip then shows the reason. */
  async #sendAttached(text: string): Promise<boolean> {
    const { current } = this.shown
    const context = this.#context.current
    const { signal } = new AbortController()
    const taken = await this.#context.take(signal)
    if (taken.is === 'blocked' || !(await this.#meter.fits(current, text, taken.parts, signal))) return false
    const { kept } = context
    context.clear()
    const isAccepted = await (current.isBusy ? current.queue(text, taken.parts) : current.ask(text, taken.parts))
    if (!isAccepted) await context.restore(kept)
    return isAccepted
  }

  #runCommand({ acts }: SlashCommand): void {
    if (acts === 'clear') this.shown.openNew({ carriesDraft: false })
    if (acts === 'compact') void this.#meter.compact()
  }

  async #editTurn({ turn, text, conversation }: Extract<FromPage, { kind: 'edit-turn' }>): Promise<void> {
    const prompt = await askAboutKey(text, this.#options.keys)
    const { current } = this.shown
    const isAccepted = prompt !== undefined && this.#isCurrent(conversation) && (await current.edit(turn, prompt))
    if (!isAccepted) this.restoreToComposer(text)
  }

  /** Only a file that was attached is shown, so the page cannot name another one. */
  #openPart({ turn, part }: Extract<FromPage, { kind: 'open-part' }>): void {
    const { prompt = [] } = turnOf(this.shown.current.conversation, turn) ?? {}
    const found = prompt.find(({ id }) => id === part)
    if (found?.kind === 'attachment' && found.uri !== undefined)
      showFile(found.uri, found.range).catch(this.#options.report)
  }

  async #fork(turn: string): Promise<void> {
    const { fork, report } = this.#options
    try {
      await this.shown.open(await fork(this.shown.current, turn), new AbortController().signal)
    } catch (fault) {
      report(fault)
    }
  }

  #runAction(action: Extract<FromPage, { kind: 'act' }>['action']): void {
    const { current } = this.shown
    if (action === 'new-code') this.#options.signIn.renew()
    else if (action !== 'retry') runRemedy(action)
    else if (current.state.is === 'waiting') current.retryNow()
    else void current.retry()
  }

  dispose(): void {
    this.#sessionSubscription?.dispose()
    this.#disposables.dispose()
  }
}

/** What a page sends although the user does nothing in it. */
const byItself: ReadonlySet<FromPage['kind']> = new Set(['replay', 'drawn', 'turns'])

type ConversationMessage = Extract<FromPage, { conversation: string }>

const contextKinds: Readonly<Record<ContextMessage['kind'], true>> = {
  suggest: true,
  'take-suggestion': true,
  'take-offer': true,
  'remove-chip': true,
  'open-chip': true,
  'attach-uris': true,
  'attach-image': true,
  'attach-text': true,
}

const isAboutSize = (message: ConversationMessage): message is MeterMessage => message.kind in meterKinds
const isAboutContext = (message: ConversationMessage): message is ContextMessage => message.kind in contextKinds

/** Opens only schemes of a browser or a mail program. The editor shows the whole target and asks the user. */
function openLink(url: string): void {
  if (!URL.canParse(url) || !['https:', 'http:', 'mailto:'].includes(new URL(url).protocol)) return
  void env.openExternal(Uri.parse(url, true))
}
