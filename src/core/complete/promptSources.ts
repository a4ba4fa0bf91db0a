// `PromptSources`: what a prompt contains beside its document and the open ones, gathered while the user pauses.
import { isAbort, linkedAbort } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { faultText } from '../../base/fault.ts'
import type { AccessPolicy } from '../workspace/accessPolicy.ts'
import { type DocumentSnapshot, factsOf } from '../workspace/documentSnapshot.ts'
import { RecentEdits } from '../workspace/recentEdits.ts'
import { contextBudget } from './contextBudget.ts'
import { Declarations, type DeclarationsOptions } from './declarations.ts'
import { RecentCopy, type Selected } from './recentCopy.ts'
import { type Snippet, sizeOf } from './snippetSelector.ts'

export interface PromptSourcesOptions extends DeclarationsOptions {
  readonly clock: Clock
  readonly access: Pick<AccessPolicy, 'refusalOf'>
  /** The messages of the problems in these lines, counted from 0. */
  readonly problemsIn: (documentId: string, first: number, last: number) => readonly string[]
  /** The other cells of the notebook, if the document is a cell. */
  readonly cellsAround: (documentId: string) => CellsAround
  readonly clipboard: () => PromiseLike<string>
  readonly log: { debug(text: string): void }
}

/** The nearest first, so that only those are read for which there is room. */
export interface CellsAround {
  readonly above: Iterable<DocumentSnapshot>
  readonly below: Iterable<DocumentSnapshot>
}

/** What changes seldom is in the front of the prompt, the rest just before the text above the cursor. */
export interface GatheredParts {
  readonly declarations: readonly Snippet[]
  readonly cells: readonly Snippet[]
  readonly edits: readonly string[]
  readonly problems: readonly string[]
  readonly copied: string
}

export const nothingGathered: GatheredParts = { declarations: [], cells: [], edits: [], problems: [], copied: '' }

/** A line by where it began in one version. */
interface Line {
  readonly documentId: string
  readonly version: number
  readonly start: number
}

interface ProblemLine extends Line {
  readonly problems: readonly string[]
}

/** The user pauses. */
const IDLE_MS = 200
/** The language has looked at what was typed. */
const SETTLED_MS = 1_000
const MOST_PROBLEMS = 3
const MOST_PROBLEM_CHARS = 160

export class PromptSources implements Disposable {
  readonly #options: PromptSourcesOptions
  readonly #edits: RecentEdits
  readonly #copy: RecentCopy
  readonly #declarations: Declarations
  readonly #life = linkedAbort()
  #cancel = () => {}
  #cancelSettled = () => {}
  #last: DocumentSnapshot | undefined
  /** Problems as they were when the cursor came to the line: while it is being typed it has others. */
  #problemLine: ProblemLine | undefined
  #editedLine: Line | undefined

  constructor(options: PromptSourcesOptions) {
    this.#options = options
    this.#edits = new RecentEdits(options.clock)
    this.#copy = new RecentCopy(options.clock)
    this.#declarations = new Declarations(options)
  }

  /** The document or the cursor is another now. */
  follow(snapshot: DocumentSnapshot): void {
    this.#edits.follow(snapshot)
    const isEdit = this.#last?.id === snapshot.id && this.#last.version !== snapshot.version
    this.#last = snapshot
    if (isEdit) this.#editedLine = lineAt(snapshot)
    else if (!isAtLine(snapshot, this.#editedLine)) this.#editedLine = undefined
    this.#cancelTimers()
    this.#cancelSettled = this.#options.clock.later(SETTLED_MS, () => this.#updateProblems(snapshot))
    this.#cancel = this.#options.clock.later(IDLE_MS, () => {
      const isNew = !isAtLine(snapshot, this.#editedLine) && !isAtLine(snapshot, this.#problemLine)
      if (isNew) this.#problemLine = this.#problemsAt(snapshot)
      void this.#gather(snapshot)
    })
  }

  select(selected: Selected): void {
    this.#copy.select(selected)
  }

  /** What is known by now, and may be read. */
  for(snapshot: DocumentSnapshot): GatheredParts {
    const copied = this.#copy.current
    const isElsewhere = copied && !snapshot.text.includes(copied.text)
    return {
      declarations: this.#declarations.for(snapshot),
      cells: this.#cellsAround(snapshot),
      edits: this.#edits.current.filter(({ after }) => this.#mayRead(after)).map(({ diff }) => diff),
      problems: isAtLine(snapshot, this.#problemLine) ? (this.#problemLine?.problems ?? []) : [],
      copied: isElsewhere && this.#mayRead(copied.from) ? copied.text : '',
    }
  }

  forget(documentId: string): void {
    this.#edits.forget(documentId)
  }

  dispose(): void {
    this.#cancelTimers()
    this.#life.stop()
  }

  #cancelTimers(): void {
    this.#cancel()
    this.#cancelSettled()
  }

  async #gather(snapshot: DocumentSnapshot): Promise<void> {
    if (!this.#mayRead(snapshot)) return
    try {
      await this.#copy.gather(this.#options.clipboard)
      await this.#declarations.gather(snapshot, this.#life.signal)
    } catch (fault) {
      if (!isAbort(fault)) this.#options.log.debug(`Gathered not all for a completion: ${faultText(fault)}`)
    }
  }

  /** What is solved goes; what has come is one of a half typed line, unless nothing was typed there. */
  #updateProblems(snapshot: DocumentSnapshot): void {
    const known = this.#problemLine
    if (!known || !isAtLine(snapshot, known)) return
    const now = this.#problemsAt(snapshot)
    const isEdited = isAtLine(snapshot, this.#editedLine)
    const problems = now.problems.filter(problem => !isEdited || known.problems.includes(problem))
    this.#problemLine = { ...now, problems }
  }

  #problemsAt(snapshot: DocumentSnapshot): ProblemLine {
    const line = lineAt(snapshot)
    const number = snapshot.text.slice(0, line.start).split('\n').length - 1
    const all = this.#options.problemsIn(snapshot.id, number - 1, number + 1).slice(0, MOST_PROBLEMS)
    const problems = all.map(message => message.replace(/\s+/g, ' ').slice(0, MOST_PROBLEM_CHARS))
    return { ...line, problems }
  }

  /** Those above and a few below, in the order of the notebook. */
  #cellsAround({ id, path }: DocumentSnapshot): readonly Snippet[] {
    const { above, below } = this.#options.cellsAround(id)
    const after = this.#nearest(below, `${path}, below`, contextBudget.cellsBelow)
    const before = this.#nearest(above, path, contextBudget.cells - sizeOf(after))
    return [...before.toReversed(), ...after]
  }

  /** As far as there is room. */
  #nearest(cells: Iterable<DocumentSnapshot>, path: string, room: number): readonly Snippet[] {
    const nearest: Snippet[] = []
    for (const cell of cells) {
      if (cell.text.trim() === '' || !this.#mayRead(cell)) continue
      const snippet = { path, text: cell.text.trimEnd() }
      if (sizeOf([...nearest, snippet]) > room) break
      nearest.push(snippet)
    }
    return nearest
  }

  #mayRead(document: DocumentSnapshot): boolean {
    return this.#options.access.refusalOf(factsOf(document), 'context') === undefined
  }
}

function lineAt({ id, version, text, offset }: DocumentSnapshot): Line {
  return { documentId: id, version, start: text.lastIndexOf('\n', offset - 1) + 1 }
}

function isAtLine(snapshot: DocumentSnapshot, line: Line | undefined): boolean {
  if (line?.documentId !== snapshot.id) return false
  return snapshot.log.mapOffset(line.start, 'before', line.version, snapshot.version) === lineAt(snapshot).start
}
