// `membersIn` and `elementsIn`: where the values of a JSON text stand, so that one can be replaced and the rest kept as it is.
import type { TextRange } from './replacement.ts'

/** By name, the values of the object that begins at `start`. `text` must be valid JSON. */
export function membersIn(text: string, start: number): ReadonlyMap<string, TextRange> {
  const members = new Map<string, TextRange>()
  let at = afterSpace(text, start + 1)
  while (text[at] === '"') {
    const end = valueEnd(text, at)
    const name: unknown = JSON.parse(text.slice(at, end))
    const value = valueAt(text, afterSpace(text, end) + 1)
    members.set(String(name), value)
    at = afterComma(text, value.end)
  }
  return members
}

/** The values of the array that begins at `start`. `text` must be valid JSON. */
export function elementsIn(text: string, start: number): readonly TextRange[] {
  const elements: TextRange[] = []
  let at = afterSpace(text, start + 1)
  while (at < text.length && text[at] !== ']') {
    const value = valueAt(text, at)
    elements.push(value)
    at = afterComma(text, value.end)
  }
  return elements
}

/** The value that begins at `from` or after white space there. */
export function valueAt(text: string, from: number): TextRange {
  const start = afterSpace(text, from)
  return { start, end: valueEnd(text, start) }
}

function valueEnd(text: string, start: number): number {
  if (text[start] === '"') return stringEnd(text, start)
  return text[start] === '{' || text[start] === '[' ? nestedEnd(text, start) : literalEnd(text, start)
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '"') return at + 1
    if (text[at] === '\\') at++
  }
  return text.length
}

function nestedEnd(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const letter = text[at]
    if (letter === '"') at = stringEnd(text, at) - 1
    else if (letter === '{' || letter === '[') depth++
    else if (letter === '}' || letter === ']') depth--
    if (depth === 0) return at + 1
  }
  return text.length
}

function literalEnd(text: string, start: number): number {
  let at = start
  while (at < text.length && !/[\s,\]}]/.test(text.charAt(at))) at++
  return at
}

function afterSpace(text: string, from: number): number {
  let at = from
  while (/\s/.test(text.charAt(at))) at++
  return at
}

function afterComma(text: string, end: number): number {
  const at = afterSpace(text, end)
  return text[at] === ',' ? afterSpace(text, at + 1) : at
}
