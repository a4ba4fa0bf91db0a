// Next edits with a language that knows each name wherever it is a whole word, and a model whose answers a test gives.
import assert from 'node:assert/strict'
import type { Fix, Occurrence, Problem } from '../../../src/core/nextEdit/languageServer.ts'
import type { EditQuestion } from '../../../src/core/nextEdit/modelEdits.ts'
import { NextEdits } from '../../../src/core/nextEdit/nextEdits.ts'
import { textAfter } from '../../../src/core/nextEdit/plannedEdit.ts'
import type { DocumentSnapshot } from '../../../src/core/workspace/documentSnapshot.ts'
import type { Replacement } from '../../../src/core/workspace/replacement.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { FollowedDocuments } from '../complete/followedDocuments.ts'

export const a = 'file:///work/src/a.ts'
export const b = 'file:///work/src/b.ts'

export class NextEditHarness {
  readonly clock = new FakeClock()
  readonly followed = new FollowedDocuments()
  readonly hints: (string | undefined)[] = []
  isWanted = true
  isIdle = true
  readonly questions: (EditQuestion & { signal: AbortSignal })[] = []
  answer: (text: string) => Replacement | undefined | Promise<undefined> = () => undefined
  problems: Problem[] = []
  fix: (snapshot: DocumentSnapshot) => Omit<Fix, 'version'> | undefined = () => undefined
  around: readonly [string, string] = ['', '']
  names = new Set<string>()
  language = 'typescript'
  #marked = ''
  readonly edits = new NextEdits({
    documents: this.followed.documents,
    clock: this.clock,
    isWanted: () => this.isWanted,
    log: { debug: text => assert.fail(text) },
    isIdle: () => this.isIdle,
    mayRead: ({ id }) => id !== b,
    model: {
      suggest: async (question, signal) => {
        this.questions.push({ ...question, signal })
        return this.answer(question.snapshot.text)
      },
    },
    server: {
      occurrencesOf: async (documentId, offset) => {
        const document = this.followed.documents.get(documentId)
        const name = /^\w+/.exec(document?.text.slice(offset) ?? '')?.[0] ?? ''
        if (!this.names.has(name)) return []
        return [a, b].flatMap(id => this.#placesOf(name, id))
      },
      fixOf: async documentId => {
        const document = this.followed.documents.get(documentId)
        const fix = document && this.fix(this.followed.look(this.#marked, { id: documentId, language: this.language }))
        return fix && { ...fix, version: document.version }
      },
      open: async documentId => this.followed.documents.get(documentId),
    },
  })

  constructor(...names: string[]) {
    this.names = new Set(names)
    this.edits.onDidChange(() => this.hints.push(this.result))
  }

  #placesOf(name: string, documentId: string): Occurrence[] {
    const text = this.followed.documents.get(documentId)?.text ?? ''
    const [before, after] = this.around
    return text.split('\n').flatMap((content, line) =>
      [...content.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].map(({ index }) => {
        const isAgain = content.slice(0, index).endsWith(before)
        return { documentId, line, character: isAgain ? index - before.length : index, before, after }
      }),
    )
  }

  /** What the hint would make of its document. */
  get result(): string | undefined {
    const { hint } = this.edits
    const document = hint && this.followed.documents.get(hint.edit.documentId)
    return document && textAfter(document, hint.edit)
  }

  /** The document becomes this, and nothing happens for a second. */
  async type(marked: string, id = a): Promise<string | undefined> {
    this.#marked = marked
    this.edits.follow(this.followed.change(marked, { id, language: this.language }), this.problems)
    await this.quiet()
    return this.result
  }

  async quiet(): Promise<void> {
    for (let at = 0; at < 4; at++) {
      await this.clock.advance(250)
      await settled()
    }
  }

  /** Applies the hint, and has the editor report the change. */
  async apply(): Promise<string | undefined> {
    const { hint } = this.edits
    const result = this.result
    assert.ok(hint && result !== undefined)
    const [first] = hint.edit.replacements
    const marked = `${result.slice(0, first?.start)}|${result.slice(first?.start)}`
    this.edits.follow(this.followed.change(marked, { id: hint.edit.documentId, language: this.language }), [])
    this.edits.applied(hint)
    await this.quiet()
    return this.result
  }
}
