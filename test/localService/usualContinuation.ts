// A handful of continuations that anyone would write, for text that was never seen before.
export interface Place {
  readonly before: string
  readonly after: string
  readonly language: string
}

export function usualContinuation({ before, after, language }: Place): string | undefined {
  // The cursor may already stand on the new line that the editor has indented.
  const header = before.trimEnd()
  const line = header.split('\n').at(-1) ?? ''
  const indent = /^\s*/.exec(line)?.[0] ?? ''
  for (const { languages, shape, body, close } of usual) {
    const match = languages.test(language) && shape.exec(line)
    if (!match) continue
    const text = body(match)
    if (close === undefined) return sameLine(text, before, after)
    const step = language === 'go' ? '\t' : ' '.repeat(isFourSpaced(language) ? 4 : 2)
    const inside = before === header ? `\n${indent}${step}${text}` : text
    const isOpen = close !== '' && !after.trimStart().startsWith(close)
    return before === header || isOnNewLine(before) ? inside + (isOpen ? `\n${indent}${close}` : '') : undefined
  }
  return undefined
}

/** The editor closes a bracket by itself, and the typist may have typed the space already. */
function sameLine(text: string, before: string, after: string): string | undefined {
  if (isOnNewLine(before)) return undefined
  const open = after.startsWith(')') ? text.replace(/\).*$/, '') : text
  return /\s$/.test(before) ? open.trimStart() : open
}

interface Usual {
  readonly languages: RegExp
  readonly shape: RegExp
  readonly body: (match: RegExpExecArray) => string
  /** What closes the block; undefined where the text goes on in the same line. */
  readonly close?: string
}

const script = /^(?:typescript|javascript)/

const usual: readonly Usual[] = [
  {
    languages: script,
    shape: /\bfunction\s+(\w+)\s*\(([^)]*)\)[^{]*\{$/,
    body: ([, name = '', parameters = '']) => `return ${expressionOf(name, parameters, /^\w+/)}`,
    close: '}',
  },
  {
    languages: /^python$/,
    shape: /\bdef\s+(\w+)\s*\(([^)]*)\)[^:]*:$/,
    body: ([, name = '', parameters = '']) =>
      `return ${expressionOf(name, parameters.replace(/^self,?\s*/, ''), /^\w+/)}`,
    close: '',
  },
  {
    languages: /^rust$/,
    shape: /\bfn\s+(\w+)\s*\(([^)]*)\)[^{]*\{$/,
    body: ([, name = '', parameters = '']) => expressionOf(name, parameters, /^\w+/),
    close: '}',
  },
  {
    languages: /^go$/,
    shape: /\bfunc\s+(\w+)\s*\(([^)]*)\)[^{]*\{$/,
    body: ([, name = '', parameters = '']) => `return ${expressionOf(name, parameters, /^\w+/)}`,
    close: '}',
  },
  { languages: /^go$/, shape: /\bif err != nil \{$/, body: () => 'return err', close: '}' },
  { languages: script, shape: /\bfor \($/, body: () => 'const item of items) {' },
  { languages: /^python$/, shape: /\bfor (\w+) in$/, body: ([, name = '']) => ` ${name}s:` },
  { languages: script, shape: /\bcatch$/, body: () => ' (error) {' },
  { languages: /^sql$/, shape: /^\s*select$/i, body: () => ' *' },
]

const operators: readonly (readonly [RegExp, string])[] = [
  [/^(?:add|sum|plus|total)/i, '+'],
  [/^(?:sub|minus|difference)/i, '-'],
  [/^(?:mul|times|product)/i, '*'],
  [/^(?:div|ratio)/i, '/'],
]

function expressionOf(functionName: string, parameters: string, nameShape: RegExp): string {
  const names = parameters.split(',').map(one => nameShape.exec(one.trim())?.[0] ?? '')
  const [first = '', second = ''] = names
  const operator = operators.find(([shape]) => shape.test(functionName))?.[1]
  if (operator !== undefined && second !== '') return `${first} ${operator} ${second}`
  return first === '' ? '0' : first
}

const isFourSpaced = (language: string) => language === 'python' || language === 'rust'

const isOnNewLine = (before: string) => /\n[ \t]*$/.test(before)
