// `frontMatter`: the few keys that instruction and prompt files have above their text.
export interface FrontMatter {
  /** Keys as they are written; a list has several values. */
  readonly values: ReadonlyMap<string, readonly string[]>
  /** What follows it. */
  readonly body: string
}

/**
 * Of YAML only `key: value`, `key: [a, b]`, `key:` with lines `- a`, and `key: >` or `key: |` with indented lines; any other
 * line is ignored.
 */
export function frontMatter(text: string): FrontMatter {
  const found = /^\ufeff?---[ \t]*\n((?:.*\n)*?)---[ \t]*(?:\n|$)/.exec(text)
  if (!found) return { values: new Map(), body: text }
  const values = new Map<string, string[]>()
  let last: string[] = []
  let isBlock = false
  for (const line of (found[1] ?? '').split('\n')) {
    const pair = /^([\w-]+)[ \t]*:[ \t]*(.*)$/.exec(line)
    const item = /^[ \t]*-[ \t]+(.+)$/.exec(line)
    if (isBlock && /^[ \t]|^$/.test(line)) last[0] = [...last, line.trim()].filter(one => one !== '').join(' ')
    else if (pair) {
      isBlock = /^[>|][+-]?$/.test(pair[2] ?? '')
      last = isBlock ? [] : valuesOf(pair[2] ?? '')
      values.set(pair[1] ?? '', last)
    } else if (item) last.push(unquoted(item[1] ?? ''))
  }
  return { values, body: text.slice(found[0].length).replace(/^\n+/, '') }
}

function valuesOf(text: string): string[] {
  const trimmed = text.trim()
  const list = /^\[(.*)\]$/.exec(trimmed)
  if (list)
    return (list[1] ?? '')
      .split(',')
      .map(unquoted)
      .filter(one => one !== '')
  const value = unquoted(trimmed)
  return value === '' ? [] : [value]
}

function unquoted(text: string): string {
  const trimmed = text.trim()
  const quoted = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')/.exec(trimmed)
  if (quoted?.[1] !== undefined) return quoted[1].replaceAll(/\\(["\\])/g, '$1')
  if (quoted?.[2] !== undefined) return quoted[2].replaceAll("''", "'")
  return trimmed.replace(/(?:^|[ \t]+)#.*$/, '')
}
