// `readPattern`: the pattern of a search as a regular expression that never goes beyond a line, and what any match of it must contain.

/** `source` and `flags` of a regular expression; in a thread it is made anew. */
export interface SearchPattern {
  readonly source: string
  readonly flags: string
  /**
   * Texts of which each match contains at least one, with the letter case of the pattern; empty where there are none. A
   * text without any of them is not looked at.
   */
  readonly literals: readonly string[]
  readonly ignoresCase: boolean
  /** The pattern itself contains a line end, so that a match may have several lines. */
  readonly isMultiline: boolean
}

export type ReadPattern =
  | { readonly is: 'pattern'; readonly pattern: SearchPattern }
  /** `at`: the offset of the mistake. */
  | { readonly is: 'invalid'; readonly problem: string; readonly at: number }

/** More texts than this are looked for one by one in each file, which takes longer than the expression itself. */
const MOST_LITERALS = 12

/** `isLiteral`: every character means itself. */
export function readPattern(written: string, isLiteral: boolean): ReadPattern {
  if (written === '') return { is: 'invalid', problem: 'it is empty', at: 0 }
  if (isLiteral) {
    const text = written.replaceAll('\r\n', '\n')
    const isMultiline = text.includes('\n')
    const source = escaped(text).replaceAll('\n', '\\r?\\n')
    const literals = isMultiline ? longest(text.split('\n')) : [text]
    return { is: 'pattern', pattern: { source, flags: 'um', literals, ignoresCase: false, isMultiline } }
  }
  // Other engines have flags of the whole expression at its beginning.
  const [lead = '', letters = ''] = /^\(\?([imsu]+)\)/.exec(written) ?? []
  const body = written.slice(lead.length)
  const ignoresCase = letters.includes('i')
  const doesDotCross = letters.includes('s')
  const flags = `um${ignoresCase ? 'i' : ''}${doesDotCross ? 's' : ''}`
  const strict = inStrictForm(body)
  const problem = problemOf(strict, flags)
  if (problem !== undefined) return { is: 'invalid', problem, at: lead.length + positionOfMistake(body, flags) }
  const isMultiline = doesDotCross || hasLineEnd(body)
  const reader = new Reader(strict, isMultiline)
  const { required } = reader.alternatives()
  const literals = required.length > MOST_LITERALS ? [] : required
  return { is: 'pattern', pattern: { source: reader.source, flags, literals, ignoresCase, isMultiline } }
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

const longest = (texts: readonly string[]) => {
  const text = texts.reduce((best, one) => (one.length > best.length ? one : best), '')
  return text === '' ? [] : [text]
}

function problemOf(source: string, flags: string): string | undefined {
  try {
    new RegExp(source, flags)
    return undefined
  } catch (fault) {
    const text = fault instanceof Error ? fault.message : String(fault)
    const reason = text.slice(text.lastIndexOf(': ') + 2)
    return reason.charAt(0).toLowerCase() + reason.slice(1)
  }
}

/** Where the shortest beginning ends that nothing can complete, because the engine does not report the place. */
function positionOfMistake(source: string, flags: string): number {
  const endings = ['', ')', '))', ')))', ']', '])', ']))', 'a', '}', 'a)', ':)', '=)', 'n>)', '>)']
  for (let end = 1; end <= source.length; end++) {
    const start = source.slice(0, end)
    if (endings.every(ending => problemOf(inStrictForm(start + ending), flags) !== undefined)) return end - 1
  }
  return source.length
}

/** The POSIX classes that other engines have. */
const posixClasses: Readonly<Record<string, string>> = {
  alnum: 'a-zA-Z0-9',
  alpha: 'a-zA-Z',
  blank: ' \\t',
  digit: '0-9',
  lower: 'a-z',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\s',
  upper: 'A-Z',
  word: '\\w',
  xdigit: '0-9A-Fa-f',
}

/** A class, an escape, a quantifier in braces, the name of a group, or a sign that must be escaped. */
const token = /\[\^?\]?(?:\[:[a-z]+:\]|\\.|[^\]\\])*\]|\\[pPu]\{[^}]*\}|\\.|\{\d+(?:,\d*)?\}|\(\?P(?=<)|[{}\]]/gsu

/** What other engines accept and the flag `u` does not: signs that are escaped without need, or not escaped. */
function inStrictForm(source: string): string {
  return source.replace(token, (text: string) => {
    if (text.startsWith('[')) return classInStrictForm(text)
    if (text.startsWith('\\')) return text === '\\-' ? '-' : escapeInStrictForm(text)
    if (text === '(?P') return '(?'
    return text.length > 1 ? text : `\\${text}`
  })
}

function classInStrictForm(text: string): string {
  const lead = text.startsWith('[^') ? '[^' : '['
  const inner = text.slice(lead.length, -1).replace(/^\]/, '\\]')
  const plain = inner.replace(/\[:([a-z]+):\]/g, (whole, name: string) => posixClasses[name] ?? whole)
  return `${lead}${plain.replace(/\\./gsu, escapeInStrictForm)}]`
}

/** A letter or digit means something, and so does a sign of the syntax; any other character is itself. */
const escapeInStrictForm = (text: string) =>
  text.length === 1 || /^\\[\w^$\\.*+?()[\]{}|/-]/.test(text) ? text : text.slice(1)

/** Whether the expression names a line end that a match may contain. */
function hasLineEnd(source: string): boolean {
  const plain = source.replace(/\[\^(?:\\.|[^\]\\])*\]/gsu, '')
  return /\n|(?:^|[^\\])(?:\\\\)*\\(?:n|x0[aA]|u000[aA]|u\{0*[aA]\})/.test(plain)
}

/** What is known of a part of the expression. `exact`: it matches this text alone. */
interface Part {
  readonly exact: string | undefined
  /** Each match contains one of them; empty: nothing is known. */
  readonly required: readonly string[]
}

const unknown: Part = { exact: undefined, required: [] }

/** Reads an expression that is known to be valid with the flag `u`, and writes it so that no class contains a line end. */
class Reader {
  readonly #text: string
  readonly #mayCross: boolean
  #at = 0
  #out = ''

  constructor(text: string, mayCross: boolean) {
    this.#text = text
    this.#mayCross = mayCross
  }

  get source(): string {
    return this.#out
  }

  alternatives(): Part {
    const parts = [this.#sequence()]
    while (this.#peek() === '|') {
      this.#copy(1)
      parts.push(this.#sequence())
    }
    const [only] = parts
    if (only && parts.length === 1) return only
    const required = parts.map(part => part.required)
    return { exact: undefined, required: required.every(one => one.length > 0) ? [...new Set(required.flat())] : [] }
  }

  #sequence(): Part {
    /** Of what follows each other without a gap. */
    let run = ''
    let isExact = true
    let best: readonly string[] = []
    const add = (texts: readonly string[]) => {
      if (weight(texts) > weight(best)) best = texts
    }
    while (this.#at < this.#text.length && this.#peek() !== '|' && this.#peek() !== ')') {
      const part = this.#repeated()
      if (part.exact !== undefined) run += part.exact
      else {
        add(run === '' ? [] : [run])
        add(part.required)
        run = ''
        isExact = false
      }
    }
    add(run === '' ? [] : [run])
    return { exact: isExact ? run : undefined, required: best }
  }

  /** A part with its quantifier. */
  #repeated(): Part {
    const start = this.#out.length
    const part = this.#one()
    const quantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(this.#text.slice(this.#at, this.#at + 24))?.[0]
    if (quantifier === undefined) return part
    // A class may have been written with a condition before it, which the quantifier must include.
    const written = this.#out.slice(start)
    if (written.startsWith('(?!\\n)')) this.#out = `${this.#out.slice(0, start)}(?:${written})`
    this.#copy(quantifier.length)
    const least = quantifier.startsWith('{') ? Number.parseInt(quantifier.slice(1), 10) : Number(quantifier[0] === '+')
    if (least === 0) return unknown
    const required = part.exact ? [part.exact] : part.required
    return { exact: undefined, required }
  }

  #one(): Part {
    const character = this.#peek()
    if (character === '(') return this.#group()
    if (character === '[') return this.#class()
    if (character === '\\') return this.#escape()
    if (character === '.') return this.#put('.', unknown)
    if (character === '^' || character === '$') return this.#put(character, { exact: '', required: [] })
    return this.#put(character, { exact: character, required: [character] })
  }

  #group(): Part {
    const lead = /^\((?:\?(?:[:=!]|<[=!]|<[^>]*>|[a-z-]*:))?/.exec(this.#text.slice(this.#at))?.[0] ?? '('
    const isLook = /^\(\?<?[=!]/.test(lead)
    this.#copy(lead.length)
    const inner = this.alternatives()
    this.#copy(1)
    // What is looked at does not belong to the match; and flags of a group may make its letters match others.
    if (isLook) return { exact: '', required: [] }
    return /^\(\?[a-z-]+:/.test(lead) ? unknown : inner
  }

  #class(): Part {
    let end = this.#at + 1
    while (this.#text[end] !== ']') end += this.#text[end] === '\\' ? 2 : 1
    const inner = this.#text.slice(this.#at + 1, end)
    this.#at = end + 1
    if (this.#mayCross) this.#out += `[${inner}]`
    else if (inner.startsWith('^')) this.#out += `[${inner}\\n]`
    else if (/\\[sWDPp]/.test(inner)) this.#out += `(?!\\n)[${inner}]`
    else this.#out += `[${inner}]`
    return unknown
  }

  #escape(): Part {
    const rest = this.#text.slice(this.#at)
    const whole = /^\\(?:u\{[\da-fA-F]+\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|[pP]\{[^}]*\}|k<[^>]*>|c[a-zA-Z]|\d+|.)/su.exec(
      rest,
    )
    const text = whole?.[0] ?? rest.slice(0, 2)
    this.#at += text.length
    const kind = text[1] ?? ''
    if (kind === 'b' || kind === 'B') return this.#write(text, { exact: '', required: [] })
    if (/[wWdDsSpPk\d]/.test(kind)) return this.#write(this.#withoutLineEnd(text, kind), unknown)
    const meant = meaningOf(text)
    return this.#write(text, meant === undefined ? unknown : { exact: meant, required: [meant] })
  }

  #withoutLineEnd(text: string, kind: string): string {
    if (this.#mayCross) return text
    if (kind === 's') return '[^\\S\\n]'
    if (kind === 'W') return '[^\\w\\n]'
    if (kind === 'D') return '[^\\d\\n]'
    return kind === 'p' || kind === 'P' ? `(?!\\n)${text}` : text
  }

  /** One character of the text, which may be two code units. */
  #peek(): string {
    const point = this.#text.codePointAt(this.#at)
    return point === undefined ? '' : String.fromCodePoint(point)
  }

  #put(character: string, part: Part): Part {
    this.#copy(character.length)
    return part
  }

  #write(text: string, part: Part): Part {
    this.#out += text
    return part
  }

  #copy(length: number): void {
    this.#out += this.#text.slice(this.#at, this.#at + length)
    this.#at += length
  }
}

/** How rare a match of them is: that of the shortest decides. */
function weight(texts: readonly string[]): number {
  if (texts.length === 0) return 0
  return Math.min(...texts.map(text => text.length)) - (texts.length - 1) / 100
}

function meaningOf(text: string): string | undefined {
  const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', 0: '\0' }
  const kind = text[1] ?? ''
  if (kind === 'u' || kind === 'x') return String.fromCodePoint(Number.parseInt(text.replace(/^\\[ux]\{?/, ''), 16))
  if (kind === 'c') return undefined
  return controls[kind] ?? kind
}
