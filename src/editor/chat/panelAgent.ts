// `PanelAgent`: sends a page what the model may do, what it asks, and its plan; and receives the user's answers.
import { l10n, workspace } from 'vscode'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import type { Event } from '../../base/event.ts'
import { never } from '../../base/fault.ts'
import type { Session } from '../../core/agent/session.ts'
import type { PauseReason } from '../../core/agent/turnPorts.ts'
import { modeOf, modes } from '../../core/tools/modes.ts'
import { planOf } from '../../core/tools/updatePlanTool.ts'
import { isDelta } from '../../protocol/conversationState.ts'
import type { PanelAgent as AgentState, FromPage, ModeId, ToPage } from '../../protocol/panel.ts'

export interface PanelAgentOptions {
  /** The modes that can be selected in this window; none where the model has no tools. */
  readonly modes: () => readonly ModeId[]
  /** The mode in which a plan is carried out. */
  readonly defaultMode: () => string
  /** Shows a change that was not made yet. */
  readonly showProposed: (session: Session, part: string) => Promise<void>
  /** Those that run in the background. */
  readonly commands: PanelCommands
  /** Lets the user restore what was before the message of the turn. */
  readonly restore: (session: Session, turn: string) => Promise<void>
  readonly report: (fault: unknown) => void
}

export interface PanelCommands {
  /** The commands of a conversation have changed. */
  readonly onDidChange: Event<void>
  of(conversation: string): readonly { readonly id: number; readonly command: string }[]
  stop(conversation: string, command: number): void
  showTerminal(session: Session): void
}

export type AgentMessage = Extract<
  FromPage,
  {
    kind:
      | 'set-mode'
      | 'answer-questions'
      | 'show-proposed'
      | 'start-plan'
      | 'stop-command'
      | 'stop-call'
      | 'restore'
      | 'show-terminal'
  }
>

export const agentKinds: Readonly<Record<AgentMessage['kind'], true>> = {
  'set-mode': true,
  'answer-questions': true,
  'show-proposed': true,
  'start-plan': true,
  'stop-command': true,
  'stop-call': true,
  restore: true,
  'show-terminal': true,
}

export interface AgentPanel {
  send(message: ToPage): void
  session(): Session
}

export class PanelAgent {
  readonly #options: PanelAgentOptions
  readonly #panel: AgentPanel
  #sent = ''

  constructor(options: PanelAgentOptions, panel: AgentPanel) {
    this.#options = options
    this.#panel = panel
  }

  /** Until the result is disposed. */
  follow(session: Session): Disposable {
    const disposables = new DisposableStore()
    disposables.add(session.questions.onDidChange(() => this.#sendChanged()))
    disposables.add(this.#options.commands.onDidChange(() => this.#sendChanged()))
    disposables.add(session.onDidChangeState(() => this.#sendChanged()))
    disposables.add(session.onDidAppend(event => isDelta(event) || this.#sendChanged()))
    disposables.add(
      session.onDidProgress(progress =>
        this.#panel.send({ kind: 'call-progress', conversation: session.id, ...progress }),
      ),
    )
    return disposables
  }

  sendState(): void {
    this.#sent = ''
    this.#sendChanged()
  }

  receive(message: AgentMessage): void {
    const session = this.#panel.session()
    switch (message.kind) {
      case 'set-mode':
        return void this.#setMode(session, message.mode)
      case 'answer-questions':
        return session.questions.answer(message.answers)
      case 'show-proposed':
        return void this.#options.showProposed(session, message.part).catch(this.#options.report)
      case 'restore':
        return void this.#options.restore(session, message.turn).catch(this.#options.report)
      case 'stop-command':
        return this.#options.commands.stop(session.id, message.command)
      case 'stop-call':
        return session.stopCall(message.part)
      case 'show-terminal':
        return this.#options.commands.showTerminal(session)
      case 'start-plan':
        return void this.#startPlan(session)
      default:
        return never(message)
    }
  }

  async #setMode(session: Session, mode: ModeId): Promise<void> {
    const isSet = this.#options.modes().includes(mode) && (await session.setMode(modeOf(mode)))
    if (!isSet) this.sendState()
  }

  async #startPlan(session: Session): Promise<void> {
    const mode = modeOf(this.#options.defaultMode())
    if (!session.isBusy && (await session.setMode(mode))) await session.ask(l10n.t('Carry out the plan.'))
  }

  #sendChanged(): void {
    const session = this.#panel.session()
    const state = this.#stateOf(session)
    const text = JSON.stringify([session.id, state])
    if (text === this.#sent) return
    this.#sent = text
    this.#panel.send({ kind: 'agent', conversation: session.id, agent: state })
  }

  #stateOf(session: Session): AgentState {
    const questions = session.questions.open.map(question =>
      question.is === 'call'
        ? { id: question.id, is: question.is, part: question.part }
        : { id: question.id, is: question.is, text: pauseText(question.reason) },
    )
    const { id } = session.mode
    const mode = [...Object.values(modes)].find(one => one.id === id)?.id ?? 'ask'
    const commands = this.#options.commands.of(session.id).map(({ id, command }) => ({ id, command }))
    const plan = planOf(session.conversation).map(item => ({ ...item }))
    return { modes: workspace.isTrusted ? [...this.#options.modes()] : [], mode, questions, plan, commands }
  }
}

function pauseText(reason: PauseReason): string {
  switch (reason.is) {
    case 'requests':
      return l10n.t('Kourier has worked for {count} requests. Go on?', { count: reason.requests })
    case 'room':
      return l10n.t('The chat takes {percent} % of the model’s window, although it was just summarized. Go on?', {
        percent: reason.percent,
      })
    case 'repetition':
      return reason.calls === 1
        ? l10n.t('Kourier has made the same call {count} times with the same result. Go on?', { count: reason.rounds })
        : l10n.t('Kourier repeats the same {calls} calls, and has done so {count} times. Go on?', {
            calls: reason.calls,
            count: reason.rounds,
          })
    default:
      return never(reason)
  }
}
