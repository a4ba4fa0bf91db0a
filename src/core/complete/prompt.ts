// `completionRequest`: the model request for a snapshot, with snippets of other documents.
import type { ModelMessage, ModelRequest } from '../model/modelClient.ts'
import { textMessage } from '../model/textMessage.ts'
import { type DocumentSnapshot, splitAtCursor } from '../workspace/documentSnapshot.ts'
import type { Snippet } from './snippetSelector.ts'
import type { Shape } from './trigger.ts'

const BEFORE_CHARS = 6_000
const AFTER_CHARS = 1_500
const MAX_TOKENS = 160
const MAX_TOKENS_OF_REST = 64

/**
 * Ordered from what stays to what changes, so that a server with a prefix cache can reuse most of the prompt: rules and
 * examples, other files, the code below the cursor, and last the code above it, where the user types.
 */
export function completionRequest(
  model: string,
  snapshot: DocumentSnapshot,
  snippets: readonly Snippet[],
  shape: Shape,
): ModelRequest {
  const context = snippets
    .map(({ path, text }) => `<context path="${attribute(path)}">\n${text}\n</context>\n`)
    .join('')
  return {
    model,
    system,
    messages: [...examples, textMessage('user', context + fileWithHole(snapshot))],
    // A line end cannot be a stop sequence, because answers may begin with one.
    stop: ['</insert>'],
    temperature: 0,
    maxTokens: shape === 'rest' ? MAX_TOKENS_OF_REST : MAX_TOKENS,
    lane: 'completion',
  }
}

const system = `You complete code at the cursor, which is marked ▮.
Reply with <insert>…</insert> and nothing else: no explanation, no code fence, no thinking.
The text between the tags is put in place of ▮ as it is. It begins where the text before ▮ ends, in the middle of a word if need be, and does not repeat the text before or after ▮. Keep to the file's style and indentation. Close only what is not closed already.
Prefer a short sure text to a long guess. Reply <insert></insert> if nothing fits.`

const request =
  'Reply with <insert>…</insert> holding only the text that goes at ▮. Do not repeat text before or after it. Reply <insert></insert> if nothing fits.'

function fileWithHole(snapshot: DocumentSnapshot): string {
  const { prefix, lineAfter, suffix } = splitAtCursor(snapshot)
  const after = windowAfter(suffix.slice(lineAfter.length + 1))
  return hole(snapshot.path, snapshot.language, `${windowBefore(prefix)}▮${lineAfter}`, after)
}

function hole(path: string, language: string, around: string, after: string): string {
  return `<file path="${attribute(path)}" language="${attribute(language)}">
<after_cursor>
${after}
</after_cursor>
<before_cursor>
${around}</before_cursor>
</file>
${request}`
}

/** A file's name is untrusted, so it must not be able to close its attribute or its tag. */
const attribute = (text: string) => text.replace(/["<>\n\r]/g, '_')

/**
 * The window begins at a line whose number is a multiple of 64 and stays there until it is a quarter over its limit, so
 * that while typing only its end changes. Where lines are long the steps are smaller.
 */
export function windowBefore(prefix: string): string {
  const limit = BEFORE_CHARS * 1.25
  if (prefix.length <= limit) return prefix
  const starts = lineStarts(prefix)
  for (const step of [64, 16, 4, 1]) {
    const start = starts.find((start, line) => line % step === 0 && prefix.length - start <= limit)
    if (start !== undefined && prefix.length - start >= BEFORE_CHARS / 2) return prefix.slice(start)
  }
  return prefix.slice(-BEFORE_CHARS)
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Starts at the next line, so that an auto-closed bracket changes nothing here; a multiple of 16 lines where possible. */
export function windowAfter(below: string): string {
  const lines = below.slice(0, AFTER_CHARS + 1).split('\n')
  if (below.length <= AFTER_CHARS) return below.trimEnd()
  const whole = lines.length - 1
  const count = whole >= 16 ? whole - (whole % 16) : whole
  return count === 0 ? below.slice(0, AFTER_CHARS) : lines.slice(0, count).join('\n')
}

/** The same bytes for all files, so that a prefix cache applies across files. */
const examples: readonly ModelMessage[] = [
  ...example('src/shop.ts', 'typescript', '  const total = sum(items.▮)', '}', 'map(item => item.price)'),
  ...example(
    'stats.py',
    'python',
    'def mean(values):\n    ▮',
    '\n\nprint(mean([1, 2]))',
    'return sum(values) / len(values)',
  ),
  ...example(
    'src/list.rs',
    'rust',
    '// Appends one entry and retu▮',
    'fn push(&mut self) -> usize {',
    'rns the new length.',
  ),
  ...example('index.js', 'javascript', "import fs from 'node:fs'▮", '', ''),
]

function example(path: string, language: string, around: string, after: string, answer: string): ModelMessage[] {
  return [
    textMessage('user', hole(path, language, around, after)),
    textMessage('assistant', `<insert>${answer}</insert>`),
  ]
}
