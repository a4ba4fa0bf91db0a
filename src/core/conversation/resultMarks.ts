// `markedResult`: the result of a call between lines that name its source and its end, which text in it cannot close; `isInstruction`.
import type { PartOf, ToolResult } from '../../protocol/conversation.ts'
import { objectOf } from '../../protocol/json.ts'

type Content = ToolResult['content']

/**
 * What was read or printed is data, and is sent between two lines; the second has a word that only this conversation has.
 * Instruction files, and what Kourier itself adds to a result, are sent after them. The same for the same result in
 * each request, because services cache requests by their beginning.
 */
export function markedResult(conversation: string, { name, input }: PartOf<'tool-call'>, result: ToolResult): Content {
  const { outcome, content } = result
  if (outcome === 'denied' || outcome === 'stopped' || outcome === 'interrupted') return content
  const end = endMark(conversation)
  const data = content.filter(part => !isInstruction(part))
  if (data.length === 0) return content
  const first = { kind: 'text', text: `Data from ${name}${sourceOf(input, end)}, up to ${end}:` } as const
  const last = { kind: 'text', text: end } as const
  const rest = content.filter(isInstruction)
  return joined([first, ...data.map(part => withoutMark(part, end)), last, ...rest])
}

export function isInstruction(part: Content[number]): boolean {
  return part.kind === 'text' && part.isInstruction === true
}

/** The arguments that name where the data comes from. */
const SOURCES = ['path', 'from', 'command', 'pattern', 'id', 'task']
const MOST_SOURCE_CHARS = 200

function sourceOf(input: unknown, end: string): string {
  const given = objectOf(input) ?? {}
  const value = SOURCES.map(name => given[name]).find(one => typeof one === 'string' && one !== '')
  return typeof value === 'string' ? ` ${JSON.stringify(unmarked(value.slice(0, MOST_SOURCE_CHARS), end))}` : ''
}

function withoutMark(part: Content[number], end: string): Content[number] {
  return part.kind === 'text' ? { kind: 'text', text: unmarked(part.text, end) } : part
}

const unmarked = (text: string, end: string) => text.replaceAll(end, 'end-…')

/** Texts that follow each other are one, line by line, because not every surface separates them. */
function joined(parts: Content): Content {
  const all: Content[number][] = []
  for (const part of parts) {
    const before = all.at(-1)
    if (part.kind === 'text' && before?.kind === 'text')
      all[all.length - 1] = { kind: 'text', text: `${before.text}\n${part.text}` }
    else all.push(part.kind === 'text' ? { kind: 'text', text: part.text } : part)
  }
  return all
}

/** Made of the id of the conversation, which is random, and which nobody can compute from the mark. */
export function endMark(conversation: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < conversation.length; at++) {
    const unit = conversation.charCodeAt(at)
    high = Math.imul(high ^ unit, 2_654_435_761)
    low = Math.imul(low ^ unit, 1_597_334_677)
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  return `end-${(high >>> 0).toString(36)}${(low >>> 0).toString(36)}`
}
