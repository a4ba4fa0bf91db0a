// `ToolRounds`: carries out the tool calls of a turn, one answer at a time, and appends their results.
import { raceAbort, throwIfAborted } from '../../base/abort.ts'
import { faultText } from '../../base/fault.ts'
import { sanitizeLine } from '../../base/text.ts'
import type { PartOf, ToolApproval, ToolResult } from '../../protocol/conversation.ts'
import { promptText } from '../../protocol/conversationPath.ts'
import type { AllowedActions, Approval, Approvals, PendingCall } from '../tools/approvals.ts'
import { checkArguments } from '../tools/checkArguments.ts'
import type { Mode } from '../tools/modes.ts'
import type { PreparedCall, Tool, ToolOutput } from '../tools/tool.ts'
import { askUnlessMessage } from './askUnlessMessage.ts'
import { LoopDetector, type Repetition } from './loopDetector.ts'
import { RunningCalls } from './runningCalls.ts'
import type { TurnLog } from './turnPorts.ts'

/** A call whose arguments are complete; `part` is its id in the conversation. */
export interface WrittenCall {
  readonly part: string
  readonly name: string
  readonly input: unknown
}

export interface ToolRoundsOptions {
  readonly log: TurnLog
  readonly turn: string
  readonly tools: readonly Tool[]
  /** Called for each call, because the user may change the mode during a turn. */
  readonly mode: () => Mode
  readonly approvals: Approvals
  readonly allowed: AllowedActions
  /** Those that the user can stop alone. */
  readonly running?: RunningCalls
  /** Shows how far a call is. */
  readonly progress?: (part: string, text: string) => void
}

/** `hasFit`: at least one call names a tool and its arguments fit the schema. */
export interface RoundOutcome {
  readonly hasFit: boolean
  readonly repetition: Repetition
}

interface PermittedCall extends PendingCall {
  readonly approved: boolean
}

interface CarriedOut {
  readonly result: ToolResult
  readonly repeatKey?: string
}

type CheckedCall = Omit<PendingCall, 'prepared'>

/** How many calls that only read run in parallel. */
const MAX_PARALLEL_READS = 6

export class ToolRounds {
  readonly #options: ToolRoundsOptions
  readonly #loopDetector = new LoopDetector()
  readonly #running: RunningCalls
  /** The number of successful writes of this turn. */
  #revision = 0

  constructor(options: ToolRoundsOptions) {
    this.#options = options
    this.#running = options.running ?? new RunningCalls()
  }

  /**
   * All approvals are asked for first, in the order of the calls. Calls that only read then run in parallel; a call that
   * writes or runs something waits for those before it, and those after it wait for it. When this resolves, each call has
   * its result.
   */
  async run(calls: readonly WrittenCall[], signal: AbortSignal): Promise<RoundOutcome> {
    const fit = await this.#fitting(calls)
    try {
      return await this.#round(fit, signal)
    } finally {
      await this.#finish(fit)
    }
  }

  async #round(fit: readonly CheckedCall[], signal: AbortSignal): Promise<RoundOutcome> {
    // Prepared and looked up for all calls first: each takes its own time, which must not decide the order of the questions.
    const pending = await Promise.all(fit.map(call => this.#prepared(call, signal)))
    const isAllowed = await Promise.all(pending.map(call => call !== undefined && this.#options.allowed.has(call)))
    const permitted = await Promise.all(
      pending.map((call, at) => call && this.#permitted(call, isAllowed[at] === true, signal)),
    )
    const repetition = await this.#carryOut(
      permitted.filter(call => call !== undefined),
      signal,
    )
    return { hasFit: fit.length > 0, repetition }
  }

  async #finish(calls: readonly CheckedCall[]): Promise<void> {
    const byTool = new Map(calls.map(call => [call.tool, call]))
    for (const [tool, { conversation, turn, answer }] of byTool) await tool.finish?.({ conversation, turn, answer })
  }

  /** The user has allowed the turn to continue although calls repeat. */
  allowRepetition(): void {
    this.#loopDetector.reset()
  }

  /** The calls that fit; each of the others gets a `refused` result. */
  async #fitting(calls: readonly WrittenCall[]): Promise<CheckedCall[]> {
    const { log, turn, tools } = this.#options
    const fit: CheckedCall[] = []
    const answer = calls[0]?.part ?? ''
    for (const { part, name, input } of calls) {
      const tool = tools.find(one => one.name === name)
      const checked = tool && (tool.check?.(input) ?? checkArguments(name, tool.parameters, input))
      if (tool && checked?.isFit)
        fit.push({ conversation: log.state.conversation, turn, answer, part, tool, input: checked.input })
      else await this.#append(part, refused(checked?.isFit === false ? checked.problem : noSuchTool(name, tools)))
    }
    return fit
  }

  /** What the call would do; undefined, and a result for the call, where the mode or the tool itself refuses it. */
  async #prepared(call: CheckedCall, signal: AbortSignal): Promise<PendingCall | undefined> {
    const { tool, input, conversation, turn, answer, part } = call
    const mode = this.#options.mode()
    if (mode.permissions[tool.rights] === 'refuse') {
      await this.#append(part, refused(mode.refusal))
      return undefined
    }
    try {
      const isSandboxed = mode.isSandboxed === true
      const context = { conversation, turn, answer, part, isSandboxed }
      const preparing = tool.prepare?.(input, context, signal) ?? withoutConcern
      const prepared = await raceAbort(preparing, signal)
      if (prepared.is === 'ready') return { ...call, prepared }
      await this.#append(part, prepared.is === 'refused' ? refused(prepared.output) : resultOf(prepared.output))
    } catch (fault) {
      if (signal.aborted) throw fault
      await this.#append(part, failed(tool, fault))
    }
    return undefined
  }

  /** The call, if it may be carried out; otherwise it gets a result and this is undefined. */
  async #permitted(call: PendingCall, isAllowed: boolean, signal: AbortSignal): Promise<PermittedCall | undefined> {
    if (this.#mayGo(call)) return { ...call, approved: false }
    const approval = isAllowed ? allowedBefore : await this.#approval(call, signal)
    const { is: state, ...details } = approval
    const { boundTo } = call.prepared
    await this.#appendApproval(call, { state, ...details, ...(boundTo !== undefined && { boundTo }) })
    if (approval.is === 'allowed') return { ...call, approved: true }
    await this.#append(call.part, denied(approval.reason))
    return undefined
  }

  #mayGo({ tool, prepared }: PendingCall): boolean {
    const permission = this.#options.mode().permissions[tool.rights]
    const isAllowed = permission === 'go' || (permission === 'ask' && prepared.isAllowedBySetting === true)
    return isAllowed && prepared.concerns.length === 0
  }

  async #approval(call: PendingCall, signal: AbortSignal): Promise<Approval> {
    const { log, approvals, allowed } = this.#options
    throwIfAborted(signal)
    const { concerns, preview, remembered } = call.prepared
    await this.#appendApproval(call, {
      state: 'asked',
      ...(concerns.length > 0 && { concerns }),
      ...(preview && { preview }),
      ...(remembered !== undefined && { mayRemember: true }),
    })
    const asked = await askUnlessMessage(log, question => approvals.ask(call, question), signal)
    if (asked.is === 'message') return deniedBy(promptText(asked.parts))
    const { answer } = asked
    if (answer.is === 'allowed' && answer.scope === 'conversation') await allowed.add(call)
    throwIfAborted(signal)
    return answer
  }

  async #carryOut(calls: readonly PermittedCall[], signal: AbortSignal): Promise<Repetition> {
    const failed = new Set<string>()
    let worst: Repetition = { is: 'none' }
    for (const group of groupsOf(calls)) {
      throwIfAborted(signal)
      const results = await this.#results(group, failed, signal)
      for (const [at, call] of group.entries()) {
        const { result, repeatKey } = results[at] ?? {}
        if (!result) continue
        if (call.tool.rights === 'write' && result.outcome === 'ok') this.#revision++
        const { tool, input } = call
        const completed = { name: tool.name, input, result, repeatKey, revision: this.#revision }
        const repetition = this.#loopDetector.add(completed)
        if (worst.is !== 'pause' && repetition.is !== 'none') worst = repetition
        await this.#append(call.part, withNote(result, repetition))
      }
    }
    return worst
  }

  /** The results in the order of the calls, which also start in this order. */
  async #results(calls: readonly PermittedCall[], failed: Set<string>, signal: AbortSignal): Promise<CarriedOut[]> {
    const results: CarriedOut[] = []
    const rest = calls.entries()
    const work = async () => {
      for (const [at, call] of rest) results[at] = await this.#result(call, failed, signal)
    }
    await Promise.all(Array.from({ length: MAX_PARALLEL_READS }, work))
    return results
  }

  /**
   * Refuses a call if an earlier call of the same answer failed to change the same thing, because the model expects
   * that change.
   */
  async #result(call: PermittedCall, failed: Set<string>, signal: AbortSignal): Promise<CarriedOut> {
    const { changes = [] } = call.prepared
    const before = changes.find(({ uri }) => failed.has(uri))
    const carriedOut = before ? { result: refused(notTried(before.path)) } : await this.#outputOf(call, signal)
    if (carriedOut.result.outcome !== 'ok') for (const { uri } of changes) failed.add(uri)
    return carriedOut
  }

  async #outputOf(call: PermittedCall, signal: AbortSignal): Promise<CarriedOut> {
    const { log } = this.#options
    const { tool, input, conversation, turn, answer, part, approved, prepared } = call
    const record = (value: PartOf<'change-set'>) => log.append({ kind: 'change-set', turn, value })
    const progress = (text: string) => this.#options.progress?.(part, text)
    const context = { conversation, turn, answer, part, approved, boundTo: prepared.boundTo, record, progress }
    try {
      // Does not wait for a tool that ignores the abort.
      const output = await this.#running.run(part, signal, own => raceAbort(tool.run(input, context, own), own))
      if (output === 'stopped') return { result: textResult('stopped', STOPPED_ALONE) }
      if (output.isOutdated) return await this.#askedAgain(call, output.content, signal)
      return { result: resultOf(output), ...(output.repeatKey !== undefined && { repeatKey: output.repeatKey }) }
    } catch (fault) {
      if (signal.aborted) throw fault
      return { result: failed(tool, fault) }
    }
  }

  /** What was approved has changed before it was carried out, so the call is prepared anew, and asked about if need be. */
  async #askedAgain(call: PermittedCall, content: ToolResult['content'], signal: AbortSignal): Promise<CarriedOut> {
    const { tool, input, conversation, turn, answer, part } = call
    const isSandboxed = this.#options.mode().isSandboxed === true
    const context = { conversation, turn, answer, part, isSandboxed }
    const prepared = (await tool.prepare?.(input, context, signal)) ?? (await withoutConcern)
    if (prepared.is === 'refused') return { result: refused(prepared.output) }
    if (prepared.is === 'answered') return { result: resultOf(prepared.output) }
    const pending = { ...call, prepared }
    if (this.#mayGo(pending)) return this.#outputOf({ ...pending, approved: false }, signal)
    const isAllowed = await this.#options.allowed.has(pending)
    const { is: state, ...details } = isAllowed ? allowedBefore : await this.#approval(pending, signal)
    await this.#appendApproval(pending, { state, ...details })
    if (state === 'denied') {
      const result = denied('reason' in details ? details.reason : undefined)
      return { result: { ...result, content: [...result.content, ...content] } }
    }
    return this.#outputOf({ ...pending, approved: true }, signal)
  }

  #append(part: string, result: ToolResult): Promise<void> {
    const { log, turn } = this.#options
    return log.append({ kind: 'tool-result', turn, part, result })
  }

  #appendApproval({ part }: PendingCall, approval: ToolApproval): Promise<void> {
    const { log, turn } = this.#options
    return log.append({ kind: 'tool-approval', turn, part, approval })
  }
}

const allowedBefore: Approval = { is: 'allowed', scope: 'conversation' }

const withoutConcern: Promise<PreparedCall> = Promise.resolve({ is: 'ready', concerns: [] })

const isReading = ({ rights }: Tool) => rights === 'none' || rights === 'read'

/** Consecutive calls that only read are one group; each other call is a group of its own. */
function groupsOf(calls: readonly PermittedCall[]): PermittedCall[][] {
  const groups: PermittedCall[][] = []
  for (const call of calls) {
    const last = groups.at(-1)
    if (isReading(call.tool) && last?.every(({ tool }) => isReading(tool))) last.push(call)
    else groups.push([call])
  }
  return groups
}

export function textResult(outcome: ToolResult['outcome'], text: string): ToolResult {
  return { outcome, content: [{ kind: 'text', text }] }
}

const failed = ({ name }: Tool, fault: unknown) =>
  textResult('error', `${name} failed: ${sanitizeLine(faultText(fault))}`)

const refused = (text: string) => textResult('refused', text)

function resultOf({ isError = false, isOutdated, repeatKey, ...output }: ToolOutput): ToolResult {
  return { outcome: isError ? 'error' : 'ok', ...output }
}

function noSuchTool(name: string, tools: readonly Tool[]): string {
  return `There is no tool ${JSON.stringify(name)}. The tools are: ${tools.map(tool => tool.name).join(', ')}.`
}

const STOPPED_ALONE = 'The user has stopped this call alone. Go on without it, and do not repeat it.'

const notTried = (name: string) =>
  `Not carried out, because an earlier call of this answer failed to change ${name}. Look at its result first.`

function deniedBy(words: string): Approval {
  return { is: 'denied', ...(words && { reason: words }) }
}

function denied(reason: string | undefined): ToolResult {
  const words = reason ? `\nThey said: ${reason}` : ''
  return textResult('denied', `The user declined this call. Do not try it another way.${words}`)
}

function withNote(result: ToolResult, repetition: Repetition): ToolResult {
  if (repetition.is === 'none') return result
  const { rounds, calls } = repetition
  const what = calls === 1 ? 'this result' : `the results of these ${calls} calls`
  const text = `You have had ${what} ${rounds} times; it will not change.`
  return { ...result, content: [...result.content, { kind: 'text', text, isInstruction: true }] }
}
