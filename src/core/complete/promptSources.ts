// `PromptSources`: what a prompt contains beside its document and the open ones, gathered while the user pauses.
import { isAbort, linkedAbort } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { faultText } from '../../base/fault.ts'
import type { AccessPolicy } from '../workspace/accessPolicy.ts'
import { type DocumentSnapshot, factsOf } from '../workspace/documentSnapshot.ts'
import { RecentEdits } from '../workspace/recentEdits.ts'
import { Declarations, type DeclarationsOptions } from './declarations.ts'
import { RecentCopy, type Selected } from './recentCopy.ts'
import type { Snippet } from './snippetSelector.ts'

export interface PromptSourcesOptions extends DeclarationsOptions {
  readonly clock: Clock
  readonly access: Pick<AccessPolicy, 'refusalOf'>
  /** The messages of the problems in these lines, counted from 0. */
  readonly problemsIn: (documentId: string, first: number, last: number) => readonly string[]
  /** The cells above the one that the document is, if it is one. */
  readonly cellsAbove: (documentId: string) => readonly DocumentSnapshot[]
  readonly clipboard: () => PromiseLike<string>
  readonly log: { debug(text: string): void }
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
const MOST_CELL_CHARS = 2_000
const MOST_PROBLEMS = 3
const MOST_PROBLEM_CHARS = 160

export class PromptSources implements Disposable {
  readonly #options: PromptSourcesOptions
  readonly #edits: RecentEdits
  readonly #copy: RecentCopy
  readonly #declarations: Declarations
  readonly #life = linkedAbort()
  #cancel = () => {}
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
    this.#cancel()
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
      cells: this.#cellsAbove(snapshot),
      edits: this.#edits.current.filter(({ after }) => this.#mayRead(after)).map(({ diff }) => diff),
      problems: isAtLine(snapshot, this.#problemLine) ? (this.#problemLine?.problems ?? []) : [],
      copied: isElsewhere && this.#mayRead(copied.from) ? copied.text : '',
    }
  }

  forget(documentId: string): void {
    this.#edits.forget(documentId)
  }

  dispose(): void {
    this.#cancel()
    this.#life.stop()
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

  #problemsAt(snapshot: DocumentSnapshot): ProblemLine {
    const line = lineAt(snapshot)
    const number = snapshot.text.slice(0, line.start).split('\n').length - 1
    const all = this.#options.problemsIn(snapshot.id, number - 1, number + 1).slice(0, MOST_PROBLEMS)
    const problems = all.map(message => message.replace(/\s+/g, ' ').slice(0, MOST_PROBLEM_CHARS))
    return { ...line, problems }
  }

  /** The nearest, as far as there is room. */
  #cellsAbove({ id, path }: DocumentSnapshot): readonly Snippet[] {
    const cells = this.#options.cellsAbove(id).filter(cell => this.#mayRead(cell) && cell.text.trim() !== '')
    const nearest = cells.toReversed().map(({ text }) => ({ path, text: text.trimEnd() }))
    const isInside = (at: number) => sizeOf(nearest.slice(0, at + 1)) <= MOST_CELL_CHARS
    return nearest.filter((_, at) => isInside(at)).reverse()
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

const sizeOf = (snippets: readonly Snippet[]) => snippets.reduce((sum, { text }) => sum + text.length, 0)
