// `ConversationSearch`: counts for a page about how often a text occurs in each message of the conversation.
import { type LinkedAbort, linkedAbort } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { answerParts, answerText, pathOf, promptText } from '../../protocol/conversationPath.ts'
import type { ConversationState, Turn } from '../../protocol/conversationState.ts'
import { foldedTexts } from '../../protocol/foldedText.ts'
import type { ToPage } from '../../protocol/panel.ts'
import { occurrencesIn, type SearchOptions, searchPattern, shownText } from '../../protocol/shownText.ts'

export interface ConversationSearchOptions {
  readonly conversation: { readonly id: string; readonly conversation: ConversationState }
  readonly send: (message: ToPage) => void
  readonly clock: Clock
}

type Found = Extract<ToPage, { kind: 'found' }>['turns'][number]

/** `answers`: the text of the answer, what the user has sent meanwhile, and what is folded. */
interface TurnTexts {
  readonly question: string
  readonly answers: readonly string[]
  readonly source: string
}

/** The other extensions of this host wait for no longer than this at a time. */
const SLICE_MS = 8

export class ConversationSearch implements Disposable {
  readonly #options: ConversationSearchOptions
  /** Turns never change once they are complete. */
  readonly #texts = new WeakMap<Turn, TurnTexts>()
  #running: LinkedAbort | undefined

  constructor(options: ConversationSearchOptions) {
    this.#options = options
  }

  /** Ends a search for another text. */
  async find(text: string, { matchCase, wholeWord }: SearchOptions = {}): Promise<void> {
    this.#running?.stop()
    const running = linkedAbort()
    this.#running = running
    const { conversation, send } = this.#options
    const pattern = searchPattern(text, { matchCase, wholeWord })
    const turns = pattern ? await this.#foundIn(pathOf(conversation.conversation), pattern, running.signal) : []
    const found = { kind: 'found', conversation: conversation.id, text, matchCase, wholeWord, turns } as const
    if (!running.signal.aborted) send(found)
  }

  async #foundIn(path: readonly Turn[], pattern: RegExp, signal: AbortSignal): Promise<Found[]> {
    const { clock } = this.#options
    const found: Found[] = []
    let sliceEnd = clock.elapsed() + SLICE_MS
    for (const turn of path) {
      const { question, answers, source } = this.#textsOf(turn)
      const counts = { question: occurrencesIn(question, pattern), answer: 0 }
      for (const answer of answers) counts.answer += occurrencesIn(answer, pattern)
      const isFound = counts.question + counts.answer > 0 || occurrencesIn(source, pattern) > 0
      if (isFound) found.push({ turn: turn.id, ...counts })
      if (clock.elapsed() < sliceEnd) continue
      await new Promise<void>(resolve => clock.later(0, resolve))
      if (signal.aborted) return []
      sliceEnd = clock.elapsed() + SLICE_MS
    }
    return found
  }

  #textsOf(turn: Turn): TurnTexts {
    const known = this.#texts.get(turn)
    if (known) return known
    const asked = promptText(turn.prompt)
    const sent = turn.steps.flatMap(({ messages }) => messages.map(({ parts }) => shownText(promptText(parts))))
    const folded = answerParts(turn).flatMap(part =>
      part.kind === 'reasoning' ? [shownText(part.text.trim())] : foldedTexts(part),
    )
    const answers = [shownText(answerText(turn)), ...sent, ...folded]
    const texts = { question: shownText(asked), answers, source: `${asked}\n${answerText(turn)}` }
    this.#texts.set(turn, texts)
    return texts
  }

  dispose(): void {
    this.#running?.stop()
  }
}
