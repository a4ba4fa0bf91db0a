// `PromptMarks`: the mark of the cursor and the tags of a prompt, none of which occurs in its parts.

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

  /** Any of them would be mistaken for the prompt's own. */
  occurIn(text: string): boolean {
    if (text.includes(this.cursor) || text.includes(this.opening) || text.includes(this.closing)) return true
    return partTags.some(name => text.includes(`</${name}${this.#suffix}>`))
  }
}

export const usualMarks = new PromptMarks()

/** For each open document the first variant that occurs in no part of its prompts so far. */
export class MarksOfDocuments {
  readonly #marks = new Map<string, PromptMarks>()

  /** The document keeps the variant, because each change makes a server read the whole prompt again. */
  marksFor(documentId: string, parts: readonly string[]): PromptMarks {
    let marks = this.#marks.get(documentId) ?? usualMarks
    while (parts.some(part => marks.occurIn(part))) marks = new PromptMarks(marks.number + 1)
    if (marks !== usualMarks) this.#marks.set(documentId, marks)
    return marks
  }

  forget(documentId: string): void {
    this.#marks.delete(documentId)
  }
}
