// `excludedByEditor`: the globs of what the editor's settings leave out of its own search for files.
import { type Uri, workspace } from 'vscode'
import { matchesGlob } from '../../core/workspace/exclude.ts'

export function excludedByEditor(scope: Uri | undefined): readonly string[] {
  const globs = ['files.exclude', 'search.exclude'].flatMap(key => {
    const table = workspace.getConfiguration(undefined, scope).get<Readonly<Record<string, unknown>>>(key) ?? {}
    return Object.entries(table).flatMap(([glob, isOn]) => (isOn === true ? [glob] : []))
  })
  return [...new Set(globs)]
}

/** Whether a glob matches the path or a folder that it is in. */
export function isExcluded(path: string, globs: readonly string[]): boolean {
  const names = path.split('/')
  const paths = names.map((_, at) => names.slice(0, at + 1).join('/'))
  return globs.some(glob => paths.some(one => matchesGlob(glob, one)))
}
