// `demoChange`: a small change of a file that a reader can see and an editor can apply: a comment above its first function, or above its first line.
import { posix } from 'node:path'

interface CommentForm {
  readonly before: string
  readonly after: string
}

const slashes: CommentForm = { before: '/** ', after: ' */' }
const doubleSlash: CommentForm = { before: '// ', after: '' }
const hash: CommentForm = { before: '# ', after: '' }
const dashes: CommentForm = { before: '-- ', after: '' }

const forms: Readonly<Record<string, CommentForm>> = {
  ...byEndings(slashes, 'ts tsx js jsx mjs cjs java kt swift php scala dart'),
  ...byEndings(doubleSlash, 'go rs c h cc cpp cs zig'),
  ...byEndings(hash, 'py rb sh bash zsh pl yaml yml toml r'),
  ...byEndings(dashes, 'sql lua hs'),
}

function byEndings(form: CommentForm, endings: string): Record<string, CommentForm> {
  return Object.fromEntries(endings.split(' ').map(ending => [ending, form]))
}

const declaration =
  /^(?<indent>[ \t]*)(?:export |default |async |public |static |private |pub )*(?:function|def|func|fn|class|interface|struct|type|CREATE TABLE|const)\s+(?:\([^)]*\)\s*)?(?<name>\w+)/i

/** An empty line, a comment or an import. */
const preamble = /^\s*(?:$|#|\/\/|\/?\*|--|import\b|from\b|use\b|package\b)/

export interface DemoChange {
  /** The changed lines with three lines around them. */
  readonly lines: readonly string[]
  readonly name: string
  /** The whole text, changed. */
  readonly text: string
  /** As a unified diff. */
  readonly diff: string
}

/** Undefined for a text in which it finds nothing to comment on. */
export function demoChange(path: string, text: string): DemoChange | undefined {
  const form = forms[posix.extname(path).slice(1).toLowerCase()]
  const lines = text.split('\n')
  const declared = lines.findIndex(line => declaration.test(line))
  const at = declared < 0 ? lines.findIndex(line => !preamble.test(line)) : declared
  const { indent = '', name = 'this file' } = declaration.exec(lines[at] ?? '')?.groups ?? {}
  if (!form || at < 0) return undefined
  const comment = `${indent}${form.before}What ${name} is for, in one sentence.${form.after}`
  const changed = [...lines.slice(0, at), comment, ...lines.slice(at)]
  const from = Math.max(0, at - 3)
  const around = lines.slice(from, at + 3)
  const diff = [
    `--- a/${path}`,
    `+++ b/${path}`,
    `@@ -${from + 1},${around.length} +${from + 1},${around.length + 1} @@`,
    ...lines.slice(from, at).map(line => ` ${line}`),
    `+${comment}`,
    ...lines.slice(at, at + 3).map(line => ` ${line}`),
  ].join('\n')
  return { lines: changed.slice(from, at + 4), name, text: changed.join('\n'), diff }
}
