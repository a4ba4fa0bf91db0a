// `Words`: the page's sentences in the language of the editor, with values in place of their placeholders.
import type { PageText, Placeholder, SentenceName } from '../protocol/pageText.ts'

type Values<Name extends SentenceName, Value> = Readonly<Record<Placeholder<Name>, Value>>
/** No argument for a sentence without placeholders. */
type ValuesIfAny<Name extends SentenceName> = [Placeholder<Name>] extends [never]
  ? []
  : [values: Values<Name, string | number>]

export class Words {
  readonly #text: PageText

  constructor(text: PageText) {
    this.#text = text
  }

  of<Name extends SentenceName>(name: Name, ...[values]: ValuesIfAny<Name>): string {
    return filled(this.#text[name], values ?? {}).join('')
  }

  /** The text of a sentence, and between it the values, which need not be text. */
  around<Name extends SentenceName, V extends Values<Name, unknown>>(name: Name, values: V): (string | V[keyof V])[] {
    return filled(this.#text[name], values)
  }
}

/** A placeholder without a value stays. */
function filled<V extends object>(sentence: string, values: V): (string | V[keyof V])[] {
  const byName = new Map<string, V[keyof V]>(Object.entries(values))
  return sentence.split(/\{(\w+)\}/).map((part, at) => (at % 2 === 0 ? part : (byName.get(part) ?? `{${part}}`)))
}
