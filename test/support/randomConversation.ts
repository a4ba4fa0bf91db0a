// Random conversations for fast-check: mostly what a session would write, with stray and unknown events among it.
import fc from 'fast-check'
import type { ConversationEvent, EventBody, Part, PromptPart } from '../../src/protocol/conversation.ts'
import { type ConversationState, emptyConversation, reduce, turnOf } from '../../src/protocol/conversationState.ts'

export const CONVERSATION = 'conversation-1'

/** With the usual prototype, as what is parsed has. */
const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record<T>(model, { noNullPrototype: true })

/** Few ids, so that events often meet the turn or part of another, and sometimes one that no event has begun. */
const turn = fc.constantFrom('t1', 't2', 't3', 't4', 't5')
const part = fc.constantFrom('p1', 'p2', 'p3', 'p4', 'p5', 'p6')
const message = fc.constantFrom('m1', 'm2')
/** Line ends, halves of surrogate pairs, and what JSON has to escape. */
const text = fc.oneof(
  fc.string({ maxLength: 12, unit: 'grapheme' }),
  fc.constantFrom('', '\n', '\r\n', '\u2028', '\ud83d', '\ude00', '"\\', '\0', '{"kind":"text-delta"}\n'),
)
const value: fc.Arbitrary<unknown> = fc.jsonValue({ maxDepth: 2 }).map(json => JSON.parse(JSON.stringify(json)))
const optional = <T>(name: string, arbitrary: fc.Arbitrary<T>) =>
  fc.option(arbitrary, { nil: undefined }).map(some => (some === undefined ? {} : { [name]: some }))

const promptPart: fc.Arbitrary<PromptPart> = fc.oneof(
  record({ kind: fc.constant('text' as const), id: part, text }),
  record({
    kind: fc.constant('attachment' as const),
    id: part,
    source: fc.constantFrom('file' as const, 'selection' as const),
    name: text,
    sizeChars: fc.nat(),
    text,
  }),
  record({ kind: fc.constant('image' as const), id: part, mediaType: fc.constant('image/png'), base64: text }),
)

const changeSet = record({
  kind: fc.constant('change-set' as const),
  id: part,
  files: fc.constant([
    {
      uri: 'file:///a.ts',
      change: 'modified' as const,
      hunks: 2,
      addedLines: 3,
      removedLines: 1,
      before: null,
      review: 'open' as const,
    },
  ]),
})

const anyPart: fc.Arbitrary<Part> = fc.oneof(
  promptPart,
  changeSet,
  record({ kind: fc.constant('reasoning' as const), id: part, text }),
  record({ kind: fc.constant('notice' as const), id: part, code: text }),
  record({
    kind: fc.constant('tool-call' as const),
    id: part,
    call: text,
    name: text,
    inputText: fc.constant(''),
    isWritten: fc.constant(false),
  }),
)

const sealed = fc.oneof(
  record({
    surface: fc.constant('responses' as const),
    item: record({
      type: fc.constant('reasoning' as const),
      summary: fc.array(value, { maxLength: 2 }),
      encrypted_content: text,
    }),
  }),
  record({
    surface: fc.constant('messages' as const),
    item: record({ type: fc.constant('redacted_thinking' as const), data: text }),
  }),
)

const flag = (kind: 'pinned' | 'archived' | 'deleted') => fc.boolean().map((on): EventBody => ({ kind, value: on }))

const turnStarted = fc
  .tuple(
    turn,
    optional('parent', turn),
    fc.oneof(
      fc.constant({ is: 'new' as const }),
      turn.map(of => ({ is: 'retry' as const, of })),
      turn.map(of => ({ is: 'edit' as const, of })),
    ),
    optional('prompt', fc.array(promptPart, { maxLength: 3 })),
    optional('queued', message),
  )
  .map(
    ([id, parent, origin, prompt, queued]): EventBody => ({
      kind: 'turn-started',
      turn: id,
      origin,
      ...parent,
      ...prompt,
      ...queued,
    }),
  )

const aboutTurn: fc.Arbitrary<EventBody> = fc.oneof(
  { weight: 3, arbitrary: turnStarted },
  fc
    .tuple(turn, optional('queued', fc.array(message, { maxLength: 2 })))
    .map(([id, queued]): EventBody => ({ kind: 'step-started', turn: id, model: 'model-1', ...queued })),
  record({ kind: fc.constant('part-started' as const), turn, value: anyPart }),
  record({ kind: fc.constant('change-set' as const), turn, value: changeSet }),
  fc
    .tuple(turn, fc.constantFrom('done' as const, 'tools' as const, 'broken' as const))
    .map(([id, why]): EventBody => ({ kind: 'step-ended', turn: id, why, usage: { input: 3, output: 4 } })),
  fc
    .tuple(turn, fc.constantFrom('done' as const, 'stopped' as const, 'interrupted' as const, 'failed' as const))
    .map(([id, state]): EventBody => ({ kind: 'turn-ended', turn: id, state })),
  record({ kind: fc.constant('branch-chosen' as const), turn }),
  record({ kind: fc.constant('turn-deleted' as const), turn, value: fc.boolean() }),
  fc
    .tuple(turn, optional('text', text), optional('steps', fc.nat({ max: 3 })))
    .map(([id, words, steps]): EventBody => ({ kind: 'summary', turn: id, summary: 's1', ...words, ...steps })),
)

/** A few pieces of one part, one after the other. */
const deltas: fc.Arbitrary<EventBody[]> = fc
  .tuple(
    fc.constantFrom('text-delta' as const, 'reasoning-delta' as const, 'tool-input-delta' as const),
    fc.constantFrom('t1', 't2'),
    fc.constantFrom('p1', 'p2', 'p3'),
    fc.array(text, { minLength: 1, maxLength: 5 }),
  )
  .map(([kind, id, of, texts]) =>
    texts.map((words): EventBody => ({ kind, turn: id, part: of, offset: 0, text: words })),
  )

const aboutPart: fc.Arbitrary<EventBody> = fc.oneof(
  fc
    .tuple(turn, part, optional('sealed', sealed))
    .map(([id, of, some]): EventBody => ({ kind: 'part-ended', turn: id, part: of, ...some })),
  record({ kind: fc.constant('tool-call' as const), turn, part, input: value }),
  record({
    kind: fc.constant('tool-approval' as const),
    turn,
    part,
    approval: record({ state: fc.constantFrom('asked' as const, 'allowed' as const, 'denied' as const) }),
  }),
  record({
    kind: fc.constant('tool-result' as const),
    turn,
    part,
    result: record({
      outcome: fc.constantFrom('ok' as const, 'error' as const, 'stopped' as const),
      content: fc.array(record({ kind: fc.constant('text' as const), text }), { maxLength: 2 }),
    }),
  }),
)

const aboutAll: fc.Arbitrary<EventBody> = fc.oneof(
  fc.constant<EventBody>({ kind: 'created', workspace: 'file:///project' }),
  record({
    kind: fc.constant('message-queued' as const),
    message,
    parts: fc.array(promptPart, { minLength: 1, maxLength: 2 }),
  }),
  record({ kind: fc.constant('message-withdrawn' as const), message }),
  record({ kind: fc.constant('title' as const), text, by: fc.constantFrom('model' as const, 'user' as const) }),
  record({ kind: fc.constant('results-omitted' as const), parts: fc.array(part, { maxLength: 2 }) }),
  record({ kind: fc.constant('mode' as const), mode: text }),
  flag('pinned'),
  flag('archived'),
  flag('deleted'),
)

/** Bodies of events in any order. */
export const eventBodies: fc.Arbitrary<EventBody[]> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: aboutTurn.map(body => [body]) },
      { weight: 4, arbitrary: aboutPart.map(body => [body]) },
      { weight: 4, arbitrary: deltas },
      { weight: 1, arbitrary: aboutAll.map(body => [body]) },
    ),
    { maxLength: 30 },
  )
  .map(bodies => bodies.flat())

/** Those bodies numbered, each piece at the end of its part; every tenth event is of an unknown kind. */
export const conversations: fc.Arbitrary<ConversationEvent[]> = eventBodies.map(bodies => {
  let state = emptyConversation(CONVERSATION)
  return bodies.map((body, at) => {
    const event = numbered(body, at + 1, state)
    state = reduce(state, event)
    return event
  })
})

function numbered(body: EventBody, n: number, state: ConversationState): ConversationEvent {
  const envelope = { conversation: CONVERSATION, n, time: 1_000 + n * 10 }
  if (n % 10 === 0) return { kind: 'unknown', ...envelope, record: { kind: 'hologram', ...envelope, size: n } }
  return 'offset' in body ? { ...body, ...envelope, offset: lengthOf(state, body) } : { ...body, ...envelope }
}

function lengthOf(state: ConversationState, delta: { readonly turn: string; readonly part: string }): number {
  const parts = turnOf(state, delta.turn)?.steps.flatMap(step => step.parts) ?? []
  const found = parts.findLast(({ id }) => id === delta.part)
  if (found?.kind === 'tool-call') return found.inputText.length
  return found && 'text' in found ? (found.text?.length ?? 0) : 0
}
