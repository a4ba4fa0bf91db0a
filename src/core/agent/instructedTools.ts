// `InstructedTools`: the tools that read or change files, whose results also have the instruction files for what they touch.
import { contentHash } from '../../base/contentHash.ts'
import { Queue } from '../../base/singleFlight.ts'
import type { ConversationState } from '../../protocol/conversationState.ts'
import { type GivenInstruction, givenInstructions } from '../../protocol/givenInstructions.ts'
import { sentParts, sentTurns } from '../conversation/sentTurns.ts'
import { shownPath } from '../tools/listFilesTool.ts'
import type { Tool, ToolContext, ToolInput, ToolOutput } from '../tools/tool.ts'

/** `isGeneral`: it goes along with the first question, whatever is touched. */
export interface TouchedInstruction {
  readonly uri: string
  readonly path: string
  readonly text: string
  readonly isGeneral: boolean
}

export interface InstructedPorts {
  /** Those for a file, the most general first; none where the workspace is not trusted or the user has them off. */
  readonly touched: (uri: string, signal: AbortSignal) => Promise<readonly TouchedInstruction[]>
  /** The file that a path means, if it is in the workspace. */
  readonly uriOf: (path: string, signal: AbortSignal) => Promise<string | undefined>
  readonly stateOf: (conversation: string) => ConversationState | undefined
}

interface Entry extends GivenInstruction {
  readonly text: string
  readonly isNew: boolean
}

/** Of all instruction files that a conversation is sent. */
const MOST_BYTES = 32 * 1024
/** The parameters of Kourier's tools that name a file. */
const PATHS = ['path', 'from', 'to']

/**
 * A file is sent once per conversation, with the result of the first call that touches something below its folder, and
 * again only when its text has changed. What a result has stays as it is, because services cache requests by their
 * beginning. Instruction files grant nothing: for the model they are texts like any other.
 */
export class InstructedTools {
  readonly #ports: InstructedPorts
  readonly #work = new Queue()
  /** By conversation, of the answer whose calls are carried out: their results are not in the conversation yet. */
  readonly #latest = new Map<string, { readonly answer: string; readonly given: GivenInstruction[] }>()

  constructor(ports: InstructedPorts) {
    this.#ports = ports
  }

  with(tool: Tool): Tool {
    return { ...tool, run: (input, context, signal) => this.#run(tool, input, context, signal) }
  }

  async #run(tool: Tool, input: ToolInput, context: ToolContext, signal: AbortSignal): Promise<ToolOutput> {
    const reading = this.#touched(input, signal).catch(() => [])
    const output = await tool.run(input, context, signal)
    if (output.isError || output.isOutdated) return output
    const touched = await reading
    return touched.length === 0 ? output : this.#work.add(() => this.#added(output, touched, context))
  }

  async #touched(input: ToolInput, signal: AbortSignal): Promise<readonly TouchedInstruction[]> {
    const paths = PATHS.map(name => input[name]).filter(path => typeof path === 'string')
    const found = await Promise.all(
      paths.map(async path => {
        const uri = await this.#ports.uriOf(path, signal)
        return uri === undefined ? [] : this.#ports.touched(uri, signal)
      }),
    )
    return [...new Map(found.flat().map(one => [one.uri, one])).values()]
  }

  async #added(output: ToolOutput, touched: readonly TouchedInstruction[], context: ToolContext): Promise<ToolOutput> {
    const { conversation, answer } = context
    const known = this.#latest.get(conversation)
    const latest = known?.answer === answer ? known : { answer, given: [] }
    this.#latest.set(conversation, latest)
    const state = this.#ports.stateOf(conversation)
    const before = [...(state ? await sentInstructions(state) : []), ...latest.given]
    const entries = fitting(await entriesFor(touched, before), before)
    if (entries.length === 0) return output
    const given = entries.map(({ text: _, isNew: __, ...kept }) => kept)
    latest.given.push(...given)
    const text = entriesText(entries)
    return {
      ...output,
      content: [...output.content, { kind: 'text', text, isInstruction: true }],
      details: { ...output.details, instructions: given },
    }
  }
}

/** What the model is sent of instruction files: with questions, and with results. */
async function sentInstructions(state: ConversationState): Promise<readonly GivenInstruction[]> {
  const { rest, turns } = sentTurns(state)
  const attached = sentParts(state).map(async part => {
    if (part.kind !== 'attachment' || part.source !== 'instructions' || part.uri === undefined) return []
    const { uri, name: path, text = '' } = part
    return [{ uri, path, sizeBytes: bytesOf(text), hash: await contentHash(text) }]
  })
  const results = [...rest, ...turns.flatMap(({ steps }) => steps)].flatMap(({ parts }) =>
    parts.flatMap(part => (part.kind === 'tool-call' ? givenInstructions(part.result?.details) : [])),
  )
  return [...(await Promise.all(attached)).flat(), ...results]
}

/** Those that were not sent yet, or with another text. One that the user has removed from a question stays away. */
async function entriesFor(
  touched: readonly TouchedInstruction[],
  before: readonly GivenInstruction[],
): Promise<readonly Entry[]> {
  const entries = await Promise.all(
    touched.map(async ({ uri, path, text, isGeneral }) => {
      const hash = await contentHash(text)
      const last = before.findLast(one => one.uri === uri)
      if (last ? last.hash === hash : isGeneral) return []
      return [{ uri, path, text, hash, sizeBytes: bytesOf(text), isNew: last === undefined }]
    }),
  )
  return entries.flat()
}

function fitting(entries: readonly Entry[], before: readonly GivenInstruction[]): readonly Entry[] {
  let bytes = before.reduce((sum, one) => sum + (one.isLeftOut ? 0 : one.sizeBytes), 0)
  return entries.map(entry => {
    if (bytes + entry.sizeBytes > MOST_BYTES) return { ...entry, isLeftOut: true }
    bytes += entry.sizeBytes
    return entry
  })
}

const bytesOf = (text: string) => new TextEncoder().encode(text).length

function entriesText(entries: readonly Entry[]): string {
  const left = entries.filter(({ isLeftOut }) => isLeftOut).map(({ path }) => path)
  const note =
    left.length === 0
      ? []
      : [
          `More instruction files apply here and were left out, because there are too many: ${left.map(shownPath).join(', ')}.`,
        ]
  return [...entries.filter(({ isLeftOut }) => !isLeftOut).map(entryText), ...note].join('\n')
}

function entryText({ path, text, isNew }: Entry): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  const about = isNew ? 'for files that you work with' : 'that have changed, as they are now'
  return `Instructions of the workspace ${about}, from ${shownPath(path)}:\n${fence}\n${text.trimEnd()}\n${fence}`
}
