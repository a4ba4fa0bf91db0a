// `repositoryText`: the files of a repository as one text that is the same, byte for byte, as long as they are; and what has changed since.
import { sanitizeLine } from '../../base/text.ts'
import { lineDiff } from '../workspace/lineDiff.ts'

export interface TextFile {
  readonly path: string
  readonly text: string
}

const NAME_CHARS = 1_000

/** By path, so that a server which keeps the beginning of earlier requests finds it again. */
export function repositoryText(files: readonly TextFile[]): string {
  return sorted(files).map(fileText).join('')
}

/** The number of lines makes the end of each file certain, whatever it contains. */
function fileText({ path, text }: TextFile): string {
  const lines = text.split('\n')
  return `==> ${nameOf(path)} (${lines.length} lines)\n${text}\n`
}

const nameOf = (path: string) => sanitizeLine(path, NAME_CHARS)

/** Not by the rules of a language, which may differ between two machines. */
const sorted = (files: readonly TextFile[]) => files.toSorted((a, b) => (a.path < b.path ? -1 : 1))

/** The files of a text that `repositoryText` made. */
export function readRepositoryText(text: string): readonly TextFile[] {
  const files: TextFile[] = []
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at)
    const head = /^==> (.*) \((\d+) lines\)$/.exec(text.slice(at, end))
    if (end < 0 || !head) break
    let fileEnd = end
    for (let line = 0; line < Number(head[2]); line++) fileEnd = text.indexOf('\n', fileEnd + 1)
    if (fileEnd < 0) break
    files.push({ path: head[1] ?? '', text: text.slice(end + 1, fileEnd) })
    at = fileEnd + 1
  }
  return files
}

/** Only what differs from an earlier text, as a patch; empty where nothing does. */
export function repositoryChanges(earlier: string, files: readonly TextFile[]): string {
  const before = new Map(readRepositoryText(earlier).map(({ path, text }) => [path, text]))
  const now = new Map(sorted(files).map(({ path, text }) => [nameOf(path), text]))
  const paths = [...new Set([...before.keys(), ...now.keys()])].sort()
  return paths.map(path => filePatch(path, before.get(path), now.get(path))).join('')
}

function filePatch(path: string, before: string | undefined, now: string | undefined): string {
  if (before === now) return ''
  const from = before === undefined ? '/dev/null' : `a/${path}`
  const to = now === undefined ? '/dev/null' : `b/${path}`
  return `--- ${from}\n+++ ${to}\n${lineDiff(before ?? '', now ?? '')}`
}
