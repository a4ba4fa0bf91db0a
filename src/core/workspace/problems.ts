// `Problems`: the port to what the editor's languages report; and one problem as a line.
import { clip, sanitizeLine } from '../../base/text.ts'
import type { LineRange } from '../../protocol/conversation.ts'

export interface Problem {
  readonly uri: string
  readonly path: string
  readonly range: LineRange
  readonly severity: 'error' | 'warning' | 'info' | 'hint'
  readonly message: string
  /** The tool that reports it, and its code for it. */
  readonly source?: string
  readonly code?: string
}

export interface Problems {
  /** Of one file, or of all. */
  of(uri: string | undefined): readonly Problem[]
  /** The file in the editor that was used last. */
  readonly activeFile: string | undefined
}

const MESSAGE_CHARS = 1_000
const severities: readonly Problem['severity'][] = ['error', 'warning', 'info', 'hint']

/** `src/a.ts:12:5 error ts(2304): Cannot find name 'x'.` Lines and columns count from 1. */
export function problemLine({ path, range, severity, source, code, message }: Problem): string {
  const place = `${sanitizeLine(path)}:${range.startLine + 1}:${range.startCharacter + 1}`
  const tool = source === undefined ? (code ?? '') : `${source}${code === undefined ? '' : `(${code})`}`
  const reported = [severity, sanitizeLine(tool, 100)].filter(word => word !== '')
  const indented = clip(message.trim(), MESSAGE_CHARS).replaceAll(/\r?\n/g, '\n  ')
  return `${place} ${reported.join(' ')}: ${indented}`
}

/** Errors first, then by path and line. */
export function bySeverity(a: Problem, b: Problem): number {
  const difference = severities.indexOf(a.severity) - severities.indexOf(b.severity)
  if (difference !== 0) return difference
  if (a.path !== b.path) return a.path < b.path ? -1 : 1
  return a.range.startLine - b.range.startLine
}
