// `applyUnifiedDiff`: applies a unified diff by its lines, because models write wrong line numbers.
import { type CodeLine, codeLines } from './codeLine.ts'
import { findLines } from './findLines.ts'

interface DiffHunk {
  /** Context and removed lines. */
  readonly before: readonly string[]
  /** Context and added lines. */
  readonly after: readonly string[]
}

/** Whether a block is a diff: by its language, or by its hunk heads or changed lines. */
export function isUnifiedDiff(block: string, language: string): boolean {
  if (/^@@ .*@@/m.test(block) || /^--- .+\n\+\+\+ .+/m.test(block)) return true
  return /^(?:diff|patch)$/i.test(language) && /^[+-]/m.test(block)
}

/** The text with all hunks applied; undefined where one of them has no place or several. */
export function applyUnifiedDiff(text: string, diff: string): string | undefined {
  const hunks = hunksOf(diff)
  if (hunks.length === 0) return undefined
  let lines = codeLines(text)
  let from = 0
  for (const hunk of hunks) {
    const applied = applyHunk(lines, hunk, from)
    if (!applied) return undefined
    ;({ lines, from } = applied)
  }
  return lines.map(({ raw }) => raw).join('\n')
}

/** The path of the file in the head of the diff. */
export function diffPath(diff: string): string | undefined {
  const heads = [/^\+\+\+ (?:b\/)?([^\t\n]+)/m, /^--- (?:a\/)?([^\t\n]+)/m, /^diff --git a\/\S+ b\/(\S+)$/m]
  const paths = heads.flatMap(head => head.exec(diff)?.[1]?.trim() ?? [])
  return paths.find(path => path !== NO_FILE)
}

/** What a diff has where a file is made or deleted. */
const NO_FILE = '/dev/null'

/** A part of a diff that is about one file. */
export interface FileDiff {
  readonly text: string
  readonly is: 'change' | 'creation' | 'deletion'
}

/** In the order of the diff; what is before the first head belongs to it. */
export function fileDiffs(diff: string): readonly FileDiff[] {
  const lines = diff.replace(/\r\n?/g, '\n').split('\n')
  const starts = lines.flatMap((_, at) => (beginsFile(lines, at) ? [at] : []))
  const bounds = [0, ...starts.slice(1), lines.length]
  return bounds.slice(1).map((end, index) => fileDiff(lines.slice(bounds[index], end).join('\n')))
}

function fileDiff(text: string): FileDiff {
  if (/^--- \/dev\/null|^new file mode /m.test(text)) return { text, is: 'creation' }
  return { text, is: /^\+\+\+ \/dev\/null|^deleted file mode /m.test(text) ? 'deletion' : 'change' }
}

/** The head of Git, or the two paths before a hunk, where Git's is not above them: a hunk may have such lines too. */
function beginsFile(lines: readonly string[], at: number): boolean {
  if (/^diff --git /.test(lines[at] ?? '')) return true
  const [from, to, hunk] = lines.slice(at, at + 3)
  if (!from?.startsWith('--- ') || !to?.startsWith('+++ ') || !hunk?.startsWith('@@')) return false
  // Git's own head would have begun the file.
  return !GIT_HEAD.test(lines[at - 1] ?? '')
}

/** A line that Git writes above the two paths. */
const GIT_HEAD = /^(?:diff --git |index [\da-f]+\.\.|(?:new|deleted) file mode |(?:old|new) mode |similarity |rename )/

/** The text of a file that a diff makes; undefined where it needs lines that are there. */
export function createdText(diff: string): string | undefined {
  const hunks = hunksOf(diff.replace(/\r\n?/g, '\n'))
  const isNew = hunks.length > 0 && hunks.every(({ before }) => before.every(line => line.trim() === ''))
  return isNew ? hunks.flatMap(({ after }) => after).join('\n') : undefined
}

function hunksOf(diff: string): DiffHunk[] {
  const body = diff.replace(/\n$/, '').split('\n')
  const hunks: { before: string[]; after: string[] }[] = []
  for (const [at, line] of body.entries()) {
    if (line.startsWith('@@')) hunks.push({ before: [], after: [] })
    else if (!isFileHead(line, body, at)) addLine(hunks, line)
  }
  return hunks.filter(({ before, after }) => before.join('\n') !== after.join('\n'))
}

function isFileHead(line: string, lines: readonly string[], at: number): boolean {
  return (
    GIT_HEAD.test(line) ||
    line.startsWith('\\ No newline') ||
    (/^--- /.test(line) && /^\+\+\+ /.test(lines[at + 1] ?? '')) ||
    (/^\+\+\+ /.test(line) && /^--- /.test(lines[at - 1] ?? ''))
  )
}

function addLine(hunks: { before: string[]; after: string[] }[], line: string): void {
  if (hunks.length === 0) hunks.push({ before: [], after: [] })
  const hunk = hunks.at(-1)
  const text = /^[ +-]/.test(line) ? line.slice(1) : line
  if (!line.startsWith('+')) hunk?.before.push(text)
  if (!line.startsWith('-')) hunk?.after.push(text)
}

/** Context lines keep the bytes of the file. */
function applyHunk(lines: readonly CodeLine[], { before, after }: DiffHunk, from: number) {
  const wanted = trimmedOfBlank(before)
  const cutHead = before.findIndex(line => line.trim() !== '')
  if (wanted.length === 0) return lines.every(({ key }) => key === '') ? { lines: linesOf(after), from: 0 } : undefined
  const at = findLines(lines, codeLines(wanted.join('\n')), from) ?? findLines(lines, codeLines(wanted.join('\n')), 0)
  if (at === undefined) return alreadyThere(lines, after)
  const cutTail = before.length - cutHead - wanted.length
  const head = Math.min(
    cutHead,
    after.findIndex(line => line.trim() !== ''),
  )
  const added = after.slice(Math.max(0, head), after.length - (endsBlank(after, cutTail) ? cutTail : 0))
  const own = lines.slice(at, at + wanted.length)
  const placed = withOwnLines(own, added)
  return { lines: [...lines.slice(0, at), ...placed, ...lines.slice(at + wanted.length)], from: at + placed.length }
}

const endsBlank = (lines: readonly string[], count: number) =>
  count > 0 && lines.slice(lines.length - count).every(line => line.trim() === '')

function alreadyThere(lines: readonly CodeLine[], after: readonly string[]) {
  const at = findLines(lines, codeLines(trimmedOfBlank(after).join('\n')), 0)
  return at === undefined ? undefined : { lines, from: at }
}

const linesOf = (texts: readonly string[]) => codeLines(texts.join('\n'))

function trimmedOfBlank(lines: readonly string[]): readonly string[] {
  const from = lines.findIndex(line => line.trim() !== '')
  const to = lines.findLastIndex(line => line.trim() !== '')
  return from < 0 ? [] : lines.slice(from, to + 1)
}

/** The lines that the file has already, in their order, with its own white space; the others as far in as they are. */
function withOwnLines(own: readonly CodeLine[], added: readonly string[]): CodeLine[] {
  const wanted = codeLines(added.join('\n'))
  const first = wanted.find(({ key }) => own.some(line => line.key === key && key !== ''))
  const same = own.find(({ key }) => key === first?.key)
  const lead = first && same ? leadChange(first.raw, same.raw) : undefined
  let next = 0
  return wanted.map(line => {
    const at = own.findIndex((one, index) => index >= next && one.key === line.key)
    if (at >= 0) next = at + 1
    const mine = own[at]
    if (mine) return mine
    return lead && line.key !== '' ? (codeLines(lead(line.raw))[0] ?? line) : line
  })
}

/** How white space before a line changes from one to the other, where one is a beginning of the other. */
function leadChange(from: string, to: string): ((raw: string) => string) | undefined {
  const [a, b] = [from, to].map(raw => /^[ \t]*/.exec(raw)?.[0] ?? '')
  if (a === undefined || b === undefined || a === b) return undefined
  if (b.startsWith(a)) return raw => b.slice(a.length) + raw
  return a.startsWith(b) ? raw => (raw.startsWith(a.slice(b.length)) ? raw.slice(a.length - b.length) : raw) : undefined
}
