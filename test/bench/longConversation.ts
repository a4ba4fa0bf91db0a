// A conversation of so many turns, as events and as a journal file.
import type { ConversationEvent, EventBody } from '../../src/protocol/conversation.ts'
import { longMarkdown } from './longMarkdown.ts'

const ANSWER_CHARS = 800

/** Each answer came in two pieces; the last one is still running if `isOpen`. */
export function longConversation(conversation: string, turns: number, isOpen = false): ConversationEvent[] {
  const text = longMarkdown(turns * 100 + ANSWER_CHARS)
  const bodies = Array.from({ length: turns }, (_, at) =>
    turnOf(at, text.slice(at * 100, at * 100 + ANSWER_CHARS), isOpen && at === turns - 1),
  )
  const all: EventBody[] = [{ kind: 'created' }, ...bodies.flat()]
  return all.map((body, at) => ({ ...body, conversation, n: at + 1, time: 1_767_225_600_000 + at }))
}

/** As long as the ids that the extension makes. */
export const turnId = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
export const partId = (at: number) => `11111111-0000-4000-8000-${String(at).padStart(12, '0')}`

function turnOf(at: number, text: string, isOpen: boolean): EventBody[] {
  const [turn, part] = [turnId(at), partId(at)]
  const prompt = [
    { kind: 'text', id: `${turn}-p`, text: `Question ${at} about the delays of the parcel desk` },
  ] as const
  const half = Math.floor(text.length / 2)
  const delta = { kind: 'text-delta', turn, part } as const
  const ends: EventBody[] = [
    { kind: 'part-ended', turn, part },
    { kind: 'step-ended', turn, why: 'done', usage: { input: 200, output: 200 } },
    { kind: 'turn-ended', turn, state: 'done' },
  ]
  return [
    { kind: 'turn-started', turn, ...(at > 0 && { parent: turnId(at - 1) }), origin: { is: 'new' }, prompt },
    { kind: 'step-started', turn, model: 'kourier-1-0815' },
    { kind: 'part-started', turn, value: { kind: 'text', id: part, text: '' } },
    ...(isOpen
      ? []
      : [
          { ...delta, offset: 0, text: text.slice(0, half) },
          { ...delta, offset: half, text: text.slice(half) },
        ]),
    ...(isOpen ? [] : ends),
  ]
}
