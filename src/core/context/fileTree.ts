// `fileTree`: paths as an indented tree.
import { sanitizeLine } from '../../base/text.ts'

const NAME_CHARS = 200

/** One line for each folder, with a slash, and for each file, in the order of their paths. */
export function fileTree(paths: readonly string[]): string {
  const lines: string[] = []
  let open: readonly string[] = []
  for (const path of paths.toSorted(byFolder)) {
    const names = path.split('/')
    const folders = names.slice(0, -1)
    const shared = sharedLength(open, folders)
    for (const [at, folder] of folders.entries()) if (at >= shared) lines.push(`${indent(at)}${nameOf(folder)}/`)
    lines.push(`${indent(folders.length)}${nameOf(names.at(-1) ?? '')}`)
    open = folders
  }
  return lines.length > 0 ? `${lines.join('\n')}\n` : ''
}

/** A folder's own files come after its folders. */
function byFolder(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')]
  const at = sharedLength(left, right)
  const isLeftFile = at >= left.length - 1
  const isRightFile = at >= right.length - 1
  if (isLeftFile !== isRightFile) return isLeftFile ? 1 : -1
  return (left[at] ?? '') < (right[at] ?? '') ? -1 : 1
}

function sharedLength(a: readonly string[], b: readonly string[]): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length++
  return length
}

const indent = (depth: number) => '  '.repeat(depth)
const nameOf = (name: string) => sanitizeLine(name, NAME_CHARS)
