// The parts and events of a conversation, as schemas and types.
import * as z from 'zod/mini'
import type { Immutable } from '../base/immutable.ts'
import { contextReference } from './contextReference.ts'
import { readHotEvent } from './hotEvent.ts'
import { type JsonObject, objectOf } from './json.ts'
import { textRange } from './textRange.ts'

/** An id made by the extension; the service's own ids are in members of other names, such as `call`. */
export const id = z.string().check(z.minLength(1), z.maxLength(200))
const count = z.int().check(z.minimum(0))
/** Wall-clock time in milliseconds since 1970. */
const time = z.number()

const textPart = z.object({ kind: z.literal('text'), id, text: z.string() })

/** Reasoning that is sent back unchanged: only the surface that made it reads it. */
export const sealedReasoning = z.discriminatedUnion('surface', [
  z.object({
    surface: z.literal('responses'),
    item: z.object({
      type: z.literal('reasoning'),
      summary: z.array(z.unknown()),
      encrypted_content: z.string(),
    }),
  }),
  z.object({
    surface: z.literal('messages'),
    item: z.discriminatedUnion('type', [
      z.object({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
      z.object({ type: z.literal('redacted_thinking'), data: z.string() }),
    ]),
  }),
])

/** Its place among the other parts is its place in the answer. `text` is what may be shown, and may be empty. */
const reasoningPart = z.object({
  kind: z.literal('reasoning'),
  id,
  text: z.string(),
  sealed: z.optional(sealedReasoning),
  startedAt: z.optional(time),
  endedAt: z.optional(time),
})

/**
 * Why the user is asked about a call, beside the mode. `secret`, `ignored`: what is read; `outside`, `link`: where the
 * path leads; `protected`: a file that runs later or decides what may run; `hosts`: where the editor would fetch a schema
 * from; `network`: the command may send something; `no-sandbox`: it failed in the sandbox; `sends`: where another extension's tool sends its arguments.
 */
const callConcern = z.discriminatedUnion('is', [
  z.object({ is: z.enum(['outside', 'protected', 'link', 'secret', 'sends']), target: z.string() }),
  z.object({ is: z.enum(['hard-link', 'ignored', 'network', 'secret-values', 'no-sandbox']) }),
  z.object({ is: z.literal('remote-schema'), hosts: z.array(z.string()) }),
])

/**
 * What is shown with the question. `lines` of a file: those of a unified diff with three lines of context, without its
 * header; `isCut`: there are more. `folder` and `shell` of a command: where it runs and what reads it; `saves`: the paths
 * of the files that are saved before.
 */
const callPreview = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('change'),
    files: z.array(
      z.object({
        uri: z.string(),
        path: z.string(),
        change: z.enum(['modified', 'created', 'deleted', 'renamed']),
        renamedTo: z.optional(z.string()),
        addedLines: count,
        removedLines: count,
        lines: z.array(z.string()),
        isCut: z.optional(z.boolean()),
      }),
    ),
  }),
  z.object({
    kind: z.literal('command'),
    command: z.string(),
    folder: z.string(),
    shell: z.string(),
    saves: z.array(z.string()),
    why: z.optional(z.string()),
    restorable: z.optional(z.object({ files: count, of: count })),
    /** The files cannot be looked at, so nothing that it changes can be undone. */
    isUnwatched: z.optional(z.boolean()),
  }),
  z.object({ kind: z.literal('path'), path: z.string() }),
  z.object({ kind: z.literal('arguments'), text: z.string() }),
])

/**
 * `boundTo`: the hash of what was shown with the question; the approval holds for nothing else. `reason`: the user's own
 * words with a denial. `mayRemember`: the user may allow the same for the whole conversation.
 */
const toolApproval = z.object({
  state: z.enum(['asked', 'allowed', 'denied']),
  scope: z.optional(z.enum(['once', 'conversation'])),
  reason: z.optional(z.string()),
  boundTo: z.optional(z.string()),
  concerns: z.optional(z.array(callConcern)),
  preview: z.optional(callPreview),
  mayRemember: z.optional(z.boolean()),
})

/**
 * What the model is sent as the result of a call. `isInstruction`: no data that the call returned, but a text by Kourier or
 * of an instruction file.
 */
const toolContent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string(), isInstruction: z.optional(z.boolean()) }),
  z.object({ kind: z.literal('image'), mediaType: z.string(), base64: z.string() }),
])

/**
 * `denied` by the user, `refused` by a rule (schema, access policy, mode), `stopped` by the user while it ran,
 * `interrupted` because the window ended. `whole`: where the whole result is kept when `content` is cut, and its size.
 * `details`: what is shown of it beside the content, such as an exit code.
 */
const toolResult = z.object({
  outcome: z.enum(['ok', 'error', 'denied', 'refused', 'stopped', 'interrupted']),
  content: z.array(toolContent),
  whole: z.optional(z.object({ reference: z.string(), sizeChars: count })),
  details: z.optional(z.record(z.string(), z.unknown())),
})

/**
 * `call`: the service's id of the call. `inputText`: the arguments as far as they have been written; `input`: the
 * arguments once `isWritten`, an object, or the text where the model wrote none.
 */
const toolCallPart = z.object({
  kind: z.literal('tool-call'),
  id,
  call: z.string(),
  name: z.string(),
  inputText: z.string(),
  isWritten: z.boolean(),
  input: z.optional(z.unknown()),
  approval: z.optional(toolApproval),
  result: z.optional(toolResult),
})

/**
 * What the user attached. `text` is exactly what is sent, also when the file has changed since. `version`: the
 * document's version in the editor; `hash`: SHA-256 of the file's bytes in hexadecimal. `reference`: what it was read from,
 * where that can be read again.
 */
const attachmentPart = z.object({
  kind: z.literal('attachment'),
  id,
  source: z.enum([
    'file',
    'selection',
    'symbol',
    'folder',
    'instructions',
    'problems',
    'terminal',
    'git-change',
    'commit',
    'repository',
    'environment',
  ]),
  name: z.string(),
  uri: z.optional(z.string()),
  language: z.optional(z.string()),
  range: z.optional(textRange),
  version: z.optional(z.int()),
  hash: z.optional(z.string()),
  sizeChars: count,
  text: z.optional(z.string()),
  reference: z.optional(contextReference),
})

/** `mediaType`: such as `image/png`. `reference`: the file, if it came from one. */
const imagePart = z.object({
  kind: z.literal('image'),
  id,
  mediaType: z.string(),
  base64: z.string(),
  name: z.optional(z.string()),
  sizeBytes: z.optional(count),
  width: z.optional(count),
  height: z.optional(count),
  reference: z.optional(contextReference),
})

/** `before` and `after`: hashes of the content; null where there was or is no file. */
const changedFile = z.object({
  uri: z.string(),
  change: z.enum(['modified', 'created', 'deleted', 'renamed']),
  renamedFrom: z.optional(z.string()),
  hunks: count,
  addedLines: count,
  removedLines: count,
  before: z.optional(z.nullable(z.string())),
  after: z.optional(z.nullable(z.string())),
  /** `may-be-others`: found while a command ran in the background, so it may be somebody else's, and is not reviewed. */
  review: z.enum(['open', 'kept', 'undone', 'partly-undone', 'may-be-others']),
})

/** What the model changed in the user's files. `checkpoint`: the restore point before the first of the changes. */
const changeSetPart = z.object({
  kind: z.literal('change-set'),
  id,
  checkpoint: z.optional(z.string()),
  files: z.array(changedFile),
})

/** Something that happened, as data: the sentence is made where it is shown. */
const noticePart = z.object({
  kind: z.literal('notice'),
  id,
  code: z.string(),
  values: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
})

/** What a user's message is made of. */
export const promptPart = z.discriminatedUnion('kind', [textPart, attachmentPart, imagePart])

/**
 * What goes with a summary, as it was when it was written, so that the requests after it begin with the same bytes.
 * `surroundings`: environment and instructions; `facts`: what the editor knows. `words`: how many tokens of the user's
 * words are kept. `tokens`: the size of the next request in a window of `limit`.
 */
export const summaryExtras = z.object({
  surroundings: z.array(promptPart),
  facts: z.string(),
  words: count,
  tokens: count,
  limit: count,
})

/** Every kind of part. */
export const conversationPart = z.discriminatedUnion('kind', [
  textPart,
  reasoningPart,
  toolCallPart,
  attachmentPart,
  imagePart,
  changeSetPart,
  noticePart,
])

/**
 * Each event names its conversation. `n` counts the events of the conversation from 1; `time` is when it happened.
 * Members that only some events have: `turn`, and `part`, the id of the part that the event changes.
 */
const envelope = { conversation: id, n: z.int().check(z.minimum(1)), time }
const inTurn = { ...envelope, turn: id }
const inPart = { ...inTurn, part: id }

/**
 * `text` continues the part at character `offset`. `first`: the number of the first of the events that were joined into
 * this one; without it the event is only itself.
 */
const delta = { ...inPart, first: z.optional(z.int().check(z.minimum(1))), offset: count, text: z.string() }

/** A retry asks the same question again; an edit asks a changed one in its place. Both have the parent of the turn `of`. */
export const turnOrigin = z.discriminatedUnion('is', [
  z.object({ is: z.literal('new') }),
  z.object({ is: z.literal('retry'), of: id }),
  z.object({ is: z.literal('edit'), of: id }),
])

/** Tokens, as the service counted them. */
export const tokenUsage = z.object({ input: z.number(), output: z.number() })

/** `broken`: the stream failed; `cut-off`: the stream ended without the signal that the answer is complete. */
export const stepEnd = z.enum(['done', 'tools', 'length', 'filtered', 'refused', 'cut-off', 'stopped', 'broken'])

/**
 * `stopped` by the user; `interrupted` because the window or the connection ended; `refused` by the model; `failed` for
 * the reason in `fault`; `length`: at the limit of tokens; `filtered`: by the service's filter.
 */
export const turnEnd = z.enum(['done', 'stopped', 'interrupted', 'refused', 'failed', 'length', 'filtered'])

/** `name`: its class, for the sentence and for the log; no text of a fault is kept. */
export const keptFault = z.object({ name: z.string(), values: z.optional(z.record(z.string(), z.unknown())) })

const knownEvents = [
  /** `forkOf`: the conversation and the turn from which this one was branched; `source`: hash of an imported file. */
  z.object({
    ...envelope,
    kind: z.literal('created'),
    workspace: z.optional(z.string()),
    forkOf: z.optional(z.object({ conversation: id, turn: id })),
    source: z.optional(z.string()),
  }),
  /**
   * Without a `parent` it is a first turn. A retry may leave `prompt` out: it has that of the turn it retries. `queued`:
   * the queued message that becomes this prompt.
   */
  z.object({
    ...inTurn,
    kind: z.literal('turn-started'),
    parent: z.optional(id),
    origin: turnOrigin,
    prompt: z.optional(z.array(promptPart)),
    queued: z.optional(id),
  }),
  /** One request to the model. `queued`: messages sent meanwhile, which go in before it. */
  z.object({ ...inTurn, kind: z.literal('step-started'), model: z.string(), queued: z.optional(z.array(id)) }),
  /** `value`: the part as it begins; a part that does not grow begins complete. */
  z.object({ ...inTurn, kind: z.literal('part-started'), value: conversationPart }),
  z.object({ ...delta, kind: z.literal('text-delta') }),
  z.object({ ...delta, kind: z.literal('reasoning-delta') }),
  z.object({ ...delta, kind: z.literal('tool-input-delta') }),
  z.object({ ...inPart, kind: z.literal('part-ended'), sealed: z.optional(sealedReasoning) }),
  /** The call is complete. `call` and `name`: where its end has other values than its beginning. */
  z.object({
    ...inPart,
    kind: z.literal('tool-call'),
    input: z.unknown(),
    call: z.optional(z.string()),
    name: z.optional(z.string()),
  }),
  z.object({ ...inPart, kind: z.literal('tool-approval'), approval: toolApproval }),
  z.object({ ...inPart, kind: z.literal('tool-result'), result: toolResult }),
  /** Takes the place of the change set with its id, or is a new part. */
  z.object({ ...inTurn, kind: z.literal('change-set'), value: changeSetPart }),
  z.object({ ...inTurn, kind: z.literal('step-ended'), why: stepEnd, usage: z.optional(tokenUsage) }),
  z.object({
    ...inTurn,
    kind: z.literal('turn-ended'),
    state: turnEnd,
    fault: z.optional(keptFault),
  }),
  /** The path goes through this turn, and after it through the turns that were last chosen there. */
  z.object({ ...inTurn, kind: z.literal('branch-chosen') }),
  /** The turn is no longer shown or sent; `false` undoes that. */
  z.object({ ...inTurn, kind: z.literal('turn-deleted'), value: z.boolean() }),
  /** Sent by the user while the model works. */
  z.object({ ...envelope, kind: z.literal('message-queued'), message: id, parts: z.array(promptPart) }),
  z.object({ ...envelope, kind: z.literal('message-withdrawn'), message: id }),
  z.object({ ...envelope, kind: z.literal('title'), text: z.string(), by: z.enum(['model', 'user']) }),
  /**
   * Replaces, in what the model is sent, everything up to the end of `turn`, or up to the end of its first `steps`
   * steps. Another event with the same id changes the text; one without a text removes the summary. Without `extras` a
   * known summary keeps its own.
   */
  z.object({
    ...inTurn,
    kind: z.literal('summary'),
    summary: id,
    steps: z.optional(count),
    text: z.optional(z.string()),
    extras: z.optional(summaryExtras),
  }),
  /** Results of these parts are no longer sent in full. */
  z.object({ ...envelope, kind: z.literal('results-omitted'), parts: z.array(id) }),
  /** The mode, which decides what the model may do without asking the user. */
  z.object({ ...envelope, kind: z.literal('mode'), mode: z.string() }),
  z.object({ ...envelope, kind: z.literal('pinned'), value: z.boolean() }),
  z.object({ ...envelope, kind: z.literal('archived'), value: z.boolean() }),
  z.object({ ...envelope, kind: z.literal('deleted'), value: z.boolean() }),
] as const

const knownEvent = z.discriminatedUnion('kind', knownEvents)
const unknownEvent = z.object({
  ...envelope,
  kind: z.literal('unknown'),
  record: z.record(z.string(), z.unknown()),
})

/** An event between extension and page. */
export const conversationEvent = z.discriminatedUnion('kind', [...knownEvents, unknownEvent])

const anyRecord = z.object({ ...envelope, kind: z.string() })

/**
 * Reads a kept record. A kind or a member that only a later version knows makes an `unknown` event, which holds the
 * record as it was, so that it survives; what is no event at all gives undefined.
 */
export function readEvent(value: unknown): ConversationEvent | undefined {
  const hot = readHotEvent(value)
  if (hot) return hot
  const known = knownEvent.safeParse(value)
  if (known.success) return known.data
  const read = anyRecord.safeParse(value)
  const record = objectOf(value)
  if (!read.success || !record) return undefined
  const { conversation, n, time } = read.data
  return { kind: 'unknown', conversation, n, time, record: { ...record } }
}

/** The record to keep: the inverse of `readEvent`. */
export function recordOf(event: ConversationEvent): JsonObject {
  if (event.kind !== 'unknown') return event
  const { record, conversation, n, time } = event
  return { ...record, conversation, n, time }
}

type WithoutEnvelope<E> = E extends unknown ? Omit<E, 'conversation' | 'n' | 'time'> : never

export type ConversationEvent = Immutable<z.infer<typeof conversationEvent>>
/** An event before the log has numbered it. */
export type EventBody = WithoutEnvelope<Immutable<z.infer<typeof knownEvent>>>
export type DeltaEvent = Extract<ConversationEvent, { offset: number }>
export type EventOf<K extends ConversationEvent['kind']> = Extract<ConversationEvent, { kind: K }>

export type Part = Immutable<z.infer<typeof conversationPart>>
/** A place in a text, as an attachment names it. */
export type LineRange = Immutable<z.infer<typeof textRange>>
export type PromptPart = Immutable<z.infer<typeof promptPart>>
export type SummaryExtras = Immutable<z.infer<typeof summaryExtras>>
export type PartOf<K extends Part['kind']> = Extract<Part, { kind: K }>
export type SealedReasoning = Immutable<z.infer<typeof sealedReasoning>>
export type CallConcern = Immutable<z.infer<typeof callConcern>>
export type CallPreview = Immutable<z.infer<typeof callPreview>>
export type ToolApproval = Immutable<z.infer<typeof toolApproval>>
export type ToolResult = Immutable<z.infer<typeof toolResult>>
export type TurnOrigin = Immutable<z.infer<typeof turnOrigin>>
export type TurnEnd = Immutable<z.infer<typeof turnEnd>>
export type StepEnd = Immutable<z.infer<typeof stepEnd>>
export type TokenUsage = Immutable<z.infer<typeof tokenUsage>>
