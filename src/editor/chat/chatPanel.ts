// `ChatPanel`: one page of the chat, in the side bar or in an editor tab: its messages, and the conversation it shows.
import { env, l10n, Uri, type Webview, window } from 'vscode'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import { textBehind } from '../../base/text.ts'
import type { SignIn } from '../../core/account/signIn.ts'
import { PastPrompts } from '../../core/agent/pastPrompts.ts'
import type { Session } from '../../core/agent/session.ts'
import type { OpenedSession, ShownSession } from '../../core/agent/shownSession.ts'
import { isAutomatic } from '../../core/context/automaticContext.ts'
import { type SlashCommand, slashCommandOf } from '../../core/conversation/slashCommands.ts'
import { isLoopbackHost } from '../../core/http/loopbackHost.ts'
import type { KeyText } from '../../core/log/keyText.ts'
import type { Log } from '../../core/log/log.ts'
import type { ContextReference } from '../../protocol/contextReference.ts'
import { answerParts, pathIds, promptText } from '../../protocol/conversationPath.ts'
import { type QueuedMessage, turnOf } from '../../protocol/conversationState.ts'
import { givenInstructions } from '../../protocol/givenInstructions.ts'
import type { HistoryToPage } from '../../protocol/historyPanel.ts'
import type {
  ChangeMessage,
  ChatFont,
  CodeMessage,
  FromPage,
  MessagePlace,
  Notice,
  PanelAccount,
  ToPage,
} from '../../protocol/panel.ts'
import type { Names } from '../ui/faultSentence.ts'
import { runRemedy } from '../ui/notices.ts'
import { ConversationFeed } from './conversationFeed.ts'
import { ConversationSearch } from './conversationSearch.ts'
import type { DraftMemory } from './draftMemory.ts'
import { askAboutKey } from './keyInMessage.ts'
import { type ColourSource, PageColours } from './pageColours.ts'
import { pageFolder, pageHtml } from './pageHtml.ts'
import { type LinkFinder, PageLinks } from './pageLinks.ts'
import { panelActivity } from './panelActivity.ts'
import { type AgentMessage, agentKinds, PanelAgent, type PanelAgentOptions } from './panelAgent.ts'
import { type ContextMessage, PanelContext, type PanelContextOptions } from './panelContext.ts'
import { PanelHistory, type PanelHistoryOptions } from './panelHistory.ts'
import { type MeterMessage, meterKinds, PanelMeter, type PanelMeterOptions } from './panelMeter.ts'
import { PanelPort } from './panelPort.ts'
import { showAnsweredElsewhere } from './showAnsweredElsewhere.ts'
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
  /** That of the messages; undefined for the page's own. */
  readonly font: () => ChatFont | undefined
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
  readonly agent: PanelAgentOptions
  /** Loads what colours the code blocks. */
  readonly colours: () => Promise<ColourSource>
  /** The buttons on code blocks and on changed files. */
  readonly code: CodeActionHandler
  /** Finds what an answer names. */
  readonly links: LinkFinder
  /** Shows a message as plain text; without a place, the last answer. */
  readonly read: (panel: ChatPanel, place: MessagePlace | undefined) => Promise<void>
  /** The page of the panel has received the keyboard focus, or lost it. */
  readonly onDidFocus: (panel: ChatPanel, hasFocus: boolean) => void
  readonly signIn: Pick<SignIn, 'cancel' | 'copyCode' | 'openBrowser' | 'renew' | 'dropNotice'>
}

export interface CodeActionHandler {
  run(message: CodeMessage, session: Session): void
  review(message: ChangeMessage, session: Session): void
  /** Whether code may run in a terminal of this window. */
  readonly mayRun: boolean
}

/**
 * What a page has kept of the one before. `formers`: the ids of pages that have lost the extension, one of which it
 * replaces. `resumes`: while nothing was asked or written, the conversation is opened whose unsent text the page has kept.
 */
export interface PageBefore {
  readonly formers?: readonly string[]
  readonly resumes?: boolean
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
  readonly #agent: PanelAgent
  readonly #colours: PageColours
  readonly #links: PageLinks
  readonly #pastPrompts: PastPrompts
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
  /** The id of the page. */
  readonly page = crypto.randomUUID()
  readonly whenReady: Promise<void>
  #onReady = () => {}
  readonly #resumes: boolean
  /** The messages that were taken out of the queue, and are nowhere else in the page. */
  readonly #removed = new Map<string, QueuedMessage>()
  /** The conversations that the page was sent. */
  readonly #known = new Set<string>()

  /** `onDidUse`: the user does something in the page. */
  constructor(
    webview: Webview,
    shown: ShownSession,
    options: ChatPanelOptions,
    onDidUse: () => void,
    { formers = [], resumes = false }: PageBefore = {},
  ) {
    this.#resumes = resumes
    this.whenReady = new Promise(resolve => {
      this.#onReady = resolve
    })
    const { extensionUri, log } = options
    this.shown = shown
    this.#options = options
    this.#onDidUse = onDidUse
    webview.options = {
      enableScripts: true,
      enableCommandUris: false,
      enableForms: false,
      localResourceRoots: [pageFolder(extensionUri)],
    }
    this.#port = this.#disposables.add(new PanelPort(webview, log, message => this.#onMessage(message)))
    this.#context = this.#disposables.add(
      new PanelContext(options.context, {
        send: message => this.#send(message),
        state: () => shown.current.conversation,
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
    this.#agent = new PanelAgent(options.agent, {
      send: message => this.#send(message),
      session: () => shown.current,
    })
    this.#colours = this.#disposables.add(new PageColours(options.colours, message => this.#send(message), log))
    const { links, report, history } = options
    this.#pastPrompts = new PastPrompts(history)
    this.#links = this.#disposables.add(new PageLinks({ links, report, send: message => this.#send(message) }))
    webview.html = pageHtml(webview, extensionUri, { page: this.page, formers })
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

  /** Shows the message that has the focus, or the last answer, as plain text. */
  readFocused(): void {
    this.#send({ kind: 'read-focused' })
  }

  /** Focuses a message of the shown conversation. */
  focusMessage({ turn, role }: MessagePlace): void {
    this.#send({ kind: 'focus-message', conversation: this.shown.current.id, message: { turn, role } })
  }

  /**
   * Puts a text into the composer, before the text that is there; in the place of the line `replaces`, if it begins so.
   * `why`: the reason why it was not sent, as a sentence.
   */
  restoreToComposer(text: string, replaces?: string, why?: string): void {
    const { id } = this.shown.current
    const draft = this.#options.drafts.saved(id)?.text ?? ''
    const own = replaces === undefined ? draft : (textBehind(draft, replaces) ?? draft)
    this.#saveDraft(id, text && own ? `${text}\n${own}` : text || own)
    const about = { ...(replaces !== undefined && { replaces }), ...(why !== undefined && { why }) }
    this.#send({ kind: 'draft', conversation: id, text, ...about })
  }

  /** Messages that were queued and not sent; what was attached to them is attached again as it was. */
  #restoreMessages(messages: readonly QueuedMessage[]): void {
    const text = messages.map(({ parts }) => promptText(parts)).join('\n')
    this.#context.bringBack(text)
    this.restoreToComposer(text)
    for (const part of messages.flatMap(({ parts }) => parts))
      if (part.kind !== 'text' && !isAutomatic(part)) this.#context.current.addContent(part).catch(this.#options.report)
  }

  /** Nothing if it was sent meanwhile. */
  async #withdraw({ message, toComposer }: Extract<FromPage, { kind: 'withdraw' }>): Promise<void> {
    const { current } = this.shown
    const queued = current.conversation.queued.find(({ id }) => id === message)
    if (!queued || !(await current.withdraw(message))) return
    if (toComposer) this.#restoreMessages([queued])
    else this.#removed.set(message, queued)
  }

  /** Where no answer comes any more that they could follow, they go into the composer. */
  async #queueAgain(ids: readonly string[]): Promise<void> {
    const { current } = this.shown
    const messages = ids.flatMap(id => this.#removed.get(id) ?? [])
    for (const id of ids) this.#removed.delete(id)
    const left: QueuedMessage[] = []
    for (const message of messages) if (!(await current.queue('', message.parts))) left.push(message)
    if (left.length > 0) this.#restoreMessages(left)
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
    const font = this.#options.font()
    const notice = limits()
    this.#send({ kind: 'settings', sendOnEnter: sendOnEnter(), ...(font && { font }) })
    this.#send({ kind: 'limits', ...(notice && { notice }), mayRun: code.mayRun })
    this.#send({ kind: 'model', ...(id && { id }) })
    this.#send({ kind: 'account', account: account() })
    this.#meter.updateSoon()
    this.#context.refreshSoon()
    this.#agent.sendState()
  }

  #sendEverything(): void {
    this.#onReady()
    this.sendFacts()
    this.history.sendHead()
    this.#sendDraft()
    if (this.#turnToShow) this.sendHistory({ is: 'turn', conversation: this.shown.current.id, turn: this.#turnToShow })
    this.#turnToShow = undefined
    this.#context.sendState()
    this.#meter.sendState()
    this.#feed?.replay()
    // The page ignores those of a conversation that it does not show yet.
    this.#agent.sendState()
    this.#sendActivity(this.shown.current)
    if (this.#wantsFocus) this.#send({ kind: 'focus' })
    if (this.#wantsFind) this.#send({ kind: 'find' })
    this.#wantsFocus = false
    this.#wantsFind = false
    this.history.onReady()
  }

  #sendDraft(carriesDraft = false): void {
    const { id } = this.shown.current
    const { text = '', at = 0, edits } = this.#options.drafts.saved(id) ?? {}
    this.#send({ kind: 'kept-draft', conversation: id, text, at, ...(edits && { edits }), carriesDraft })
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
    if (before) this.#pastPrompts.leave(before.id)
    if (carriesDraft && before) this.#context.carry(before.id, session.id)
    disposables.add(this.#agent.follow(session))
    this.#attachedTo = session
    this.#known.add(session.id)
    this.#sendDraft(carriesDraft)
    // A question that failed is asked again in the new conversation, if the user wants that.
    if (carriesDraft && before && !before.isBusy && before.unanswered) this.restoreToComposer(before.unanswered)
    this.#context.sendState()
    this.#feed.replay()
    this.#agent.sendState()
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
      case 'focused':
        return this.#options.onDidFocus(this, message.value)
      case 'copy-code':
        return void signIn.copyCode()
      case 'open-browser':
        return void signIn.openBrowser()
      case 'cancel-sign-in':
        return signIn.cancel()
      case 'open':
        return void openLink(message.url).catch(this.#options.report)
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
    if (message.kind === 'change-summary') return void this.#changeSummary(message)
    if (isAboutSize(message)) return this.#meter.receive(message)
    if (isForAgent(message)) return this.#agent.receive(message)
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
      case 'read':
        return void this.#options.read(this, message.message).catch(this.#options.report)
      case 'draft':
        this.#meter.updateSoon()
        this.#context.write(message.text)
        return this.#options.drafts.save(current.id, message)
      case 'past-prompts':
        return void this.#sendPastPrompts(message).catch(this.#options.report)
      case 'stop':
        return current.stop()
      case 'new-chat':
        this.shown.openNew()
        return this.focus()
      case 'act':
        return this.#runAction(message.action)
      case 'open-part':
        return this.#openPart(message)
      case 'steer':
        return void current.steer(message.message)
      case 'withdraw':
        return void this.#withdraw(message).catch(this.#options.report)
      case 'queue-again':
        return void this.#queueAgain(message.messages).catch(this.#options.report)
      case 'continue':
        return void this.#continue()
      case 'retry-turn':
        return void this.#retry(message.turn)
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
    if (message.kind === 'draft') this.#onLateDraft(message)
    else if (message.kind === 'send' || message.kind === 'edit-turn') this.restoreToComposer(message.text)
    else if (message.kind === 'act') this.#runAction(message.action)
  }

  /**
   * The page has kept it from before the extension was started again. Nobody else has a conversation that is still empty,
   * so its text would be out of reach.
   */
  #onLateDraft(message: Extract<FromPage, { kind: 'draft' }>): void {
    const { drafts, report } = this.#options
    const { conversation, text } = message
    drafts.save(conversation, message)
    if (!this.#resumes || this.#known.has(conversation) || text.trim() === '') return
    this.#known.add(conversation)
    if (drafts.hasContent(this.shown.current.id)) return
    void this.shown.resume(conversation, new AbortController().signal, { hasDraft: true }).catch(report)
  }

  async #sendPrompt(message: Extract<FromPage, { kind: 'send' }>): Promise<void> {
    const { text, conversation } = message
    const given = slashCommandOf(text)
    if (given?.command.acts) return this.#runSent(given.command, given.rest)
    const prompt = await askAboutKey(text, this.#options.keys)
    if (prompt === undefined || !this.#isCurrent(conversation)) return this.restoreToComposer(text)
    const { current } = this.shown
    const state = await this.#context.beforeSend(text, message.chips ?? [])
    if (state === 'unseen') return this.restoreToComposer(text, undefined, unseenText())
    const isAccepted = state === 'ready' && this.#isCurrent(current.id) && (await this.#sendAttached(prompt, text))
    if (!isAccepted) this.restoreToComposer(text)
  }

  async #sendPastPrompts({ conversation, before, from }: Extract<FromPage, { kind: 'past-prompts' }>): Promise<void> {
    const { signal } = new AbortController()
    const state = this.shown.current.conversation
    const { texts, isComplete } = await this.#pastPrompts.find(state, before, from, signal)
    this.#send({ kind: 'past-prompts', conversation, from, texts: [...texts], isComplete })
  }

  async #continue(): Promise<void> {
    const { current } = this.shown
    const text = l10n.t('Continue exactly where your last answer ended.')
    const { signal } = new AbortController()
    const asked = await current.withQuestion(text, [], signal)
    if (await this.#meter.fits(current, asked, false, signal)) await current.ask(text)
  }

  /**
   * False if another window runs a turn, or something that is attached cannot be read; its chip then shows the reason.
   * `draft`: the text as it was in the composer.
   */
  async #sendAttached(text: string, draft: string): Promise<boolean> {
    const { current } = this.shown
    const context = this.#context.current
    const { signal } = new AbortController()
    // What goes along by itself is no message.
    if (text.trim() === '' && context.chips.length === 0) return false
    const taken = await this.#context.take(signal)
    if (taken.is === 'blocked') return false
    const asked = await current.withQuestion(text, taken.parts, signal)
    if (!(await this.#meter.fits(current, asked, true, signal))) return false
    const { kept } = context
    this.#context.onSent(draft)
    const isAccepted = await (current.isBusy ? current.queue(text, taken.parts) : current.ask(text, taken.parts))
    if (isAccepted) return true
    await context.restore(kept)
    if (!current.isBusy) showAnsweredElsewhere()
    return false
  }

  /** The text behind the command, which is no question to it, is in the composer afterwards. */
  #runSent(command: SlashCommand, rest: string): void {
    const isNew = command.acts === 'clear'
    this.#setDraft(isNew ? '' : rest)
    this.#runCommand(command)
    if (isNew && rest !== '') this.restoreToComposer(rest)
  }

  #runCommand({ acts }: SlashCommand): void {
    if (acts === 'clear') this.shown.openNew({ carriesDraft: false })
    if (acts === 'compact') void this.#meter.compact()
  }

  /** What was sent is done, and this is left of it. */
  #setDraft(text: string): void {
    const { id } = this.shown.current
    this.#saveDraft(id, text)
    this.#send({ kind: 'draft', conversation: id, text })
  }

  /** It counts as newer than what is kept. */
  #saveDraft(id: string, text: string): void {
    const { drafts, clock } = this.#options
    drafts.save(id, { text, at: Math.max(clock.now(), (drafts.saved(id)?.at ?? 0) + 1) })
  }

  /** A text with a key that the user does not want to have kept goes into the composer, so that it is not lost. */
  async #changeSummary(message: Extract<FromPage, { kind: 'change-summary' }>): Promise<void> {
    const { text: given } = message
    const text = given && (await askAboutKey(given, this.#options.keys))
    if (given && text === undefined) this.restoreToComposer(given)
    else this.#meter.receive({ ...message, text })
  }

  async #editTurn({ turn, text, conversation }: Extract<FromPage, { kind: 'edit-turn' }>): Promise<void> {
    const prompt = await askAboutKey(text, this.#options.keys)
    const { current } = this.shown
    const isAccepted = prompt !== undefined && this.#isCurrent(conversation) && (await this.#askChanged(turn, prompt))
    if (isAccepted) return
    if (current === this.shown.current && pathIds(current.conversation).includes(turn))
      this.#send({ kind: 'refused-edit', conversation: current.id, turn, text })
    else this.restoreToComposer(text)
  }

  async #askChanged(turn: string, text: string): Promise<boolean> {
    const { current } = this.shown
    const { signal } = new AbortController()
    const fits = await this.#meter.fits(current, current.withEdit(turn, text), false, signal)
    return fits && current.edit(turn, text)
  }

  async #retry(turn?: string): Promise<void> {
    const { current } = this.shown
    const { signal } = new AbortController()
    if (await this.#meter.fits(current, current.withRetry(turn), false, signal)) await current.retry(turn)
  }

  /** Only a file that was attached, or came with a result, is shown, so the page cannot name another one. */
  #openPart({ turn, part, instructions }: Extract<FromPage, { kind: 'open-part' }>): void {
    const shown = turnOf(this.shown.current.conversation, turn)
    const found = shown && [...shown.prompt, ...answerParts(shown)].find(({ id }) => id === part)
    if (found?.kind === 'attachment' && found.uri !== undefined)
      showFile(found.uri, found.range).catch(this.#options.report)
    if (found?.kind !== 'tool-call') return
    const given = givenInstructions(found.result?.details).find(({ uri }) => uri === instructions)
    if (given) showFile(given.uri).catch(this.#options.report)
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
    else void this.#retry()
  }

  dispose(): void {
    this.#options.onDidFocus(this, false)
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
const isForAgent = (message: ConversationMessage): message is AgentMessage => message.kind in agentKinds
const isAboutContext = (message: ConversationMessage): message is ContextMessage => message.kind in contextKinds

const unseenText = () =>
  l10n.t('Your message was not sent yet: its command has just attached what it is about. Look at it, then send again.')

const confirmedHosts = new Set<string>()

/**
 * Opens only schemes of a browser or a mail program. Of an `http` or `https` address the editor shows the whole target
 * and asks the user, but not for one of this machine; of another scheme it opens everything unasked.
 */
async function openLink(url: string): Promise<void> {
  if (!URL.canParse(url) || !['https:', 'http:', 'mailto:'].includes(new URL(url).protocol)) return
  const { host, hostname, href, protocol } = new URL(url)
  if (protocol === 'mailto:') {
    const detail = l10n.t('Your mail program opens and may take recipients, subject and text from this address.')
    if (!(await mayOpen(href, detail))) return
  } else if (isLoopbackHost(hostname) && !confirmedHosts.has(host)) {
    const detail = l10n.t('The address is on this machine. A program that listens there may act on it.')
    if (!(await mayOpen(href, detail))) return
    confirmedHosts.add(host)
  }
  await env.openExternal(Uri.parse(href, true))
}

/** `href`: as `URL` writes it, in which every character that is not seen or turns text is percent-encoded; whole. */
async function mayOpen(href: string, detail: string): Promise<boolean> {
  const open = l10n.t('Open')
  const question = l10n.t('Open {url}?', { url: href })
  return (await window.showWarningMessage(question, { modal: true, detail }, open)) === open
}
