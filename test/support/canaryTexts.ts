// `CanaryTexts`: random texts that must not be sent, and how many characters of them a text holds, in whatever form.
import { randomInt } from 'node:crypto'

export interface CanaryFind {
  /** Where the canary was planted. */
  readonly planted: string
  readonly chars: number
}

const LETTERS = 'bcdfghjkmnpqrstvwxzBCDFGHJKLMNPQRSTVWXZ23456789'
const CANARY_CHARS = 48
/** So many characters of a form in a row are no accident. */
const GRAM_CHARS = 10

export class CanaryTexts {
  /** By each part of each form, in lower case, where the canary was planted. */
  readonly #grams = new Map<string, string>()
  readonly #values = new Map<string, string>()

  /** A new canary, of letters, digits, and what a URL has to encode. */
  add(planted: string): string {
    const word = (chars: number) =>
      Array.from({ length: chars }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('')
    const value = `${word(CANARY_CHARS / 2)}+/${word(CANARY_CHARS / 2)}`
    this.#values.set(planted, value)
    for (const form of formsOf(value))
      for (let at = 0; at + GRAM_CHARS <= form.length; at++)
        this.#grams.set(form.slice(at, at + GRAM_CHARS).toLowerCase(), planted)
    return value
  }

  get planted(): readonly string[] {
    return [...this.#values.keys()]
  }

  /** Those of the lines that have a canary. */
  linesIn(lines: readonly string[]): readonly string[] {
    const values = [...this.#values.values()]
    return lines.filter(line => values.some(value => line.includes(value)))
  }

  /** Of the JSON of a request as well: line ends, numbers of lines and white space between two parts are left out. */
  findIn(text: string): readonly CanaryFind[] {
    const found = [this.#charsIn(text), this.#charsIn(joined(text))]
    const names = new Set(found.flatMap(one => [...one.keys()]))
    return [...names].map(planted => ({ planted, chars: Math.max(...found.map(one => one.get(planted) ?? 0)) }))
  }

  #charsIn(text: string): ReadonlyMap<string, number> {
    const lower = text.toLowerCase()
    const chars = new Map<string, number>()
    let end = 0
    for (let at = 0; at + GRAM_CHARS <= lower.length; at++) {
      const planted = this.#grams.get(lower.slice(at, at + GRAM_CHARS))
      if (planted === undefined) continue
      const fresh = at + GRAM_CHARS - Math.max(at, end)
      end = at + GRAM_CHARS
      chars.set(planted, (chars.get(planted) ?? 0) + fresh)
    }
    return chars
  }
}

/** Lines as tools number them, and as JSON writes their ends. */
const joined = (text: string) =>
  text
    .replaceAll(/\\[rnt]|[\r\n\t]/g, '\n')
    .replaceAll(/\n+(?:\d+(?:\n|: |- )|[+-] ?)?/g, '')
    .replaceAll(/[ "',]+/g, '')

function formsOf(value: string): readonly string[] {
  const bytes = Buffer.from(value)
  const inBase64 = [0, 1, 2].map(before =>
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
      .slice(before > 0 ? before + 1 : 0, -1),
  )
  return [
    value,
    [...value].toReversed().join(''),
    encodeURIComponent(value),
    bytes.toString('hex'),
    ...inBase64,
    ...inBase64.map(form => form.replaceAll('+', '-').replaceAll('/', '_')),
  ]
}
