// `PromptWriter`: writes the request for a completion, with what its prompt holds of the document and of other places.
import type { ModelRequest } from '../model/modelClient.ts'
import type { AccessPolicy } from '../workspace/accessPolicy.ts'
import { type DocumentSnapshot, factsOf } from '../workspace/documentSnapshot.ts'
import type { CompletionContext } from './candidate.ts'
import { ContextCost } from './contextCost.ts'
import { holdControlTokens } from './fillInPrompt.ts'
import { completionRequest, contextCharsOf, type PromptMode, promptParts, textsOf, withHalfContext } from './prompt.ts'
import { MarksOfDocuments, type PromptMarks } from './promptMarks.ts'
import type { PromptModes } from './promptModes.ts'
import type { PromptSources } from './promptSources.ts'
import { SnippetSelector, sizeOf } from './snippetSelector.ts'
import type { ThinkingSwitch } from './thinkingSwitch.ts'

export interface PromptWriterOptions {
  /** Other open documents, the visible ones first. */
  readonly neighbours: (snapshot: DocumentSnapshot) => readonly DocumentSnapshot[]
  /** Decides which documents may be read. */
  readonly access: Pick<AccessPolicy, 'refusalOf'>
  readonly thinking: Pick<ThinkingSwitch, 'for'>
  /** What else is known of the place. */
  readonly sources: Pick<PromptSources, 'for'>
  readonly modes: Pick<PromptModes, 'for'>
}

export interface WrittenRequest {
  readonly request: ModelRequest
  readonly marks: PromptMarks
  readonly mode: PromptMode
}

export class PromptWriter {
  readonly #options: PromptWriterOptions
  readonly #snippets = new SnippetSelector()
  readonly #marks = new MarksOfDocuments()
  readonly #contextCost = new ContextCost()

  constructor(options: PromptWriterOptions) {
    this.#options = options
  }

  /** It is about to be sent. */
  write({ snapshot, shape, model }: CompletionContext, temperature: number): WrittenRequest {
    const { sources, modes, thinking } = this.#options
    const gathered = sources.for(snapshot)
    const taken = sizeOf([...gathered.declarations, ...gathered.cells])
    const snippets = this.#snippets.select(snapshot, this.#readableNeighbours(snapshot), taken)
    const whole = promptParts(snapshot, snippets, gathered)
    const parts = this.#contextCost.isTooHigh(contextCharsOf(whole)) ? withHalfContext(whole) : whole
    const texts = textsOf(parts)
    const marks = this.#marks.marksFor(snapshot, texts)
    const mode = holdControlTokens(texts) ? 'hole' : modes.for(model)
    const thinkingOff = thinking.for(model)
    const request = completionRequest(model, parts, shape, { marks, mode })
    this.#contextCost.sent(texts.join('\0'))
    return { request: { ...request, temperature, ...(thinkingOff && { thinkingOff }) }, marks, mode }
  }

  /** The first text of the answer to what was written last. */
  received(firstTextMs: number): void {
    this.#contextCost.received(firstTextMs)
  }

  forget(documentId: string): void {
    this.#marks.forget(documentId)
  }

  #readableNeighbours(snapshot: DocumentSnapshot): DocumentSnapshot[] {
    const { neighbours, access } = this.#options
    const mayRead = (other: DocumentSnapshot) => access.refusalOf(factsOf(other), 'context') === undefined
    return neighbours(snapshot).filter(other => other.id !== snapshot.id && mayRead(other))
  }
}
