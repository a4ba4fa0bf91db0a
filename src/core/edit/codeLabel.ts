// `codeLabel`: the file that a code block names for itself, and the files that the text before it names.
import { diffPath } from './unifiedDiff.ts'

export interface CodeLabel {
  readonly path: string
  /** The first line of the block is nothing but the label. */
  readonly isInText: boolean
}

/** A path as people write one: with a folder or an ending, without spaces. */
const path = String.raw`(?:[A-Za-z]:[\\/]|\.{0,2}\/)?[\w@.+~()[\]-]+(?:[\\/][\w@.+~()[\]-]+)*`
const ending =
  /(?:\.[A-Za-z][\w+-]{0,12}|(?:^|[\\/])(?:Dockerfile|Makefile|Rakefile|Gemfile|Procfile|LICENSE|\.\w[\w.-]*))$/
const isPath = (text: string) => new RegExp(`^${path}$`).test(text) && ending.test(text)

/** `info`: what is written behind the fence, such as `ts src/a.ts`. */
export function codeLabel(info: string, code: string): CodeLabel | undefined {
  const named = pathInInfo(info) ?? diffPathOf(info, code)
  if (named !== undefined) return { path: named, isInText: false }
  const written = pathInComment(code.split('\n', 1)[0] ?? '')
  return written === undefined ? undefined : { path: written, isInText: true }
}

/** The code without its first line, where that is only the label. */
export function withoutLabel(code: string): string {
  return code.slice(code.indexOf('\n') + 1).replace(/^\n/, '')
}

export interface PathsBefore {
  /** The only path of the last line, if that line is a heading or leads to the block: the block belongs to it. */
  readonly leading: string | undefined
  /** All paths of the last lines, the nearest first: the block may belong to one of them, or to none. */
  readonly all: readonly string[]
}

export function pathsBefore(text: string): PathsBefore {
  const lines = text.trimEnd().split('\n').slice(-3)
  const last = lines.at(-1) ?? ''
  // A command names files that it reads.
  const [path, ...others] = pathsIn(last.replace(/`[^`]*`/g, span => (/\s/.test(span) ? '' : span)))
  const leads = /:[*_]*$/.test(last) || /^(?:#+ |\d+\. |[-*] )?[*_`]*[^\s*_`]+[*_`]*$/.test(last.trim())
  return { leading: leads && others.length === 0 ? path : undefined, all: pathsIn(lines.join('\n')) }
}

/** The last one first. */
function pathsIn(lines: string): readonly string[] {
  const quoted = [...lines.matchAll(/`([^`\n]+)`|\*\*([^*\n]+)\*\*/g)].map(([, code, bold]) => code ?? bold ?? '')
  const plain = lines.split(/[\s`*"'<>|,;:()]+/)
  const found = [...plain, ...quoted].map(word => word.trim().replace(/[.:]+$/, '')).filter(isPath)
  return [...new Set(found.reverse())]
}

function pathInInfo(info: string): string | undefined {
  const attribute = /\b(?:title|file|filename|filepath|path|name)\s*[=:]\s*(?:"([^"]+)"|'([^']+)'|([^\s"'{}]+))/i.exec(
    info,
  )
  const value = attribute?.[1] ?? attribute?.[2] ?? attribute?.[3]
  if (value !== undefined) return isPath(value) ? value : undefined
  const words = info.trim().split(/\s+/)
  const afterColon = words.map(word => /^(?:\w[\w+#-]*|\d+):(?:\d+:)?([^:]+)$/.exec(word)?.[1] ?? '')
  return [...afterColon, ...words].find(isPath)
}

function diffPathOf(info: string, code: string): string | undefined {
  return /^(?:diff|patch)\b/i.test(info) || code.startsWith('--- ') || code.startsWith('diff --git')
    ? diffPath(code)
    : undefined
}

function pathInComment(line: string): string | undefined {
  const comment = /^\s*(?:\/\/+|#+|--|;+|%|<!--|\/\*+)\s*(.*?)\s*(?:-->|\*+\/)?\s*$/.exec(line)?.[1]
  const written = comment?.replace(/^(?:file|filename|filepath|path)\s*:\s*/i, '')
  return written !== undefined && isPath(written) ? written : undefined
}
