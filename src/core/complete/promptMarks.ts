// `PromptMarks`: the mark of the cursor and the tags of a prompt, none of which occurs in its parts.
import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import { hasAnyElement } from './lex.ts'

/** The tags of the parts of a prompt. */
const partTags = [
  'context',
  'file',
  'below_cursor_line',
  'recent_edits',
  'problems',
  'copied',
  'through_cursor_line',
] as const
export type PartTag = (typeof partTags)[number]

export class PromptMarks {
  /** Which variant: the mark and all tags end with this number, except in the first one. */
  readonly number: number
  /** In the place of the cursor. */
  readonly cursor: string
  readonly opening: string
  readonly closing: string
  /** The tags in any letter case, with attributes, as models write them. */
  readonly openingTag: RegExp
  readonly closingTag: RegExp
  /** What ends the text of an answer. */
  readonly end: RegExp
  readonly #suffix: string

  constructor(number = 1) {
    this.number = number
    this.#suffix = number === 1 ? '' : String(number)
    this.cursor = `▮${this.#suffix}`
    this.opening = `<insert${this.#suffix}>`
    this.closing = `</insert${this.#suffix}>`
    this.openingTag = new RegExp(`<insert${this.#suffix}\\b[^<>\\n]*>`, 'i')
    this.closingTag = new RegExp(`</insert${this.#suffix}>`, 'i')
    this.end = new RegExp(`</?insert${this.#suffix}\\b[^<>\\n]*>|${this.cursor}`, 'i')
  }

  /** A part of the prompt; `attributes` begin with a space. */
  part(name: PartTag, attributes: string, content: string): string {
    return `<${name}${this.#suffix}${attributes}>\n${content}</${name}${this.#suffix}>\n`
  }

  /** Any of them would be mistaken for the prompt's own, or would end an answer that repeats it. */
  occurIn(text: string): boolean {
    if (this.end.test(text)) return true
    return partTags.some(name => text.includes(`</${name}${this.#suffix}>`))
  }
}

export const usualMarks = new PromptMarks()
/** An answer may contain an element with the name of the usual tag. */
const marksOfElements = new PromptMarks(2)

/** For each open document the first variant that occurs in no part of its prompts so far. */
export class MarksOfDocuments {
  readonly #marks = new Map<string, PromptMarks>()

  /** The document keeps the variant, because each change makes a server read the whole prompt again. */
  marksFor({ id, language }: Pick<DocumentSnapshot, 'id' | 'language'>, parts: readonly string[]): PromptMarks {
    let marks = this.#marks.get(id) ?? (hasAnyElement(language) ? marksOfElements : usualMarks)
    while (parts.some(part => marks.occurIn(part))) marks = new PromptMarks(marks.number + 1)
    if (marks !== usualMarks) this.#marks.set(id, marks)
    return marks
  }

  forget(documentId: string): void {
    this.#marks.delete(documentId)
  }
}
