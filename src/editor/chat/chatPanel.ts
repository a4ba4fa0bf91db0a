// `ChatPanel`: one page of the chat, in the side bar or in an editor tab: its messages, and the conversation it shows.
import { l10n } from 'vscode'
import { isAbort, type LinkedAbort, linkedAbort, raceAbort } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import { faultText } from '../../base/fault.ts'
import { textBehind } from '../../base/text.ts'
import type { SignIn } from '../../core/account/signIn.ts'
import { PastPrompts } from '../../core/agent/pastPrompts.ts'
import type { Session } from '../../core/agent/session.ts'
import type { OpenedSession, ShownSession } from '../../core/agent/shownSession.ts'
import { isAutomatic } from '../../core/context/automaticContext.ts'
import type { Taken } from '../../core/context/draftContext.ts'
import { endsInCode } from '../../core/conversation/fencedLines.ts'
import { type SlashCommand, slashCommandOf } from '../../core/conversation/slashCommands.ts'
import type { KeyText } from '../../core/log/keyText.ts'
import type { Log } from '../../core/log/log.ts'
import type { ContextReference } from '../../protocol/contextReference.ts'
import type { PromptPart } from '../../protocol/conversation.ts'
import { answerParts, answerText, pathIds, pathOf, promptText } from '../../protocol/conversationPath.ts'
import { type ConversationState, type QueuedMessage, turnOf } from '../../protocol/conversationState.ts'
import { givenInstructions } from '../../protocol/givenInstructions.ts'
import type { HistoryToPage } from '../../protocol/historyPanel.ts'
import type { ChangeMessage, CodeMessage, FromPage, MessagePlace, ScriptName, ToPage } from '../../protocol/panel.ts'
import type { Names } from '../ui/faultSentence.ts'
import { runRemedy } from '../ui/notices.ts'
import { sanitize } from '../ui/sanitize.ts'
import { sentences } from '../ui/sentences.ts'
import type { AddressOpener } from './addressOpener.ts'
import type { ChatPage } from './chatPage.ts'
import { ConversationFeed } from './conversationFeed.ts'
import { ConversationSearch } from './conversationSearch.ts'
import type { DraftMemory } from './draftMemory.ts'
import { type ChatFacts, draftMessage, factMessages } from './firstMessages.ts'
import { KeyQuestion } from './keyQuestion.ts'
import { type ColourSource, PageColours } from './pageColours.ts'
import { type LinkFinder, PageLinks } from './pageLinks.ts'
import { panelActivity } from './panelActivity.ts'
import { type AgentMessage, agentKinds, PanelAgent, type PanelAgentOptions } from './panelAgent.ts'
import { type ContextMessage, type Outgoing, PanelContext, type PanelContextOptions } from './panelContext.ts'
import { PanelHistory, type PanelHistoryOptions } from './panelHistory.ts'
import { type Attached, type MeterMessage, meterKinds, PanelMeter, type PanelMeterOptions } from './panelMeter.ts'
import { PanelPort } from './panelPort.ts'
import { showAnsweredElsewhere } from './showAnsweredElsewhere.ts'
import { showFile } from './showFile.ts'

export interface ChatPanelOptions extends ChatFacts {
  readonly log: Log
  /** The page is ready, and shown. */
  readonly onReady: () => void
  readonly names: () => Names
  /** Resolves when the conversation that the window had shown before is shown again, or there is none. */
  readonly whenRestored: Promise<void>
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
  /** The text of a script that the page runs at its first use. */
  readonly script: (name: ScriptName) => Promise<string>
  /** Loads what colours the code blocks. */
  readonly colours: () => Promise<ColourSource>
  /** The buttons on code blocks and on changed files. */
  readonly code: CodeActionHandler
  /** Opens the addresses of links. */
  readonly addresses: Pick<AddressOpener, 'open'>
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
  /** Of the conversation that the message names. */
  review(message: ChangeMessage): void
  /** Whether code may run in a terminal of this window. */
  readonly mayRun: boolean
}

/** `resumes`: while nothing was asked or written, the conversation is opened whose unsent text the page has kept. */
export interface PageBefore {
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
  readonly #keyQuestion: KeyQuestion
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
  readonly page: string
  readonly whenReady: Promise<void>
  #onReady = () => {}
  readonly #resumes: boolean
  /** The messages that were taken out of the queue, and are nowhere else in the page. */
  readonly #removed = new Map<string, QueuedMessage>()
  /** The conversations that the page was sent. */
  readonly #known = new Set<string>()
  /** Resolves when the messages that were sent are in the conversation, or back in the composer. */
  #sending: Promise<void> = Promise.resolve()
  /** Ends what is done before a message is in the conversation. */
  #preparing: LinkedAbort | undefined
  /** How often the user has stopped something. */
  #stops = 0

  /** `onDidUse`: the user does something in the page. */
  constructor(
    page: ChatPage,
    shown: ShownSession,
    options: ChatPanelOptions,
    onDidUse: () => void,
    { resumes = false }: PageBefore = {},
  ) {
    this.page = page.id
    this.#resumes = resumes
    this.whenReady = new Promise(resolve => {
      this.#onReady = resolve
    })
    const { log } = options
    this.shown = shown
    this.#options = options
    this.#keyQuestion = new KeyQuestion(options.keys)
    this.#onDidUse = onDidUse
    this.#port = this.#disposables.add(new PanelPort(page, log, message => this.#onMessage(message)))
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
        edits: () => this.#context.edits,
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

  /** Focuses the question after the one in view, or before it. */
  goToQuestion(by: 1 | -1): void {
    this.#send({ kind: 'go-to-question', by })
  }

  /** Focuses a message of the shown conversation. */
  focusMessage({ turn, role }: MessagePlace): void {
    this.#send({ kind: 'focus-message', conversation: this.shown.current.id, message: { turn, role } })
  }

  /**
   * Puts a text into the composer, before the text that is there; in the place of the line `replaces`, if it begins so.
   */
  restoreToComposer(text: string, replaces?: string): void {
    const { id } = this.shown.current
    const draft = this.#options.drafts.saved(id)?.text ?? ''
    const own = replaces === undefined ? draft : (textBehind(draft, replaces) ?? draft)
    this.#saveDraft(id, joined(text, own))
    this.#send({ kind: 'draft', conversation: id, text, ...(replaces !== undefined && { replaces }) })
  }

  /**
   * A message that the page has sent is not sent: it goes into the composer, which has its text until then. `why`: the
   * reason, as a sentence.
   */
  #takeBack({ text, number }: SendMessage, outgoing?: Outgoing, why?: string): void {
    const { drafts } = this.#options
    const { id } = this.shown.current
    if (outgoing) this.#context.takeBack(outgoing)
    const draft = drafts.saved(id)?.text ?? ''
    if (textBehind(draft, text) === undefined) this.#saveDraft(id, joined(text, draft))
    const about = { ...(number !== undefined && { number }), ...(why !== undefined && { why }) }
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
    for (const message of factMessages(this.#options)) this.#send(message)
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
    this.#context.onReady()
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
    this.#send(draftMessage(this.#options.drafts, this.shown.current.id, carriesDraft))
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

  async #sendScript(name: ScriptName): Promise<void> {
    const { script, log } = this.#options
    const text = await script(name).catch(fault =>
      log.warn('A script of the page cannot be read', { name, fault: faultText(fault) }),
    )
    this.#send({ kind: 'script', name, ...(text && { text }) })
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
        return void this.#options.addresses.open(message.url).catch(this.#options.report)
      case 'find-links':
      case 'open-link':
        return this.#links.receive(message)
      case 'colour':
        return this.#colours.receive(message)
      case 'scaled-image':
        return this.#context.receiveImage(message)
      case 'script':
        return void this.#sendScript(message.name)
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
    if (message.kind === 'begin-edit') this.#meter.updateSoon()
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
        return void this.#search?.find(message.text, message)
      case 'send':
        this.#options.signIn.dropNotice()
        return this.#sendInTurn(message)
      case 'read':
        return void this.#options.read(this, message.message).catch(this.#options.report)
      case 'draft':
        this.#meter.updateSoon()
        this.#context.write(message.text.slice(message.sentChars ?? 0).replace(/^\n/, ''))
        this.#context.writeEdits(message.edits ?? {})
        return this.#options.drafts.save(current.id, message)
      case 'past-prompts':
        return void this.#sendPastPrompts(message).catch(this.#options.report)
      case 'recall':
        return void this.#recall(message).catch(this.#options.report)
      case 'keep-recalled':
        return this.#context.keepRecalled()
      case 'stop':
        this.#stops++
        this.#preparing?.stop()
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
        return this.#options.code.review({ ...message, conversation: current.id })
    }
  }

  /** Of a conversation that is no longer shown, the unsent text is kept, and a prompt and a review are not lost. */
  #onLateMessage(message: ConversationMessage): void {
    if (message.kind === 'draft') this.#onLateDraft(message)
    else if (message.kind === 'send') this.#takeBack(message)
    else if (message.kind === 'edit-turn') this.restoreToComposer(message.text)
    else if (message.kind === 'act') this.#runAction(message.action)
    else if (message.kind === 'change') this.#options.code.review(message)
  }

  #onLateDraft(message: Extract<FromPage, { kind: 'draft' }>): void {
    const { drafts, report } = this.#options
    const { conversation, text } = message
    drafts.save(conversation, message)
    if (!this.#resumes || this.#known.has(conversation) || text.trim() === '') return
    this.#known.add(conversation)
    void this.#resumeKept(conversation).catch(report)
  }

  /**
   * The page has kept its text from before the extension was started again. Nobody else has a conversation that is still
   * empty, so its text would be out of reach. The editor may have stored the page's state before the text was sent.
   */
  async #resumeKept(conversation: string): Promise<void> {
    const { drafts, whenRestored } = this.#options
    await whenRestored
    if (!drafts.hasContent(conversation) || drafts.hasContent(this.shown.current.id)) return
    await this.shown.resume(conversation, new AbortController().signal, { hasDraft: true })
  }

  /** One message after the other, because what is attached is read before a message is in the conversation. */
  #sendInTurn(message: SendMessage): void {
    const isCommand = slashCommandOf(message.text)?.command.acts !== undefined
    const outgoing = isCommand ? undefined : this.#context.send(message.text)
    this.#sending = this.#sending
      .then(() => (outgoing ? this.#sendPrompt(message, outgoing) : this.#runSent(message)))
      .catch(this.#options.report)
  }

  /** Resolves when the question is asked, and not when it is answered. */
  async #sendPrompt(message: SendMessage, outgoing: Outgoing): Promise<void> {
    const isSettled = await this.#whilePreparing(async signal => {
      const prepared = await this.#prepare(message, outgoing, signal)
      if ('why' in prepared) this.#takeBack(message, outgoing, prepared.why)
      else this.#ask(message, prepared, outgoing)
      return true
    })
    if (!isSettled) this.#takeBack(message, outgoing)
  }

  /** Undefined where the user has stopped it, or it failed, which is reported. */
  async #whilePreparing<T>(prepare: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    const preparing = linkedAbort()
    this.#preparing = preparing
    try {
      return await prepare(preparing.signal)
    } catch (fault) {
      if (!isAbort(fault)) this.#options.report(fault)
      return undefined
    } finally {
      if (this.#preparing === preparing) this.#preparing = undefined
    }
  }

  async #prepare(message: SendMessage, outgoing: Outgoing, signal: AbortSignal): Promise<Prepared> {
    const accepted = await this.#accept(message, outgoing)
    if ('why' in accepted) return accepted
    const { text } = accepted
    const chips = this.#context.chipsOf(outgoing)
    if (text.trim() === '' && chips.length === 0) return { why: undefined }
    if (chips.length === 0 && lacksSubject(text, this.shown.current.conversation)) return { why: noSubjectText(text) }
    signal.throwIfAborted()
    const taken = await raceAbort(this.#context.take(outgoing, signal), signal)
    const next = (parts: readonly PromptPart[]) =>
      raceAbort(this.shown.current.withQuestion(text, parts, signal), signal)
    return this.#fitted({ text, taken, next, attached: { chips, isOfDraft: true } }, outgoing, signal)
  }

  /** The text that the user agrees to send, once all is shown that goes with it. */
  async #accept(
    { text, chips = [] }: Pick<SendMessage, 'text' | 'chips'>,
    outgoing: Outgoing,
  ): Promise<Pick<Asked, 'text'> | NotAsked> {
    const accepted = await this.#keyQuestion.ask(text)
    if (accepted === undefined || !this.#isHere(outgoing)) return { why: undefined }
    const state = await this.#context.stateOf(outgoing, chips)
    if (state === 'unseen') return { why: unseenText() }
    return state === 'fault' || !this.#isHere(outgoing) ? { why: undefined } : { text: accepted }
  }

  /** What is asked, where all of it can be read and fits. */
  async #fitted({ text, taken, next, attached }: Written, outgoing: Outgoing, signal: AbortSignal): Promise<Prepared> {
    if (!this.#isHere(outgoing)) return { why: undefined }
    if (taken.is !== 'ready') return { why: taken.is === 'blocked' ? blockedText(taken) : undefined }
    const { current } = this.shown
    const fits = await this.#meter.fits(current, await next(taken.parts), attached, signal)
    return fits && this.#isHere(outgoing) ? { text, parts: taken.parts } : { why: undefined }
  }

  #isHere({ conversation }: Outgoing): boolean {
    return this.shown.current.id === conversation
  }

  /** It goes back if another window runs a turn, or the user stops it before the conversation has it. */
  #ask(message: SendMessage, { text, parts }: Asked, outgoing: Outgoing): void {
    const { current } = this.shown
    const { report } = this.#options
    const stops = this.#stops
    const onAsked = () => this.#context.forget(outgoing)
    const isAsked = current.isBusy ? current.queue(text, parts) : current.ask(text, parts, onAsked)
    const settle = (wasAsked: boolean) => {
      if (wasAsked) return onAsked()
      this.#takeBack(message, outgoing)
      const { isBusy, state } = current
      if (!isBusy && state.is !== 'failed' && stops === this.#stops) showAnsweredElsewhere()
    }
    isAsked.then(settle).catch(report)
  }

  async #sendPastPrompts({ conversation, before, from }: Extract<FromPage, { kind: 'past-prompts' }>): Promise<void> {
    const { signal } = new AbortController()
    const state = this.shown.current.conversation
    const { prompts, isComplete } = await this.#pastPrompts.find(state, before, from, signal)
    this.#send({ kind: 'past-prompts', conversation, from, prompts: [...prompts], isComplete })
  }

  #recall({ prompt }: Extract<FromPage, { kind: 'recall' }>): Promise<void> {
    const { signal } = new AbortController()
    const state = this.shown.current.conversation
    const sent = prompt ? this.#pastPrompts.promptOf(state, prompt, signal) : Promise.resolve([])
    return this.#context.recall(prompt?.text ?? '', sent)
  }

  async #continue(): Promise<void> {
    const { current } = this.shown
    const last = pathOf(current.conversation).at(-1)
    const text =
      last && endsInCode(answerText(last))
        ? l10n.t(
            'Continue exactly where your last answer ended. It ended within a code block, so begin with the line that opens the block.',
          )
        : l10n.t('Continue exactly where your last answer ended.')
    const { signal } = new AbortController()
    const asked = await current.withQuestion(text, [], signal)
    if (await this.#meter.fits(current, asked, notWritten, signal)) await current.ask(text)
  }

  /** The text behind the command, which is no question to it, is in the composer afterwards. */
  #runSent(message: SendMessage): void {
    const given = slashCommandOf(message.text)
    if (!given || !this.#isCurrent(message.conversation)) return this.#takeBack(message)
    const { command, rest } = given
    const isNew = command.acts === 'clear'
    this.#setDraft(isNew ? '' : rest, message.number)
    this.#runCommand(command)
    if (isNew && rest !== '') this.restoreToComposer(rest)
  }

  #runCommand({ acts }: SlashCommand): void {
    if (acts === 'clear') this.shown.openNew({ carriesDraft: false })
    if (acts === 'compact') void this.#meter.compact()
  }

  /** What was sent is done, and this is left of it. */
  #setDraft(text: string, number: number | undefined): void {
    const { id } = this.shown.current
    this.#saveDraft(id, text)
    this.#send({ kind: 'draft', conversation: id, text, ...(number !== undefined && { number }) })
  }

  /** It counts as newer than what is kept. */
  #saveDraft(id: string, text: string): void {
    const { drafts, clock } = this.#options
    drafts.save(id, { text, at: Math.max(clock.now(), (drafts.saved(id)?.at ?? 0) + 1) })
  }

  /** A text with a key that the user does not want to have kept goes into the composer, so that it is not lost. */
  async #changeSummary(message: Extract<FromPage, { kind: 'change-summary' }>): Promise<void> {
    const { text: given } = message
    const text = given && (await this.#keyQuestion.ask(given))
    if (given && text === undefined) this.restoreToComposer(given)
    else this.#meter.receive({ ...message, text })
  }

  /** It opens again where it is not asked, or is in the composer where the conversation does not show it any more. */
  async #editTurn(message: EditMessage): Promise<void> {
    const { turn, text, conversation } = message
    const { current } = this.shown
    const outgoing = this.#context.sendEdit(turn, text)
    const asked = await this.#whilePreparing(signal => this.#askChanged(message, outgoing, signal))
    const { isAsked = false, why } = asked ?? {}
    if (isAsked) return this.#context.endEdit(conversation, turn)
    if (current !== this.shown.current) return this.restoreToComposer(text)
    if (pathIds(current.conversation).includes(turn)) {
      this.#context.takeBackCommand(outgoing)
      return this.#send({ kind: 'refused-edit', conversation: current.id, turn, text, ...(why && { why }) })
    }
    this.#context.takeBackEdit(outgoing)
    this.restoreToComposer(text)
  }

  async #askChanged(message: EditMessage, outgoing: Outgoing, signal: AbortSignal) {
    const prepared = await this.#prepareChanged(message, outgoing, signal)
    if ('why' in prepared) return { isAsked: false, why: prepared.why }
    return { isAsked: await this.shown.current.edit(message.turn, prepared.text, prepared.parts), why: undefined }
  }

  async #prepareChanged(message: EditMessage, outgoing: Outgoing, signal: AbortSignal): Promise<Prepared> {
    const accepted = await this.#accept(message, outgoing)
    if ('why' in accepted) return accepted
    const { text } = accepted
    const { turn } = message
    const taken = await raceAbort(this.#context.takeEdit(turn, signal), signal)
    const next = async (parts: readonly PromptPart[]) => this.shown.current.withEdit(turn, text, parts)
    const attached = { chips: this.#context.chipsOfEdit(turn), isOfDraft: false }
    return this.#fitted({ text, taken, next, attached }, outgoing, signal)
  }

  async #retry(turn?: string): Promise<void> {
    const { current } = this.shown
    const { signal } = new AbortController()
    if (await this.#meter.fits(current, current.withRetry(turn), notWritten, signal)) await current.retry(turn)
  }

  /** Only a file that was attached, or came with a result, is shown, so the page cannot name another one. */
  #openPart({ turn, part, instructions }: Extract<FromPage, { kind: 'open-part' }>): void {
    const shown = turnOf(this.shown.current.conversation, turn)
    const found = shown && [...shown.prompt, ...answerParts(shown)].find(({ id }) => id === part)
    if (found?.kind === 'attachment' && found.uri !== undefined)
      showFile(found.uri, { range: found.range }).catch(this.#options.report)
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

/** A question that is ready to be asked. */
interface Asked {
  readonly text: string
  readonly parts: readonly PromptPart[]
}

/** Nothing is asked. `why`: the reason, as a sentence; undefined where something else shows it. */
interface NotAsked {
  readonly why: string | undefined
}

type Prepared = Asked | NotAsked

/** A message whose attachments were read. `next`: the conversation once it is asked. */
interface Written {
  readonly text: string
  readonly taken: Taken
  readonly next: (parts: readonly PromptPart[]) => Promise<ConversationState>
  readonly attached: Attached
}

/** Nothing is attached to a question that is asked again. */
const notWritten = { chips: [], isOfDraft: false }

const joined = (text: string, behind: string) => (text && behind ? `${text}\n${behind}` : text || behind)

type SendMessage = Extract<FromPage, { kind: 'send' }>
type EditMessage = Extract<FromPage, { kind: 'edit-turn' }>

type ConversationMessage = Extract<FromPage, { conversation: string }>

const contextKinds: Readonly<Record<ContextMessage['kind'], true>> = {
  suggest: true,
  'take-suggestion': true,
  'take-offer': true,
  'remove-chip': true,
  'open-chip': true,
  'show-picture': true,
  'attach-uris': true,
  'attach-image': true,
  'attach-text': true,
  'begin-edit': true,
  'end-edit': true,
}

const isAboutSize = (message: ConversationMessage): message is MeterMessage => message.kind in meterKinds
const isForAgent = (message: ConversationMessage): message is AgentMessage => message.kind in agentKinds
const isAboutContext = (message: ConversationMessage): message is ContextMessage => message.kind in contextKinds

/** A command for code that names none, at the beginning of a chat. */
function lacksSubject(text: string, conversation: ConversationState): boolean {
  const given = slashCommandOf(text)
  return given?.command.attaches === 'code' && given.rest.trim() === '' && pathIds(conversation).length === 0
}

const noSubjectText = (command: string) =>
  l10n.t(
    'Your message was not sent, because no code is attached. Open the file that {command} is about, or attach it.',
    {
      command: sanitize(command.trim()),
    },
  )

/** The chips have the reasons too, and may be out of sight among others. */
function blockedText({ by }: Extract<Taken, { is: 'blocked' }>): string {
  const problem = sentences(...by.map(one => sanitize(one.problem)))
  return by.length === 1
    ? l10n.t('Your message was not sent. {problem} Remove this attachment, then send again.', { problem })
    : l10n.t('Your message was not sent. {problems} Remove these attachments, then send again.', { problems: problem })
}

const unseenText = () =>
  l10n.t('Your message was not sent yet: its command has just attached what it is about. Look at it, then send again.')
