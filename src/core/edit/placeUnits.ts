// `placeUnits`: places the parts of a code block one by one: declarations, imports, and lines around left-out code.
import {
  bracketBalance,
  type CodeLine,
  declaredName,
  endOf,
  isCloser,
  isElision,
  isImport,
  isLead,
} from './codeLine.ts'
import { findLines } from './findLines.ts'
import { type Indentation, indentationOf, indented } from './indented.ts'
import type { PlacementReason } from './placeCode.ts'

export interface PlacedUnits {
  readonly lines: readonly CodeLine[]
  readonly confidence: number
  readonly why: PlacementReason
}

/** A run of lines of the block that belong together. `head`: the line that declares `name`. */
interface Unit {
  readonly kind: 'declaration' | 'import' | 'left out' | 'other'
  readonly lines: readonly CodeLine[]
  readonly head: CodeLine | undefined
  readonly name: string | undefined
}

/** Lines `from` to `to` of the file are replaced. */
interface Change {
  readonly from: number
  readonly to: number
  readonly lines: readonly CodeLine[]
  readonly isNew: boolean
}

/** Undefined where one of the units has no place that is certain, or where brackets would be without their partners. */
export function placeUnits(file: readonly CodeLine[], block: readonly CodeLine[]): PlacedUnits | undefined {
  const placed = placedUnits(file, block)
  return placed && bracketBalance(placed.lines) === bracketBalance(file) ? placed : undefined
}

function placedUnits(file: readonly CodeLine[], block: readonly CodeLine[]): PlacedUnits | undefined {
  const units = indentationOf(file, block)
  const whole = placeBetween(file, block, units)
  if (whole) return { lines: whole, confidence: 0.9, why: 'left-out code' }
  const changes = changesOf(file, unitsOf(block), units)
  if (!changes || changes.every(({ from, to, lines }) => from === to && lines.length === 0)) return undefined
  const isAllNew = changes.every(({ isNew }) => isNew)
  return { lines: applied(file, changes), confidence: isAllNew ? 0.6 : 0.9, why: reasonOf(block, isAllNew) }
}

function reasonOf(block: readonly CodeLine[], isAllNew: boolean): PlacementReason {
  if (block.some(isElision)) return 'left-out code'
  return isAllNew ? 'new code' : 'declarations'
}

function unitsOf(block: readonly CodeLine[]): Unit[] {
  const base = Math.min(...block.flatMap(({ key, indent }) => (key === '' ? [] : [indent])))
  const found: Unit[] = []
  for (let at = 0; at < block.length; ) {
    const unit = unitAt(block, at, base)
    found.push(unit)
    at += Math.max(1, unit.lines.length)
  }
  return joinedOthers(found).filter(({ lines }) => lines.some(({ key }) => key !== ''))
}

function unitAt(block: readonly CodeLine[], from: number, base: number): Unit {
  const first = block[from]
  if (!first || first.key === '' || first.indent > base) return other(block.slice(from, from + 1))
  if (isElision(first)) return { ...other([first]), kind: 'left out' }
  let at = from
  while (isLead(block[at] ?? first) && at < block.length && !isElision(block[at] ?? first)) at++
  const head = block[at]
  if (!head || head.key === '') return other(block.slice(from, Math.max(at, from + 1)))
  const lines = trimmedEnd(block.slice(from, endOf(block, at)))
  if (isImport(head)) return { kind: 'import', lines, head, name: undefined }
  const name = declaredName(head)
  return name === undefined ? other(lines) : { kind: 'declaration', lines, head, name }
}

const other = (lines: readonly CodeLine[]): Unit => ({ kind: 'other', lines, head: undefined, name: undefined })

/** Statements that follow each other are one unit. */
function joinedOthers(units: readonly Unit[]): Unit[] {
  const found: Unit[] = []
  for (const unit of units) {
    const last = found.at(-1)
    if (last?.kind === 'other' && unit.kind === 'other') found[found.length - 1] = other([...last.lines, ...unit.lines])
    else found.push(unit)
  }
  return found
}

function changesOf(file: readonly CodeLine[], block: readonly Unit[], units: Indentation): Change[] | undefined {
  const changes: (Change | undefined)[] = block.map(unit => changeOf(file, unit, units))
  const known = changes.filter(change => change !== undefined)
  const result: Change[] = [...known]
  for (const [at, unit] of block.entries()) {
    if (unit.kind === 'left out' || changes[at]) continue
    if (unit.kind !== 'declaration') return undefined
    const added = newDeclaration(file, unit, units, {
      before: lastOf(changes, block, at),
      after: nextOf(changes, block, at),
    })
    if (!added) return undefined
    result.push(added)
  }
  const sorted = result.toSorted((a, b) => a.from - b.from || a.to - b.to)
  const isApart = sorted.every((one, at) => one.to <= (sorted[at + 1]?.from ?? file.length))
  return isApart && sorted.length > 0 ? sorted : undefined
}

const lastOf = (changes: readonly (Change | undefined)[], units: readonly Unit[], at: number) =>
  changes.slice(0, at).findLast((one, index) => one && !one.isNew && units[index]?.kind === 'declaration')

const nextOf = (changes: readonly (Change | undefined)[], units: readonly Unit[], at: number) =>
  changes.slice(at + 1).find((one, index) => one && !one.isNew && units[at + 1 + index]?.kind === 'declaration')

function changeOf(file: readonly CodeLine[], unit: Unit, units: Indentation): Change | undefined {
  switch (unit.kind) {
    case 'left out':
      return undefined
    case 'import':
      return importChange(file, unit)
    case 'declaration':
      return declarationChange(file, unit, units)
    case 'other':
      return sameLinesChange(file, unit, units)
  }
}

/** Nothing where the import is there; in the place of one of the same module or names; else after the last, or on top. */
function importChange(file: readonly CodeLine[], { lines, head }: Unit): Change | undefined {
  const at = findLines(file, lines, 0)
  if (at !== undefined) return { from: at, to: at, lines: [], isNew: false }
  const imports = file.flatMap((line, index) => (isImport(line) && line.indent === 0 ? [index] : []))
  const related = imports.filter(index => areRelated(lines, file.slice(index, endOf(file, index))))
  const [only] = related
  if (only !== undefined) {
    const end = endOf(file, only)
    const isReplaced = related.length === 1 && coversNames(lines, file.slice(only, end))
    return isReplaced ? { from: only, to: end, lines, isNew: false } : undefined
  }
  const last = imports.at(-1)
  const place = last === undefined ? topOf(file) : endOf(file, last)
  const space = last === undefined && head && (file[place]?.key ?? '') !== '' ? [blank] : []
  return { from: place, to: place, lines: [...lines, ...space], isNew: true }
}

const blank: CodeLine = { raw: '', key: '', indent: 0 }

function moduleOf(lines: readonly CodeLine[]): string | undefined {
  const text = lines.map(({ key }) => key).join(' ')
  return (/from\s+(['"])(.*?)\1/.exec(text) ??
    /^()from\s+(\S+)\s+import/.exec(text) ??
    /^import\s+(['"])(.*?)\1/.exec(text))?.[2]
}

/** They import from the same module, or the same name from two. */
function areRelated(lines: readonly CodeLine[], present: readonly CodeLine[]): boolean {
  const module = moduleOf(lines)
  if (module !== undefined && module === moduleOf(present)) return true
  const names = importedNames(lines)
  return importedNames(present).some(name => names.includes(name))
}

function importedNames(lines: readonly CodeLine[]): string[] {
  const text = lines
    .map(({ key }) => key)
    .join(' ')
    .replace(/(['"]).*?\1/g, '')
    .replace(/^from\s+\S+/, '')
  const keywords = [
    'import',
    'from',
    'type',
    'as',
    'const',
    'let',
    'var',
    'require',
    'use',
    'using',
    'include',
    'package',
  ]
  return (text.match(/[\w$*]+/g) ?? []).filter(word => !keywords.includes(word))
}

function coversNames(lines: readonly CodeLine[], present: readonly CodeLine[]): boolean {
  const names = new Set(importedNames(lines))
  return importedNames(present).every(name => names.has(name))
}

/** Below what must come first: an interpreter line, a licence, a directive. */
function topOf(file: readonly CodeLine[]): number {
  const at = file.findIndex(
    ({ key }, index) => !(index === 0 && key.startsWith('#!')) && !/^(['"])use \w+\1;?$/.test(key),
  )
  return Math.max(0, at)
}

function declarationChange(file: readonly CodeLine[], unit: Unit, units: Indentation): Change | undefined {
  const { name, head, lines } = unit
  if (!head || name === undefined) return undefined
  const found = placesOf(file, name, head)
  const [at] = found
  if (at === undefined || found.length > 1) return undefined
  const end = endOf(file, at)
  const own = file.slice(at, end)
  const isWithLead = lines[0] !== head
  const from = isWithLead ? leadStart(file, at) : at
  if (!lines.some(isElision)) {
    if (losesMembers(own, lines) || isBeginning(own, lines.slice(lines.indexOf(head)))) return undefined
    return { from, to: trimmedTo(file, at, end), lines: indented(lines, units, file[at], head), isNew: false }
  }
  const inner = placeInside(own, lines.slice(lines.indexOf(head)), units)
  if (!inner) return undefined
  const lead = indented(lines.slice(0, lines.indexOf(head)), units, file[at], head)
  return { from: lead.length > 0 ? from : at, to: trimmedTo(file, at, end), lines: [...lead, ...inner], isNew: false }
}

/** The declarations of this name and kind; of several the one with the same head, or the only one that is no overload. */
function placesOf(file: readonly CodeLine[], name: string, head: CodeLine): readonly number[] {
  const isSame = (line: CodeLine) => declaredName(line) === name && kindOf(line, name) === kindOf(head, name)
  const all = file.flatMap((line, at) => (isSame(line) ? [at] : []))
  if (all.length <= 1) return all
  const sameHead = all.filter(at => file[at]?.key === head.key)
  if (sameHead.length === 1) return sameHead
  const withBody = all.filter(at => endOf(file, at) > at + 1)
  return withBody.length === 1 ? withBody : all
}

/** The keyword before the name, such as `function`; empty for a method of many languages. */
function kindOf({ key }: CodeLine, name: string): string {
  const words = key
    .slice(0, Math.max(0, key.indexOf(name)))
    .match(
      /\b(?:function|class|interface|enum|struct|trait|impl|namespace|module|type|const|let|var|fn|fun|func|def|get|set)\b/g,
    )
  return words?.at(-1) ?? ''
}

/** The block may have been cut off. */
function isBeginning(own: readonly CodeLine[], lines: readonly CodeLine[]): boolean {
  return lines.length < trimmedEnd(own).length && lines.every(({ key }, at) => key === own[at]?.key)
}

/** A class that the block shows with fewer members may have been shortened. */
function losesMembers(own: readonly CodeLine[], lines: readonly CodeLine[]): boolean {
  if (
    !/^(?:[\w\s]*\b(?:class|interface|struct|impl|trait|enum|namespace|module|object|describe)\b)/.test(
      own[0]?.key ?? '',
    )
  ) {
    return false
  }
  const names = new Set(lines.flatMap(line => declaredName(line) ?? []))
  const members = own.slice(1).filter(line => line.indent === memberIndent(own))
  return members.some(line => {
    const name = declaredName(line)
    return name !== undefined && !names.has(name)
  })
}

const memberIndent = (own: readonly CodeLine[]) =>
  Math.min(...own.slice(1).flatMap(({ key, indent }) => (key !== '' && indent > (own[0]?.indent ?? 0) ? [indent] : [])))

/** Where the comments and decorators right above the line begin. */
function leadStart(file: readonly CodeLine[], at: number): number {
  let from = at
  while (from > 0 && isLead(file[from - 1] ?? blank) && file[from - 1]?.indent === file[at]?.indent) from--
  // The stars of a comment are one column further in.
  while (from > 0 && /^(?:\/\*\*?|\*)/.test(file[from - 1]?.key ?? '')) from--
  return from
}

function trimmedTo(file: readonly CodeLine[], from: number, to: number): number {
  let end = to
  while (end > from + 1 && file[end - 1]?.key === '') end--
  return end
}

function trimmedEnd(lines: readonly CodeLine[]): readonly CodeLine[] {
  const last = lines.findLastIndex(({ key }) => key !== '')
  return lines.slice(0, last + 1)
}

/** After the declaration before it in the block, or before the one after it. */
function newDeclaration(
  file: readonly CodeLine[],
  { lines, head, name }: Unit,
  units: Indentation,
  { before, after }: { readonly before: Change | undefined; readonly after: Change | undefined },
): Change | undefined {
  if (name === undefined || file.some(line => declaredName(line) === name)) return undefined
  if (isRenamed(file, lines, before?.to ?? 0, after?.from ?? file.length)) return undefined
  const like = file[before?.from ?? after?.from ?? -1]
  const anchor = before?.lines[0] ?? after?.lines[0]
  const placed = indented(lines, units, like ?? head, anchor ? { ...(head ?? blank) } : head)
  if (before) return { from: before.to, to: before.to, lines: [blank, ...placed], isNew: true }
  if (after) return { from: after.from, to: after.from, lines: [...placed, blank], isNew: true }
  // A method alone may belong to any class.
  if (
    lines.some(isElision) ||
    head?.indent !== 0 ||
    /^(?:async\s+)?[\w$]+\s*\(|^(?:public|private|protected)\b/.test(head.key)
  )
    return undefined
  const end = trimmedTo(file, 0, file.length)
  return { from: end, to: end, lines: [blank, ...placed], isNew: true }
}

/** Whether it may be a declaration near its place under another name, which would stay beside it. */
function isRenamed(file: readonly CodeLine[], lines: readonly CodeLine[], from: number, to: number): boolean {
  const keys = new Set(lines.slice(1).flatMap(({ key }) => (/\w{3}/.test(key) ? [key] : [])))
  const own = file.slice(from, to).filter(({ key }) => keys.has(key))
  return resembles(lines.slice(0, 1), file.slice(from, from + 6)) || (own.length > 0 && own.length >= keys.size / 2)
}

/** Statements whose first and last line each are in one place, with not much more between them than the block has. */
function sameLinesChange(file: readonly CodeLine[], { lines }: Unit, units: Indentation): Change | undefined {
  const code = trimmedEnd(lines.slice(lines.findIndex(({ key }) => key !== '')))
  const exact = findLines(file, code, 0)
  if (exact !== undefined) return { from: exact, to: exact, lines: [], isNew: false }
  const [first, last] = [code[0], code.at(-1)]
  if (!first || !last || code.length < 2) return undefined
  const starts = strongPlaces(file, first)
  const [at] = starts
  if (at === undefined || starts.length > 1) return undefined
  const limit = Math.min(file.length, at + 3 * code.length + 10)
  const end = isCloser(last)
    ? endOf(file, at, limit) - 1
    : onlyOf(strongPlaces(file, last).filter(one => one > at && one < limit))
  if (end === undefined || file[end]?.key !== last.key) return undefined
  return { from: at, to: end + 1, lines: indented(code, units, file[at], first), isNew: false }
}

const onlyOf = (places: readonly number[]) => (places.length === 1 ? places[0] : undefined)

const strongPlaces = (file: readonly CodeLine[], wanted: CodeLine) =>
  /\w{2}/.test(wanted.key) ? file.flatMap((line, at) => (line.key === wanted.key ? [at] : [])) : []

function applied(file: readonly CodeLine[], changes: readonly Change[]): CodeLine[] {
  const lines: CodeLine[] = []
  let at = 0
  for (const change of changes) {
    lines.push(...file.slice(at, change.from), ...change.lines)
    at = change.to
  }
  return [...lines, ...file.slice(at)]
}

/** A block with left-out code at its outermost level, or a run of lines of which the first and the last are in the file. */
function placeBetween(
  file: readonly CodeLine[],
  block: readonly CodeLine[],
  units: Indentation,
): CodeLine[] | undefined {
  const base = Math.min(...block.flatMap(({ key, indent }) => (key === '' ? [] : [indent])))
  const hasOuter = block.some(line => isElision(line) && line.indent === base)
  const hasPlainUnits = unitsOf(block).some(({ kind }) => kind === 'other')
  if (!hasOuter || !hasPlainUnits) return undefined
  return placeSegments(file, block, units, { isOpenAtStart: true, isOpenAtEnd: true })
}

/** The lines of a declaration, from its head to its end, with the left-out lines of the file in their places. */
function placeInside(own: readonly CodeLine[], lines: readonly CodeLine[], units: Indentation): CodeLine[] | undefined {
  return placeSegments(own, lines, units, { isOpenAtStart: false, isOpenAtEnd: false })
}

interface Segment {
  readonly lines: readonly CodeLine[]
  readonly isFirst: boolean
  readonly isLast: boolean
}

interface Ends {
  /** The file may have more before and after the block than the block shows. */
  readonly isOpenAtStart: boolean
  readonly isOpenAtEnd: boolean
}

function placeSegments(
  file: readonly CodeLine[],
  block: readonly CodeLine[],
  units: Indentation,
  ends: Ends,
): CodeLine[] | undefined {
  const result: CodeLine[] = []
  let at = 0
  for (const segment of segmentsOf(block)) {
    const place = placeOf(file, segment, at, ends)
    if (!place) return undefined
    const { from, to, like, anchor } = place
    result.push(...file.slice(at, from), ...indented(segment.lines, units, like, anchor))
    at = to
  }
  return [...result, ...file.slice(at)]
}

function segmentsOf(block: readonly CodeLine[]): Segment[] {
  const runs: CodeLine[][] = [[]]
  for (const line of block) {
    if (isElision(line)) runs.push([])
    else runs.at(-1)?.push(line)
  }
  return runs.flatMap((lines, at) => {
    const from = lines.findIndex(({ key }) => key !== '')
    const trimmed = from < 0 ? [] : trimmedEnd(lines.slice(from))
    return trimmed.length > 0 ? [{ lines: trimmed, isFirst: at === 0, isLast: at === runs.length - 1 }] : []
  })
}

interface Place {
  readonly from: number
  readonly to: number
  readonly like: CodeLine | undefined
  readonly anchor: CodeLine | undefined
}

/** The lines of the file that a segment replaces, from line `at` on: those between its first and last lines that both have. */
function placeOf(
  file: readonly CodeLine[],
  { lines, isFirst, isLast }: Segment,
  at: number,
  ends: Ends,
): Place | undefined {
  const startsAtEdge = isFirst && !ends.isOpenAtStart
  const endsAtEdge = isLast && !ends.isOpenAtEnd
  const first = startsAtEdge ? { line: 0, at } : firstMatch(file, lines, at, endsAtEdge)
  if (!first) return unanchored(file, lines, at, { isFirst, isLast })
  if (resembles(lines.slice(0, first.line), file.slice(Math.max(at, first.at - first.line - 3), first.at)))
    return undefined
  const anchor = lines[first.line]
  const like = file[first.at]
  if (endsAtEdge) return { from: first.at, to: file.length, like, anchor }
  const last = lastMatch(file, lines, first)
  const added = lines.slice(last.line)
  if (resembles(added, file.slice(last.at + 1, last.at + added.length + 4))) return undefined
  return { from: first.at, to: last.at + 1, like, anchor }
}

/** Lines that look added may be those of the file in another form; then the old ones would stay beside them. */
function resembles(added: readonly CodeLine[], near: readonly CodeLine[]): boolean {
  return added.some(({ key }) => /\w{3}/.test(key) && near.some(line => isSimilar(key, line.key)))
}

function isSimilar(a: string, b: string): boolean {
  const wordsOf = (text: string) => new Set(text.match(/\w+/g) ?? [])
  const [one, other] = [wordsOf(a), wordsOf(b)]
  const common = [...one].filter(word => other.has(word)).length
  return common >= 2 && common >= 0.6 * Math.min(one.size, other.size)
}

interface Match {
  /** In the segment. */
  readonly line: number
  /** In the file. */
  readonly at: number
}

/** New imports go on top, and what comes last after all else; anything other may be anywhere. */
function unanchored(
  file: readonly CodeLine[],
  lines: readonly CodeLine[],
  at: number,
  { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
): Place | undefined {
  const isTop = isFirst && at === 0 && lines.every(line => line.key === '' || isImport(line) || isLead(line))
  if (isTop) {
    const top = topOf(file)
    return { from: top, to: top, like: undefined, anchor: undefined }
  }
  const head = lines.find(line => !isLead(line))
  const name = head && declaredName(head)
  if (!isLast || name === undefined || file.some(line => declaredName(line) === name)) return undefined
  const end = trimmedTo(file, 0, file.length)
  return { from: end, to: end, like: undefined, anchor: undefined }
}

/** The first line of the segment that the rest of the file has once, or declares under the same name. */
function firstMatch(
  file: readonly CodeLine[],
  lines: readonly CodeLine[],
  from: number,
  endsAtEdge: boolean,
): Match | undefined {
  for (const [line, wanted] of lines.entries()) {
    const at = matchOf(file, wanted, from)
    if (at !== undefined) return { line, at: at }
    // The closing bracket of what is around the block is its last line.
    if (endsAtEdge && isCloser(wanted) && line === lines.length - 1) {
      const end = file.findLastIndex(({ key }) => key === wanted.key)
      if (end >= from) return { line, at: end }
    }
  }
  return undefined
}

function matchOf(file: readonly CodeLine[], wanted: CodeLine, from: number): number | undefined {
  const same = strongPlaces(file, wanted).filter(at => at >= from)
  if (same.length > 0) return onlyOf(same)
  const name = declaredName(wanted)
  if (name === undefined) return undefined
  return onlyOf(file.flatMap((line, at) => (at >= from && declaredName(line) === name ? [at] : [])))
}

/** The last line that both have, and the index after it in the segment; what is indented below it is part of it. */
function lastMatch(file: readonly CodeLine[], lines: readonly CodeLine[], first: Match): Match {
  let last: Match = { line: first.line, at: first.at - 1 }
  for (let line = first.line; line < lines.length; line++) {
    const wanted = lines[line]
    if (!wanted || wanted.key === '' || isCloser(wanted)) continue
    const at = line === first.line ? first.at : matchOf(file, wanted, last.at + 1)
    if (at === undefined) continue
    const end = endOf(lines, line)
    last = end > line + 1 ? { line: end, at: endOf(file, at) - 1 } : { line: line + 1, at }
    line = last.line - 1
  }
  return last
}
