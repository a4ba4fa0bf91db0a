// `commandFolder`: the folder in which a command runs, which is always inside of the workspace.

import type { DiskPaths, WorkspaceRoot } from '../workspace/pathResolver.ts'
import { readWrittenPath } from '../workspace/writtenPath.ts'
import { quoted } from './toolPaths.ts'

export interface CommandFolderPorts {
  roots(): readonly WorkspaceRoot[]
  readonly disk: DiskPaths
}

/** `path`: on the disk, without links. `shown`: as the model and the user name it. */
export type CommandFolder =
  | { readonly is: 'folder'; readonly path: string; readonly shown: string }
  | { readonly is: 'refused'; readonly output: string }

/** `written`: by the model; without it the first folder of the workspace. */
export async function commandFolder(ports: CommandFolderPorts, written: string | undefined): Promise<CommandFolder> {
  const roots = ports.roots().filter(root => root.path !== undefined)
  if (roots.length === 0) return refused(noDisk)
  const paths = written === undefined || isInFirstFolder(written) ? [roots[0]?.path ?? ''] : pathsOf(roots, written)
  if (!paths) return refused(outside(written ?? ''))
  for (const path of paths) {
    const folder = await insideOf(ports, roots, path)
    if (folder) return folder
  }
  return refused(notThere(written ?? ''))
}

/** The model has named no other folder. */
export const isInFirstFolder = (written: string | undefined): boolean =>
  written === undefined || /^(?:\.?\/?|\.\/)$/.test(written.trim())

/** What it may mean; undefined where it cannot be in the workspace. */
function pathsOf(roots: readonly WorkspaceRoot[], written: string): readonly string[] | undefined {
  const read = readWrittenPath(written)
  if (read.is === 'refused') return undefined
  if (read.is === 'absolute') return isIn(roots, read.path) ? [read.path] : undefined
  const [first, ...rest] = read.names
  const named = roots.length > 1 ? roots.filter(({ name }) => name === first).map(root => joined(root, rest)) : []
  return [...named, ...roots.map(root => joined(root, read.names))]
}

const joined = ({ path = '' }: WorkspaceRoot, names: readonly string[]) => [path, ...names].join('/')

const isIn = (roots: readonly WorkspaceRoot[], path: string) =>
  roots.some(root => `${path}/`.startsWith(`${root.path ?? ''}/`))

/** Undefined where there is no such folder, or a link leads out of the workspace. */
async function insideOf(
  { disk }: CommandFolderPorts,
  roots: readonly WorkspaceRoot[],
  path: string,
): Promise<CommandFolder | undefined> {
  const real = await disk.realPath(path).catch(() => undefined)
  if (real === undefined || (await disk.facts(real))?.kind !== 'folder') return undefined
  for (const root of roots) {
    const folder = await disk.realPath(root.path ?? '').catch(() => undefined)
    if (folder === undefined || !`${real}/`.startsWith(`${folder}/`)) continue
    const inside = real.slice(folder.length + 1)
    const name = roots.length > 1 ? root.name : ''
    return { is: 'folder', path: real, shown: [name, inside].filter(part => part !== '').join('/') || '.' }
  }
  return undefined
}

const refused = (output: string): CommandFolder => ({ is: 'refused', output })

const noDisk =
  'No command can run here. The workspace has no folder on the disk of this machine, so there is no place for one. ' +
  'Work with the other tools, or write the command for the user to run.'

const outside = (written: string) =>
  `No command ran: ${quoted(written)} is not in the workspace. Commands start in a folder of the workspace, and asking again will not help. ` +
  'Leave cwd out to start in its first folder.'

const notThere = (written: string) =>
  `No command ran: there is no folder ${quoted(written)} in the workspace. cwd is relative to the workspace, and links must not lead out of it. ` +
  'Leave cwd out, or find the folder with list_files.'
