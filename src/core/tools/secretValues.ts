// `SecretValues`: replaces the values of secret variables in what the model is sent, however they are encoded.
import { percentDecoded } from '../../base/text.ts'
import { encodedForms } from '../log/encodedForms.ts'
import { secretShapes } from '../log/redact.ts'

/** Shorter values could be part of ordinary words. */
const SHORTEST_VALUE = 8
/** Lines of a value that are found by themselves, such as those of a private key. */
const SHORTEST_LINE = 20

/** A shorter value without a digit may be a word of the language, such as the name of a mode. */
const SHORTEST_WORD = 20

/** Parts of a variable's name that mean a secret. */
const secretWords = new Set([
  ...[
    'key',
    'keys',
    'apikey',
    'token',
    'tokens',
    'secret',
    'secrets',
    'password',
    'passwords',
    'passwd',
    'pwd',
    'pass',
  ],
  ...['passphrase', 'credential', 'credentials', 'creds', 'auth', 'authorization', 'private', 'dsn', 'pat', 'cookie'],
])
const secretName = /(?:key|token|secret|password|passwd|passphrase|credentials?|_pwd|connection_?string)$/i
const connection = /:\/\/[^/\s:@]*:([^/\s@]+)@|\b(?:password|pwd|accountkey|sharedaccesskey)=([^;\s]+)/i
/** Not secrets, and everywhere in the output of programs. */
const notSecret = /^(?:PWD|OLDPWD)$/i
/** An address without anything in it that could be secret. */
const origin = /^[a-z][a-z\d+.-]*:\/\/[^/\s@?#]+\/?$/i

export interface Masked {
  readonly text: string
  /** Something was replaced. */
  readonly isMasked: boolean
}

interface Found {
  readonly from: number
  readonly end: number
  readonly mark: string
}

/** A value of the environment that the processes get and the model does not. */
interface Secret {
  readonly mark: string
  readonly forms: readonly string[]
  /** It is found by accident nowhere. */
  readonly isDistinct: boolean
}

export class SecretValues {
  readonly #names: readonly string[]
  readonly #secrets: readonly Secret[]

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    const found = Object.entries(environment).flatMap(([name, value = '']) => secretsOf(name, value))
    this.#names = [...new Set(found.map(({ name }) => name))]
    // The longest first, because a shorter value may be part of a longer one.
    this.#secrets = found
      .toSorted((a, b) => b.value.length - a.value.length)
      .map(({ name, value }) => ({
        mark: `[value of ${name}]`,
        forms: [...new Set(encodedForms(value))],
        isDistinct: /\d/.test(value) || value.length >= SHORTEST_WORD,
      }))
  }

  /** How many characters beside a part of a text are looked at, so that a value is found that begins or ends there. */
  get marginChars(): number {
    return Math.max(1_000, ...this.#secrets.flatMap(({ forms }) => forms.map(form => 3 * form.length)))
  }

  /** Of the variables that hold a secret. */
  get names(): readonly string[] {
    return this.#names
  }

  /** The names of these variables that the text contains as words. */
  namesIn(text: string): readonly string[] {
    const words = new Set(text.split(/\W+/))
    return this.#names.filter(name => words.has(name))
  }

  mask(text: string): Masked {
    return this.maskPart(text, 0, text.length)
  }

  /**
   * For the text of files: only distinct values of variables, and nothing by its shape, because much in source code has
   * the shape of a secret.
   */
  maskValues(text: string): Masked {
    const secrets = this.#secrets.filter(({ isDistinct }) => isDistinct)
    return masked(text, 0, text.length, inOrder(variablesIn(text, secrets)))
  }

  /** The first mark in the text that replaces a value of a variable. */
  markIn(text: string): string | undefined {
    return this.#secrets.map(({ mark }) => mark).find(mark => text.includes(mark))
  }

  /** Only the part of the text, in which a value counts as whole although a half of it is outside. */
  maskPart(text: string, from: number, end: number): Masked {
    return masked(text, from, end, inOrder([...variablesIn(text, this.#secrets), ...shapes(text)]))
  }
}

function variablesIn(text: string, secrets: readonly Secret[]): Found[] {
  return [...valuesIn(text, secrets), ...valuesInWrapped(text, joined => valuesIn(joined, secrets))]
}

function* valuesIn(text: string, secrets: readonly Secret[]): Generator<Found> {
  for (const { mark, forms } of secrets) {
    for (const form of forms) {
      for (let from = text.indexOf(form); from >= 0; from = text.indexOf(form, from + form.length))
        yield { from, end: from + form.length, mark }
    }
  }
}

function masked(text: string, from: number, end: number, all: readonly Found[]): Masked {
  const found = all.filter(one => one.end > from && one.from < end)
  let shown = ''
  let at = from
  for (const one of found) {
    shown += text.slice(at, Math.max(at, one.from)) + one.mark
    at = Math.min(one.end, end)
  }
  return { text: shown + text.slice(at, end), isMasked: found.length > 0 }
}

/** None overlapping another. */
function inOrder(found: readonly Found[]): readonly Found[] {
  const kept: Found[] = []
  for (const one of found.toSorted((a, b) => a.from - b.from || b.end - a.end)) {
    const last = kept.at(-1)
    if (!last || one.from >= last.end) kept.push(one)
    else if (one.end > last.end) kept.splice(-1, 1, { ...last, end: one.end })
  }
  return kept
}

function secretsOf(name: string, value: string): { readonly name: string; readonly value: string }[] {
  const [, ofUrl, ofList] = connection.exec(value) ?? []
  const password = ofUrl ?? ofList
  if (password === undefined && !isSecretName(name)) return []
  const whole = value.trim()
  const lines = whole.includes('\n') ? whole.split(/\r?\n/).filter(line => line.trim().length >= SHORTEST_LINE) : []
  return [whole, ...lines.map(line => line.trim()), password ?? '', percentDecoded(password ?? '')]
    .filter(one => one.length >= SHORTEST_VALUE && !origin.test(one))
    .map(one => ({ name, value: one }))
}

function isSecretName(name: string): boolean {
  if (notSecret.test(name)) return false
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
  return secretName.test(name) || words.some(word => secretWords.has(word))
}

function shapes(text: string): Found[] {
  return secretShapes.flatMap(([pattern, instead]) =>
    [...text.matchAll(pattern)].map(match => {
      const kept = instead.replaceAll(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? '')
      return { from: match.index, end: match.index + match[0].length, mark: kept.replace('…', '[secret value]') }
    }),
  )
}

/** Where a text that was encoded may go on in the next line, whatever the width of the lines. */
const wrap = /(?<=[A-Za-z0-9+/=_-])[ \t]*\r?\n[ \t]*(?=[A-Za-z0-9+/=_-])/g

/** What is found only where such lines are joined. */
function* valuesInWrapped(text: string, values: (joined: string) => Iterable<Found>): Generator<Found> {
  const starts = [0]
  const origins = [0]
  let joined = ''
  for (const { 0: found, index } of text.matchAll(wrap)) {
    joined += text.slice(origins.at(-1), index)
    starts.push(joined.length)
    origins.push(index + found.length)
  }
  if (starts.length === 1) return
  joined += text.slice(origins.at(-1))
  const placeOf = (at: number) => {
    const line = lineAt(starts, at)
    return (origins[line] ?? 0) + at - (starts[line] ?? 0)
  }
  for (const { from, end, mark } of values(joined)) {
    const [first, last] = [placeOf(from), placeOf(end - 1)]
    if (last - first > end - 1 - from) yield { from: first, end: last + 1, mark }
  }
}

/** The last line that begins at this place or before. */
function lineAt(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= at) low = middle
    else high = middle - 1
  }
  return low
}
