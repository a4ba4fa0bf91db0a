// `Alternatives`: other suggestions for a place where the user has asked for one, requested one after the other.
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import type { Documents } from '../workspace/documents.ts'
import type { TextRange } from '../workspace/replacement.ts'
import type { Candidate, CompletionContext } from './candidate.ts'

export interface AlternativesOptions {
  readonly documents: Pick<Documents, 'announce'>
  /** Undefined where the answer has nothing for the place, or the user has left it. */
  readonly request: (context: CompletionContext, temperature: number) => Promise<Candidate | undefined>
  readonly onAccepted: (documentId: string, inserted: TextRange) => void
}

/** Each is less bound to the likeliest text than the one before. */
const temperatures = [0.5, 0.9]

interface Found {
  readonly snapshot: DocumentSnapshot
  readonly candidates: readonly Candidate[]
}

export class Alternatives implements Disposable {
  readonly #options: AlternativesOptions
  #found: Found | undefined
  #announcements = new DisposableStore()

  constructor(options: AlternativesOptions) {
    this.#options = options
  }

  /** What is known for this place beside `first`. */
  at({ id, version, offset }: DocumentSnapshot, first: Candidate): readonly Candidate[] {
    const { snapshot, candidates } = this.#found ?? { snapshot: undefined, candidates: [] }
    const isHere = snapshot?.id === id && snapshot.version === version && snapshot.offset === offset
    return isHere ? candidates.filter(one => !isSame(one, first)) : []
  }

  async gather(context: CompletionContext, first: Candidate): Promise<readonly Candidate[]> {
    const known = this.at(context.snapshot, first)
    if (known.length > 0) return known
    const candidates: Candidate[] = []
    for (const temperature of temperatures) {
      const candidate = await this.#options.request(context, temperature)
      if (candidate && ![first, ...candidates].some(one => isSame(one, candidate))) candidates.push(candidate)
    }
    this.#keep({ snapshot: context.snapshot, candidates })
    return candidates
  }

  dispose(): void {
    this.#announcements.dispose()
  }

  #keep(found: Found): void {
    const { id, version } = found.snapshot
    this.#announcements.dispose()
    this.#announcements = new DisposableStore()
    this.#found = found
    for (const { replacement } of found.candidates)
      this.#announcements.add(
        this.#options.documents.announce(id, version, replacement, inserted => this.#options.onAccepted(id, inserted)),
      )
  }
}

const isSame = (a: Candidate, b: Candidate) => a.replacement.text.trimEnd() === b.replacement.text.trimEnd()
