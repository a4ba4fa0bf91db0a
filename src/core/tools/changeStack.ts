// `ChangeStack`: the changes of a conversation to one text, with their open hunks, and what the user wrote between them.
import { applyHunks, diffLines, editBetween, type Hunk, lineCount } from '../workspace/lineHunks.ts'
import type { TextRange } from '../workspace/replacement.ts'
import type { TextEdit } from '../workspace/textEdit.ts'

/**
 * One change. `before` and `after` are texts of the time of the change, as far as its hunks are open: a hunk that is kept
 * goes into `before` as well, one that is undone goes out of `after`.
 */
export interface ChangeLayer {
  readonly id: number
  readonly turn: string
  readonly before: string
  readonly after: string
  readonly hunks: readonly Hunk[]
}

/** `range`: where it is in the present text; undefined where a later change or the user has changed its lines. */
export interface OpenHunk {
  readonly id: string
  readonly layer: number
  readonly turn: string
  readonly range: TextRange | undefined
  readonly removed: string
  readonly added: string
}

export function layerOf(id: number, turn: string, before: string, after: string): ChangeLayer {
  return { id, turn, before, after, hunks: diffLines(before, after) }
}

export function countsOf(hunks: readonly Pick<OpenHunk, 'added' | 'removed'>[]) {
  return {
    hunks: hunks.length,
    addedLines: hunks.reduce((sum, { added }) => sum + lineCount(added), 0),
    removedLines: hunks.reduce((sum, { removed }) => sum + lineCount(removed), 0),
  }
}

interface Found {
  readonly at: number
  readonly layer: ChangeLayer
  readonly hunk: Hunk
}

/** Immutable. The oldest layer is first. */
export class ChangeStack {
  readonly layers: readonly ChangeLayer[]
  readonly present: string
  /** Leads from the text after the last layer to the present one, where it is known better than by comparing them. */
  readonly #lastEdit: TextEdit | undefined
  /** Between each two texts after the first layer, as far as they were asked for. */
  readonly #edits: (TextEdit | undefined)[] = []

  constructor(layers: readonly ChangeLayer[], present: string, lastEdit?: TextEdit) {
    this.layers = layers
    this.present = present
    this.#lastEdit = lastEdit
  }

  get open(): readonly OpenHunk[] {
    return this.layers.flatMap((layer, at) => layer.hunks.map(hunk => this.#openOf({ at, layer, hunk })))
  }

  /** The hunk is the user's from now on, and so are the older ones that it has replaced. */
  keep(id: string): ChangeStack {
    const found = this.#find(id)
    if (!found) return this
    const older = this.#replacedBy(found)
    const layers = this.layers.map((layer, at) => {
      const hunks = at === found.at ? [found.hunk] : (older.get(at) ?? [])
      return hunks.reduceRight(kept, layer)
    })
    return new ChangeStack(layers, this.present, this.#lastEdit)
  }

  /** The stack with the text from before the hunk; undefined where its lines have been changed since. */
  undo(id: string): ChangeStack | undefined {
    const found = this.#find(id)
    if (!found) return this
    const ranges = this.#rangesOf(found)
    return ranges && this.#without(found, ranges)
  }

  /** `ranges`: where the lines of the hunk are. */
  #without({ layer, hunk, at }: Found, ranges: readonly TextRange[]): ChangeStack {
    const text = layer.before.slice(hunk.before.start, hunk.before.end)
    const later = ranges.slice(1)
    const layers = this.layers.map((one, index) => {
      if (index < at) return one
      if (index === at) return undone(layer, hunk)
      const [before, after] = later.slice(2 * (index - at - 1))
      return before && after ? moved(one, before, after, text) : one
    })
    const range = ranges.at(-1)
    return new ChangeStack(layers, range ? replaced(this.present, range, text) : this.present)
  }

  /** Without the open hunks, the newest undone first; those that cannot be undone stay. `left`: the hunks whose lines have been changed since. */
  undoAll(mayUndo: (hunk: OpenHunk) => boolean = () => true): { stack: ChangeStack; left: readonly OpenHunk[] } {
    let stack: ChangeStack = this
    const left: OpenHunk[] = []
    for (const at of [...this.layers.keys()].reverse()) {
      // The last hunk first, so that those before it stay where they are.
      const before = stack
      for (const hunk of [...(before.layers[at]?.hunks ?? [])].reverse()) {
        const [known, layer] = [before.layers[at], stack.layers[at]]
        if (!known || !layer) break
        const open = before.#openOf({ at, layer: known, hunk })
        const ranges = before.#rangesOf({ at, layer: known, hunk })
        if (!mayUndo(open)) continue
        if (ranges) stack = stack.#without({ at, layer, hunk }, ranges)
        else left.push(open)
      }
    }
    return { stack, left }
  }

  /**
   * The text to compare the present one with: what the user has written stays out of the difference, but for lines of an
   * open hunk that have been changed since, which are those from before the hunk.
   */
  baseline(isMeant: (turn: string) => boolean): string {
    const meant = this.layers.filter(({ turn }) => isMeant(turn))
    return meant.reduceRight((text, layer) => withoutHunks(layer, text), this.present)
  }

  /** Without the hunks that somebody has taken out of the text already, such as the user with the editor's undo. */
  withoutUndone(): ChangeStack {
    const layers = this.layers.map((layer, at) => {
      const edit = editBetween(layer.before, this.present)
      const gone = layer.hunks.filter(hunk => !this.#rangesOf({ at, layer, hunk }) && !isTouched(hunk.before, edit))
      return gone.reduceRight(undone, layer)
    })
    return new ChangeStack(layers, this.present)
  }

  #openOf(found: Found): OpenHunk {
    const { layer, hunk } = found
    return {
      id: idOf(layer, hunk),
      layer: layer.id,
      turn: layer.turn,
      range: this.#rangesOf(found)?.at(-1),
      removed: layer.before.slice(hunk.before.start, hunk.before.end),
      added: layer.after.slice(hunk.after.start, hunk.after.end),
    }
  }

  #find(id: string): Found | undefined {
    for (const [at, layer] of this.layers.entries()) {
      const hunk = layer.hunks.find(one => idOf(layer, one) === id)
      if (hunk) return { at, layer, hunk }
    }
    return undefined
  }

  /**
   * Where the lines of the hunk are in each text from the one after its layer to the present one; undefined where one of
   * them does not have the lines as they were.
   */
  #rangesOf({ at, layer, hunk }: Found): readonly TextRange[] | undefined {
    const lines = layer.after.slice(hunk.after.start, hunk.after.end)
    const ranges: TextRange[] = [hunk.after]
    const texts = this.#texts
    for (let place = 2 * at; place + 1 < texts.length; place++) {
      const range: TextRange | undefined = ranges.at(-1)
      const next = range && sameLines(range, lines, this.#editAfter(place), texts[place + 1] ?? '')
      if (!next) return undefined
      ranges.push(next)
    }
    return ranges
  }

  /** From the text after the first layer to the present one. */
  get #texts(): readonly string[] {
    return [...this.layers.flatMap(({ before, after }) => [before, after]).slice(1), this.present]
  }

  /** The edit from one of these texts to the next. */
  #editAfter(place: number): TextEdit {
    const [from = '', to = ''] = this.#texts.slice(place)
    const isLast = place === 2 * this.layers.length - 2
    const known = isLast && this.#lastEdit?.lengthBefore === from.length ? this.#lastEdit : undefined
    this.#edits[place] ??= known ?? editBetween(from, to)
    return this.#edits[place]
  }

  /** By the index of their layer, the hunks of older layers that touch the lines of this one. */
  #replacedBy({ at, hunk }: Found): Map<number, readonly Hunk[]> {
    const touched = new Map<number, readonly Hunk[]>()
    let range: TextRange = hunk.before
    for (let index = at - 1; index >= 0; index--) {
      const [older, newer] = [this.layers[index], this.layers[index + 1]]
      if (!older || !newer) break
      range = editBetween(newer.before, older.after).mapRange(range)
      touched.set(
        index,
        older.hunks.filter(({ after }) => doTouch(after, range)),
      )
      range = editBetween(older.after, older.before).mapRange(range)
    }
    return touched
  }
}

const idOf = ({ id }: ChangeLayer, { before, after }: Hunk) =>
  `${id}:${before.start}-${before.end}:${after.start}-${after.end}`

const isTouched = (range: TextRange, { replacements }: TextEdit) => replacements.some(one => doTouch(one, range))

const doTouch = (a: TextRange, b: TextRange) => a.start <= b.end && b.start <= a.end

/** Where the lines are after the edit, if they are whole lines there and the same. */
function sameLines(range: TextRange, lines: string, edit: TextEdit, text: string): TextRange | undefined {
  const { start, end, isChanged } = edit.mapRange(range)
  const isWhole = isLineStart(text, start) && (isLineStart(text, end) || end === text.length)
  return !isChanged && isWhole && text.slice(start, end) === lines ? { start, end } : undefined
}

const isLineStart = (text: string, offset: number) => offset === 0 || text[offset - 1] === '\n'

/** A last line that lacks its end gets one where something follows it now. */
function replaced(text: string, { start, end }: TextRange, by: string): string {
  const lineEnd = by !== '' && !by.endsWith('\n') && end < text.length ? '\n' : ''
  const lead = by !== '' && !isLineStart(text, start) ? '\n' : ''
  return text.slice(0, start) + lead + by + lineEnd + text.slice(end)
}

function shifted({ start, end }: TextRange, from: TextRange, by: number): TextRange {
  return start >= from.end && start + end > from.start + from.end
    ? { start: start + by, end: end + by }
    : { start, end }
}

/** Hunks before this one stay the same objects, so that several can be kept or undone from the last to the first. */
function kept(layer: ChangeLayer, hunk: Hunk): ChangeLayer {
  const added = layer.after.slice(hunk.after.start, hunk.after.end)
  const before = layer.before.slice(0, hunk.before.start) + added + layer.before.slice(hunk.before.end)
  const growth = before.length - layer.before.length
  const others = layer.hunks.filter(one => one !== hunk)
  const hunks = others.map(one =>
    isBefore(one, hunk) ? one : { before: shifted(one.before, hunk.before, growth), after: one.after },
  )
  return { ...layer, before, hunks }
}

function undone(layer: ChangeLayer, hunk: Hunk): ChangeLayer {
  const others = layer.hunks.filter(one => one !== hunk)
  const after = applyHunks(layer.before, layer.after, others)
  const growth = after.length - layer.after.length
  const hunks = others.map(one =>
    isBefore(one, hunk) ? one : { before: one.before, after: shifted(one.after, hunk.after, growth) },
  )
  return { ...layer, after, hunks }
}

/** The present text with the lines from before the hunks of the layer, also where the user has changed them. */
function withoutHunks({ before, after, hunks }: ChangeLayer, present: string): string {
  const ours = hunks.map(hunk => ({ ...hunk.after, text: before.slice(hunk.before.start, hunk.before.end) }))
  const theirs = editBetween(after, present).replacements.filter(
    one => !ours.some(({ start, end }) => one.start < end && start < one.end),
  )
  let text = ''
  let at = 0
  for (const one of [...theirs, ...ours].toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    text += after.slice(at, one.start) + one.text
    at = one.end
  }
  return text + after.slice(at)
}

const isBefore = (one: Hunk, other: Hunk) => one.after.end <= other.after.start && one.before.end <= other.before.start

/** A later layer after the lines of an older hunk were replaced in both of its texts. */
function moved(layer: ChangeLayer, before: TextRange, after: TextRange, by: string): ChangeLayer {
  const texts = { before: replaced(layer.before, before, by), after: replaced(layer.after, after, by) }
  const hunks = layer.hunks.map(one => ({
    before: shifted(one.before, before, texts.before.length - layer.before.length),
    after: shifted(one.after, after, texts.after.length - layer.after.length),
  }))
  return { ...layer, ...texts, hunks }
}
