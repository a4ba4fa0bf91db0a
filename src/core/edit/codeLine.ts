// `CodeLine`: a line of code with its indentation; and what it declares, closes or leaves out.

export interface CodeLine {
  readonly raw: string
  /** Without white space at both ends. */
  readonly key: string
  /** Columns of indentation; a tab is four. */
  readonly indent: number
}

const TAB = 4

export function codeLines(text: string): readonly CodeLine[] {
  return text.split('\n').map(codeLine)
}

export function codeLine(raw: string): CodeLine {
  const lead = /^[ \t]*/.exec(raw)?.[0] ?? ''
  const indent = [...lead].reduce((sum, char) => sum + (char === '\t' ? TAB : 1), 0)
  return { raw, key: raw.trim(), indent }
}

/** One level of indentation: a tab, or so many spaces. */
export function indentUnit(lines: readonly CodeLine[]): string {
  if (lines.some(({ raw }) => raw.startsWith('\t'))) return '\t'
  const indents = lines.flatMap(({ indent, key }) => (key === '' ? [] : [indent]))
  const steps = indents.flatMap((indent, at) => {
    const step = Math.abs(indent - (indents[at - 1] ?? indent))
    return step > 1 && step <= 8 ? [step] : []
  })
  return ' '.repeat(steps.length > 0 ? Math.max(2, Math.min(...steps)) : 2)
}

const omission = [
  String.raw`(?:\.{3}|…)[^\w"'\`({[\]})]*(?:.*?(?:\.{3}|…))?[^\w"'\`({[\]})]*`,
  String.raw`(?:\.{3}|…)?\s*(?:\(?(?:the\s+)?(?:rest|remainder|remaining|existing|other|previous|same|unchanged|more)\b.{0,60}?\b(?:code|here|file|function|class|method|methods|content|contents|imports|implementation|unchanged|before|as before|same|logic|stays?|remains?|fields|props|properties|functions|tests|rules|styles|lines|above|below|omitted)\b.{0,40})`,
  String.raw`(?:\.{3}|…)\s*\w.{0,80}`,
].join('|')
const comment = [
  String.raw`(?:\/\/+|#+|--|;+|%|')\s*(?:${omission})`,
  String.raw`\/\*+\s*(?:${omission})\s*\*+\/`,
  String.raw`\{\s*\/\*+\s*(?:${omission})\s*\*+\/\s*\}`,
  String.raw`<!--\s*(?:${omission})\s*-->`,
  String.raw`(?:\.{3}|…)`,
].join('|')
const elision = new RegExp(`^(?:${comment})$`, 'i')

/** A comment in the place of code that is left out, such as `// ... existing code ...`. */
export function isElision({ key }: CodeLine): boolean {
  return elision.test(key)
}

/** Only brackets and what ends a block. */
export function isCloser({ key }: CodeLine): boolean {
  return /^(?:[\])}]+[\])};,]*|end[;,]?|fi|done|esac|<\/[\w.-]+>|\/?>)$/.test(key)
}

/** A closing bracket that opens another block: `} else {`, `) {`, `): number {`. */
function continues({ key }: CodeLine): boolean {
  return /^[\])}].*[{([:]$|^[\])}].*=>$/.test(key) || /^(?:else|elif|except|finally|catch|rescue)\b/.test(key)
}

const heads: readonly RegExp[] = [
  /^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\s*\*?|class|interface|enum|namespace|module|type)\s+([\w$]+)/,
  /^(?:export\s+)?(?:declare\s+)?(?:const|let|var)\s+([\w$]+)/,
  /^(?:pub(?:\([\w\s]+\))?\s+)?(?:default\s+)?(?:const\s+)?(?:async\s+)?(?:unsafe\s+)?(?:extern\s+"\w+"\s+)?(?:fn|struct|enum|trait|mod|union|static|type)\s+(\w+)/,
  /^(impl(?:<[^>]*>)?\s+[^{]+?)\s*(?:where\b.*)?\{?$/,
  /^(?:async\s+)?def\s+(?:self\.)?(\w+[?!]?)/,
  /^func\s+(\([^)]*\)\s*\w+|\w+)/,
  /^(?:module|class)\s+([\w:]+)/,
  /^(?:(?:public|private|protected|internal|static|final|abstract|override|virtual|sealed|async|readonly|partial|inline|constexpr|open|data|suspend|export|unsafe|extern|default|synchronized|native)\s+)+(?:class|interface|enum|struct|record|object|namespace|fun|trait)\s+(\w+)/,
  /^(?:class|interface|struct|record|object|namespace|fun|trait|protocol|extension)\s+(?:<[^>]*>\s*)?([\w.]+)/,
  /^(?:(?:public|private|protected|internal|static|final|abstract|override|virtual|sealed|async|readonly|get|set|inline|constexpr|synchronized|native|unsafe|extern)\s+)*(?:[\w<>[\],.?:*&\s]+\s+[*&]*)?([\w$#~]+)\s*(?:<[^>(]*>)?\([^;]*\)?[^;=]*(?:\{|,|\()$/,
  /^(?:CREATE|create)\s+(?:OR\s+REPLACE\s+)?(?:TABLE|VIEW|FUNCTION|INDEX|table|view|function|index)\s+(?:IF\s+NOT\s+EXISTS\s+)?([\w."]+)/,
  /^([.#@:\w][^{};]*?)\s*\{$/,
  /^((?:test|it|describe|suite)\w*\(\s*(['"`]).*?\2)/,
]

const notHeads =
  /^(?:if|else|for|foreach|while|switch|case|do|try|catch|finally|return|throw|await|yield|new|with|elif|except|match|loop|unless|until|when|using|lock|super|import|from|package|require|assert|print|echo|defer|go|select)\b/

/** The name that the line declares; for a rule of a style sheet its whole head. */
export function declaredName({ key }: CodeLine): string | undefined {
  if (notHeads.test(key) || isCloser(codeLine(key))) return undefined
  for (const head of heads) {
    const name = head.exec(key)?.[1]
    if (name !== undefined) return name.replaceAll(/\s+/g, ' ').trim()
  }
  return undefined
}

export function isImport({ key }: CodeLine): boolean {
  return /^(?:import\b|from\s+\S+\s+import\b|#include\b|using\s+[\w.]+;|use\s+[\w:{]|require(?:_relative)?[\s(]|(?:const|let|var)\s.*=\s*require\()/.test(
    key,
  )
}

/** Comments, decorators and attributes, which belong to the declaration below. */
export function isLead({ key }: CodeLine): boolean {
  return /^(?:\/\/|\/\*|\*|#(?!include|!)|@\w|\[\w+.*\]$|--|"""|'''|<!--)/.test(key)
}

/** The index after the last line of what begins at `from`, by indentation. */
export function endOf(lines: readonly CodeLine[], from: number, limit = lines.length): number {
  const head = lines[from]
  if (!head) return from
  let end = from + 1
  for (let at = from + 1; at < limit; at++) {
    const line = lines[at]
    if (!line || line.key === '') continue
    if (
      line.indent > head.indent ||
      (line.indent === head.indent && (continues(line) || opensBlock(line, lines, from)))
    ) {
      end = at + 1
    } else if (line.indent === head.indent && isCloser(line)) {
      end = at + 1
      // After a list of parameters or decorators in brackets of their own the body may follow.
      if (!/^[\])]/.test(line.key)) return end
    } else return end
  }
  return end
}

/** A brace on a line of its own, right below the head. */
function opensBlock({ key }: CodeLine, lines: readonly CodeLine[], from: number): boolean {
  return key === '{' && !/[{};]$/.test(lines[from]?.key ?? '')
}

/** How many more brackets of each kind are opened than closed; those in strings count too, which a comparison evens out. */
export function bracketBalance(lines: readonly CodeLine[]): string {
  const text = lines.map(({ key }) => key).join('\n')
  const count = (char: string) => text.split(char).length
  return ['{}', '()', '[]'].map(([open = '', close = '']) => count(open) - count(close)).join()
}
