// `CarriedRename`: a name that the user changes by hand in one place, and the other places to which the change is carried on.
import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import type { TrackedDocument } from '../workspace/documents.ts'
import type { TextRange } from '../workspace/replacement.ts'
import type { Occurrence } from './languageServer.ts'
import { type PlannedEdit, plannedEdit } from './plannedEdit.ts'

/** A name in one version of a document. */
export interface Name extends TextRange {
  readonly documentId: string
  readonly version: number
  readonly text: string
  /** A `$` before it is not part of it. */
  readonly hasSigil: boolean
}

interface Place extends TextRange {
  readonly occurrence: Occurrence
  readonly version: number
}

const namePart = /[\p{L}\p{N}_$]/u
const wholeName = /^([\p{L}_$][\p{L}\p{N}_$]*)[^\p{L}\p{N}_$]*$/u

const sigilLanguages = /^(?:php|perl|powershell|shellscript)$/

/** The name at the cursor. */
export function nameAt({ id, language, version, text, offset }: DocumentSnapshot): Name | undefined {
  let [start, end] = [offset, offset]
  while (namePart.test(text[start - 1] ?? '')) start--
  while (namePart.test(text[end] ?? '')) end++
  const hasSigil = sigilLanguages.test(language)
  if (hasSigil && text[start] === '$') start++
  const name = text.slice(start, end)
  return wholeName.test(name) ? { documentId: id, version, start, end, text: name, hasSigil } : undefined
}

export class CarriedRename {
  readonly name: Name
  readonly #occurrences: readonly Occurrence[]
  /** By the document that they are in, once that was read. */
  readonly #places = new Map<string, readonly Place[]>()

  /** `occurrences` of the name in the same version, its own among them. */
  constructor(name: Name, occurrences: readonly Occurrence[]) {
    this.name = name
    this.#occurrences = occurrences
  }

  /** Where there is something to carry on, in the order in which the documents come. */
  get documentIds(): readonly string[] {
    const others = this.#occurrences.map(({ documentId }) => documentId)
    return [...new Set([this.name.documentId, ...others])]
  }

  /** All that was changed since is the name itself. */
  isAlone({ uri, log }: TrackedDocument): boolean {
    const { documentId, version, start, end } = this.name
    const edit = uri === documentId ? log.editBetween(version) : undefined
    return edit?.replacements.every(one => one.start >= start && one.end <= end) === true
  }

  /** Where the name is now, and what was written behind it without a blank. */
  rangeIn({ uri, version, log }: TrackedDocument): TextRange | undefined {
    if (uri !== this.name.documentId) return undefined
    const start = log.mapOffset(this.name.start, 'before', this.name.version, version)
    const end = log.mapOffset(this.name.end, 'after', this.name.version, version)
    return start === undefined || end === undefined ? undefined : { start, end }
  }

  /** What the user has made of the name; undefined where that is the old one or none. */
  newName(document: TrackedDocument): string | undefined {
    const range = this.rangeIn(document)
    const name = range && wholeName.exec(document.text.slice(range.start, range.end))?.[1]
    return name === this.name.text ? undefined : name
  }

  /** The new name is that of something else, to which the user has turned. */
  isTaken(document: TrackedDocument, newName: string): boolean {
    const own = this.rangeIn(document)
    const parts = `\\p{L}\\p{N}_${this.name.hasSigil ? '' : '$'}`
    const names = new RegExp(`(?<![${parts}])${newName.replaceAll('$', '\\$')}(?![\\p{L}\\p{N}_$])`, 'gu')
    return [...document.text.matchAll(names)].some(({ index }) => index !== own?.start)
  }

  /** The next place of this document: below the name first, then from the top. */
  nextIn(document: TrackedDocument, newName: string): PlannedEdit | undefined {
    const places = this.#places.get(document.uri) ?? this.#findPlaces(document)
    const own = this.rangeIn(document)
    const now = places.flatMap(({ start, end, version, occurrence: { before, after } }) => {
      const range = document.log.mapRange({ start, end }, version, document.version)
      if (!range || range.isChanged || !isName(document.text, range, this.name)) return []
      return [{ start: range.start, end: range.end, text: before + newName + after }]
    })
    const below = now.find(({ start }) => start > (own?.start ?? -1))
    const next = below ?? now[0]
    return next && plannedEdit(document, [next])
  }

  /** Those that have the name; of this document in the version in which the language has found them. */
  #findPlaces(document: TrackedDocument): readonly Place[] {
    const { name } = this
    const isOwn = document.uri === name.documentId
    const version = isOwn ? name.version : document.version
    const text = isOwn ? textOf(document, name) : document.text
    const places = text === undefined ? [] : placesIn(text, this.#occurrences, { uri: document.uri, version, name })
    this.#places.set(document.uri, places)
    return places
  }
}

function isName(text: string, { start, end }: TextRange, name: Name): boolean {
  const before = text[start - 1] ?? ''
  const isBegun = namePart.test(before) && !(name.hasSigil && before === '$')
  return !isBegun && !namePart.test(text[end] ?? '') && text.slice(start, end) === name.text
}

/** The text in the version of the name, of which only the name has changed since. */
function textOf({ text, log, version }: TrackedDocument, name: Name): string | undefined {
  const start = log.mapOffset(name.start, 'before', name.version, version)
  const end = log.mapOffset(name.end, 'after', name.version, version)
  return start === undefined || end === undefined ? undefined : text.slice(0, start) + name.text + text.slice(end)
}

function placesIn(
  text: string,
  occurrences: readonly Occurrence[],
  { uri, version, name }: { readonly uri: string; readonly version: number; readonly name: Name },
): readonly Place[] {
  const lineStarts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lineStarts.push(at + 1)
  return occurrences
    .flatMap(occurrence => {
      const lineStart = occurrence.documentId === uri ? lineStarts[occurrence.line] : undefined
      if (lineStart === undefined) return []
      const given = lineStart + occurrence.character
      // The range that the language changes may begin with what it writes again, such as the `$` of a variable.
      const isAgain = occurrence.before !== '' && text.startsWith(occurrence.before + name.text, given)
      const start = isAgain ? given + occurrence.before.length : given
      const end = start + name.text.length
      const isOwn = uri === name.documentId && start === name.start
      const place = { start, end, version, occurrence: isAgain ? { ...occurrence, before: '' } : occurrence }
      return isOwn || text.slice(start, end) !== name.text ? [] : [place]
    })
    .sort((a, b) => a.start - b.start)
}
