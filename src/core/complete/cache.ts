// `AnswerCache`: earlier answers, found by the text before the cursor and the line below it.
import { Lru } from '../../base/lru.ts'
import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import type { Answer } from './answer.ts'
import type { CursorContext } from './cursorContext.ts'

const LIMIT = 200
const LIMIT_PER_DOCUMENT = 40

/** Kept in memory only, and only while the document is open. */
export class AnswerCache {
  #documents = new Lru<string, Lru<Answer, Answer>>(LIMIT / LIMIT_PER_DOCUMENT)

  add(answer: Answer): void {
    if (answer.text.trim() === '') return
    const answers = this.#documents.get(answer.documentId) ?? new Lru<Answer, Answer>(LIMIT_PER_DOCUMENT)
    answers.set(answer, answer)
    this.#documents.set(answer.documentId, answers)
  }

  /** The answers that agree with the snapshot, those with the longest remainder first, then the newest. */
  find(snapshot: DocumentSnapshot, cursor: CursorContext): Answer[] {
    const answers = this.#documents.get(snapshot.id)?.values() ?? []
    return answers
      .flatMap(answer => {
        const agreement = answer.agreement(snapshot)
        if (agreement.kind !== 'agrees' || !answer.isAbove(snapshot, cursor.below)) return []
        return [{ answer, left: answer.whole.length - agreement.from }]
      })
      .sort((a, b) => b.left - a.left)
      .map(({ answer }) => answer)
  }

  forget(documentId: string): void {
    this.#documents.delete(documentId)
  }
}
