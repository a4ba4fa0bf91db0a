// `completionRequest`: the model request for a snapshot, from the parts that `promptParts` takes from documents.
import type { ModelMessage, ModelRequest } from '../model/modelClient.ts'
import { textMessage } from '../model/textMessage.ts'
import { type DocumentSnapshot, splitAtCursor } from '../workspace/documentSnapshot.ts'
import { contextBudget } from './contextBudget.ts'
import { fillInPrompt, fillInStops, fillInSystem } from './fillInPrompt.ts'
import { type PartTag, type PromptMarks, usualMarks } from './promptMarks.ts'
import { type GatheredParts, nothingGathered } from './promptSources.ts'
import { type Snippet, sizeOf } from './snippetSelector.ts'
import type { Shape } from './trigger.ts'

const BEFORE_CHARS = 6_000
const AFTER_CHARS = 1_500
/**
 * How a model is asked. `tokens`: by tokens that it was trained to fill in text between. `prefill`: the request has the
 * beginning of the answer, which is its opening tag. `hole`: by rules and examples alone, which every model understands.
 */
export const promptModes = ['tokens', 'prefill', 'hole'] as const
export type PromptMode = (typeof promptModes)[number]

/** Above what the wanted lines need: the client stops reading before. */
const maxTokens: Readonly<Record<Shape, number>> = { rest: 64, line: 128, block: 192 }

/** Text of documents, as the prompt shows it. */
export interface PromptParts {
  readonly path: string
  readonly language: string
  readonly snippets: readonly Snippet[]
  /** The lines above the cursor, and its own as far as the cursor. */
  readonly before: string
  readonly restOfLine: string
  readonly below: string
  /** What the user has changed lately, as diffs; the oldest first. */
  readonly edits: readonly string[]
  /** Near the cursor. */
  readonly problems: readonly string[]
  /** What the user has copied lately. */
  readonly copied: string
}

export function promptParts(
  snapshot: DocumentSnapshot,
  snippets: readonly Snippet[],
  gathered: GatheredParts = nothingGathered,
): PromptParts {
  const { prefix, lineAfter, suffix } = splitAtCursor(snapshot)
  return {
    path: snapshot.path,
    language: snapshot.language,
    snippets: [...gathered.declarations, ...gathered.cells, ...snippets],
    before: windowBefore(prefix),
    restOfLine: lineAfter,
    below: windowAfter(suffix.slice(lineAfter.length + 1)),
    ...recentParts(gathered),
  }
}

/** As far as there is room: the newest edits, then problems, then what was copied. */
function recentParts(gathered: GatheredParts): Pick<PromptParts, 'edits' | 'problems' | 'copied'> {
  let room = contextBudget.recent
  const fits = (text: string) => {
    if (text.length > room) return false
    room -= text.length
    return true
  }
  const edits = gathered.edits.toReversed().filter(fits).reverse()
  const problems = gathered.problems.filter(fits)
  return { edits, problems, copied: fits(gathered.copied) ? gathered.copied : '' }
}

/** Without the document itself. */
export function contextCharsOf({ snippets, edits, problems, copied }: PromptParts): number {
  return [...snippets.map(({ text }) => text), ...edits, ...problems, copied].join('').length
}

/** The most valuable parts: the first of other files, the last edits. */
export function withHalfContext(parts: PromptParts): PromptParts {
  const room = contextCharsOf(parts) / 2
  const snippets = parts.snippets.filter((_, at) => sizeOf(parts.snippets.slice(0, at + 1)) <= room)
  return { ...parts, snippets, edits: parts.edits.slice(-2), copied: '' }
}

/** All texts that come from outside; the mark and the tags of the prompt must not occur in them. */
export function textsOf(parts: PromptParts): readonly string[] {
  const { path, language, snippets, before, restOfLine, below, edits, problems, copied } = parts
  const near = [...edits, ...problems, copied]
  const others = snippets.flatMap(({ path, text }) => [path, text])
  return [...others, path, language, below, ...near, before + restOfLine]
}

/**
 * Ordered from what stays to what changes, so that a server with a prefix cache can reuse most of the prompt: rules and
 * examples, other files, the code below the cursor, and last the code above it, where the user types.
 */
export function completionRequest(
  model: string,
  parts: PromptParts,
  shape: Shape,
  { marks = usualMarks, mode = 'hole' }: { readonly marks?: PromptMarks; readonly mode?: PromptMode } = {},
): ModelRequest {
  const limits = { temperature: 0, maxTokens: maxTokens[shape], lane: 'completion' } as const
  // Elsewhere a line end cannot be a stop sequence, because answers may begin with one.
  const lineEnd = shape === 'rest' && mode !== 'hole' ? ['\n'] : []
  if (mode === 'tokens') {
    const messages = [textMessage('user', fillInPrompt(parts))]
    return { model, system: fillInSystem, messages, stop: [...fillInStops, ...lineEnd], ...limits }
  }
  const system = systemText(marks)
  const stop = [marks.closing, ...lineEnd]
  const messages = [...examples(marks), textMessage('user', hole(parts, shape, marks))]
  if (mode === 'hole') return { model, system, messages, stop, ...limits }
  // Only the tag: a model that is also given the text before the cursor argues with itself about it.
  const begun = [...messages, textMessage('assistant', marks.opening)]
  return { model, system, messages: begun, continuesAnswer: true, stop, ...limits }
}

const systemText = ({ cursor, opening, closing }: PromptMarks) => `You complete code at the cursor.
A file has a hole at the cursor, marked ${cursor}. Your text is put there character for character: begin with a space or a line end if one belongs there, and with neither if not. After "return" write " total", after "ret" write "urn total".
The lines below the cursor's line are shown first. The lines above it and the cursor's line are shown last.
Parts of other files, the user's last edits, problems near the cursor and what the user has copied may come before. Go on with what the edits have begun.
The last line of the request says how much is wanted. Prefer a short sure text to a long guess.
Close only what is not closed. Never write what stands right of ${cursor} or below it, and do not repeat what stands before it. Keep to the file's style and indentation.
Reply with ${opening}…${closing} and nothing else: no explanation, no code fence, no thinking. Reply ${opening}${closing} if nothing fits.`

/** How much is wanted; the last thing that the model reads. */
const closings: Readonly<Record<Shape, string>> = {
  rest: 'the rest of this line only.',
  line: 'this line, and the next two if they are sure.',
  block: 'the whole block, at most six lines.',
}

/** The cursor's line is in one part with those above it, so that a new line changes only the end of the prompt. */
function hole(parts: PromptParts, shape: Shape, marks: PromptMarks): string {
  const { path, language, snippets, before, restOfLine, below, edits, problems, copied } = parts
  const context = snippets.map(snippet =>
    marks.part('context', ` path="${attribute(snippet.path)}"`, `${snippet.text}\n`),
  )
  const file =
    marks.part('below_cursor_line', '', `${below}\n`) +
    partOf('recent_edits', edits) +
    partOf('problems', problems) +
    partOf('copied', copied === '' ? [] : [copied]) +
    marks.part('through_cursor_line', '', before + marks.cursor + restOfLine)
  function partOf(name: PartTag, texts: readonly string[]): string {
    return texts.length === 0 ? '' : marks.part(name, '', `${texts.join('\n')}\n`)
  }
  const names = ` path="${attribute(path)}" language="${attribute(language)}"`
  return `${context.join('')}${marks.part('file', names, file)}At ${marks.cursor}: ${closings[shape]}`
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

interface Example extends Pick<PromptParts, 'path' | 'language' | 'before'> {
  readonly snippets?: readonly Snippet[]
  readonly restOfLine?: string
  readonly below?: string
  readonly shape: Shape
  readonly answer: string
}

/** Each shows one fault and how to avoid it. */
const faultExamples: readonly Example[] = [
  // A name that is not in the file: another file declares it.
  {
    snippets: [{ path: 'src/money.ts', text: 'export function inCents(euros: number): number {' }],
    path: 'src/price.ts',
    language: 'typescript',
    before: "import { inCents } from './money.ts'\n\nexport const fee = ",
    shape: 'line',
    answer: 'inCents(2.5)',
  },
  // A closer right of the cursor is not written again.
  {
    path: 'src/shop.ts',
    language: 'typescript',
    before: '  const total = sum(items.',
    restOfLine: ')',
    below: '  return total\n}',
    shape: 'line',
    answer: 'map(item => item.price)',
  },
  // The first line of a body has its indentation already; the others bring theirs.
  {
    path: 'stats.py',
    language: 'python',
    before: 'def mean(values):\n    ',
    below: '\n\nprint(mean([1, 2]))',
    shape: 'block',
    answer: 'if not values:\n        return 0\n    return sum(values) / len(values)',
  },
  // Behind a finished word comes a space.
  {
    path: 'src/list.rs',
    language: 'rust',
    before: '// Appends one entry and returns',
    below: 'fn push(&mut self, entry: Entry) -> usize {',
    shape: 'rest',
    answer: ' the new length.',
  },
  // Inside a word comes its end, without the beginning.
  {
    path: 'count.go',
    language: 'go',
    before: 'func count(words []string) int {\n\tret',
    below: '}',
    shape: 'line',
    answer: 'urn len(words)',
  },
  // Behind a finished line comes a line end.
  {
    path: 'index.js',
    language: 'javascript',
    before: 'const server = createServer(answer)',
    shape: 'line',
    answer: '\nserver.listen(8080)',
  },
  // What would fit is there already, below.
  {
    path: 'area.js',
    language: 'javascript',
    before: 'function area(width, height) {\n  const size = width * height\n  ',
    below: '  return size\n}',
    shape: 'line',
    answer: '',
  },
]

const nothingElse = { snippets: [], restOfLine: '', below: '', edits: [], problems: [], copied: '' }

/** The same bytes for all files, so that a prefix cache applies across files. */
function examples(marks: PromptMarks): readonly ModelMessage[] {
  return faultExamples.flatMap(({ shape, answer, ...given }) => [
    textMessage('user', hole({ ...nothingElse, ...given }, shape, marks)),
    textMessage('assistant', marks.opening + answer + marks.closing),
  ])
}
