// `readFenceLabel`: the language and the file path that the first line of a fenced code block names.

export interface FenceLabel {
  /** As it is written; empty where there is none. */
  readonly language: string
  readonly path?: string
}

/** The longest label that is kept of a block. */
export const MAX_LABEL_CHARS = 300

const attribute = /(?:^|[\s{,])(?:title|file|filename|path|name)\s*[=:]\s*(?:"([^"]+)"|'([^']+)'|([^\s"'},]+))/i
const fileName = /^[\w.-]*\w\.[A-Za-z]\w{0,9}$/

/** Understands `ts`, `src/a.ts`, `ts:src/a.ts`, `ts src/a.ts`, `ts title="src/a.ts"`, `{.ts}` and `12:20:src/a.ts`. */
export function readFenceLabel(label: string): FenceLabel {
  const text = label.trim().slice(0, MAX_LABEL_CHARS)
  const [, ...values] = attribute.exec(text) ?? []
  const [first = '', second = ''] = text.replace(/^\{\s*\.?/, '').split(/[\s,{}]+/)
  const word = readWord(first)
  const path = values.find(value => value) ?? word.path ?? (isPath(second) ? second : undefined)
  return { language: word.language, ...(path && { path }) }
}

/** A path may follow a line range, or a language and a colon. */
function readWord(word: string): FenceLabel {
  const [, path] = /^\d+:\d+:(.+)$/.exec(word) ?? []
  if (path) return { language: '', path }
  const [, before = '', after = ''] = /^([\w+#.-]{2,32}):([^=]+)$/.exec(word) ?? []
  if (after) return { language: before, path: after }
  if (isPath(word)) return { language: '', path: word }
  return { language: /^[\w+#.-]{1,32}/.exec(word)?.[0] ?? '' }
}

const isPath = (word: string) => !word.includes('=') && (/[\\/]/.test(word) || fileName.test(word))
