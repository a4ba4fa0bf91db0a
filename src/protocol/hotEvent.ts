// `readHotEvent`: reads the frequent kinds of events without a schema, many times as fast.
import type { ConversationEvent, StepEnd, TurnEnd } from './conversation.ts'
import { type JsonObject, objectOf } from './json.ts'

/**
 * The value itself if it is an event of a frequent kind, with its members and no others. Undefined for everything else,
 * which the schema has to judge. What this accepts the schema accepts as well, and makes the same event of it.
 */
export function readHotEvent(value: unknown): ConversationEvent | undefined {
  const record = objectOf(value)
  if (!record || !isId(record['conversation']) || !isPositive(record['n']) || !isNumber(record['time']))
    return undefined
  const isHot = shapes.get(record['kind'])?.(record) ?? false
  // as: each shape has checked every member of its kind.
  return isHot ? (record as unknown as ConversationEvent) : undefined
}

/** The members that each event has: `kind`, `conversation`, `n` and `time`. */
const ENVELOPE = 4
const LONGEST_ID = 200

type Shape = (record: JsonObject) => boolean

const shapes: ReadonlyMap<unknown, Shape> = new Map<ConversationEvent['kind'], Shape>([
  ['text-delta', isDeltaShape],
  ['reasoning-delta', isDeltaShape],
  ['tool-input-delta', isDeltaShape],
  ['turn-started', isNewQuestion],
  ['step-started', record => isId(record['turn']) && isText(record['model']) && hasMembers(record, 2)],
  ['part-started', record => isId(record['turn']) && isTextPart(record['value']) && hasMembers(record, 2)],
  ['part-ended', record => isId(record['turn']) && isId(record['part']) && hasMembers(record, 2)],
  ['step-ended', isStepEnd],
  ['turn-ended', record => isId(record['turn']) && turnEnds.has(record['state']) && hasMembers(record, 2)],
])

const stepEnds: ReadonlySet<unknown> = new Set<StepEnd>(['done', 'tools', 'length'])
const turnEnds: ReadonlySet<unknown> = new Set<TurnEnd>(['done', 'stopped', 'interrupted', 'failed'])

function isDeltaShape(record: JsonObject): boolean {
  const isPiece = isId(record['turn']) && isId(record['part']) && isCount(record['offset']) && isText(record['text'])
  const { first } = record
  return isPiece && (first === undefined || isPositive(first)) && hasMembers(record, first === undefined ? 4 : 5)
}

function isNewQuestion(record: JsonObject): boolean {
  const { parent, prompt } = record
  const isNew = isId(record['turn']) && objectOf(record['origin'])?.['is'] === 'new' && keys(record['origin']) === 1
  const isAsked = isNew && Array.isArray(prompt) && prompt.every(isTextPart)
  return isAsked && (parent === undefined || isId(parent)) && hasMembers(record, parent === undefined ? 3 : 4)
}

function isStepEnd(record: JsonObject): boolean {
  const { usage } = record
  const isEnd = isId(record['turn']) && stepEnds.has(record['why'])
  return isEnd && (usage === undefined || isUsage(usage)) && hasMembers(record, usage === undefined ? 2 : 3)
}

function isUsage(value: unknown): boolean {
  const usage = objectOf(value)
  return usage !== undefined && isNumber(usage['input']) && isNumber(usage['output']) && keys(usage) === 2
}

function isTextPart(value: unknown): boolean {
  const part = objectOf(value)
  return part !== undefined && part['kind'] === 'text' && isId(part['id']) && isText(part['text']) && keys(part) === 3
}

function hasMembers(record: JsonObject, count: number): boolean {
  return keys(record) === ENVELOPE + count
}

function keys(value: unknown): number {
  return Object.keys(objectOf(value) ?? {}).length
}

const isText = (value: unknown) => typeof value === 'string'
const isId = (value: unknown) => typeof value === 'string' && value.length > 0 && value.length <= LONGEST_ID
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0
const isPositive = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 1
const isNumber = Number.isFinite
