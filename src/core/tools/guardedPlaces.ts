// `GuardedPlaces`: whether a file is protected by the folders that it is in: by what they hold, and by what the workspace is in.
import type { EntryFacts } from '../workspace/pathResolver.ts'
import { isInRuleFolder } from '../workspace/protectedPaths.ts'
import { isRepository } from './sandboxPolicy.ts'

/** Of what is at a path on the disk; undefined for nothing. */
export type FactsOf = (path: string) => Promise<EntryFacts | undefined>

export interface PlaceToJudge {
  /** On the disk, after links. */
  readonly path: string
  /** The folder of the workspace that it is in, on the disk; undefined for none. */
  readonly root: string | undefined
  /** Other files that are written as well, on the disk. */
  readonly planned: readonly string[]
}

/** By these git takes a folder for a repository; `.git` is one of the user's; by `pyvenv.cfg` programs of Python are started. */
type Marker = 'HEAD' | 'objects' | 'refs' | 'config' | 'commondir' | 'pyvenv.cfg' | '.git'
const first: readonly Marker[] = ['HEAD', 'objects', '.git']
const second: readonly Marker[] = ['refs', 'config', 'commondir']

/** What git itself reads in the folder of a repository; everything else there is only in the same folder. */
const gitsOwn =
  /^(?:HEAD|config(?:\.worktree)?|objects|refs|commondir|gitdir|packed-refs|index|hooks|info|modules|worktrees|logs)$/i

/** Where programs of Python are started from. */
const programs = /^(?:bin|scripts)$/i

/**
 * Looks at every folder above the file, up to the one in which a repository of the user begins. Whatever of a repository is
 * written last makes it one, so the file itself and `planned` count as written.
 */
export async function isInGuardedPlace({ path, root, planned }: PlaceToJudge, factsOf: FactsOf): Promise<boolean> {
  const names = path.split('/')
  const written = [path, ...planned].map(one => one.toLowerCase())
  for (let at = names.length - 1; at > 0; at--) {
    const folder = names.slice(0, at).join('/')
    const next = names[at] ?? ''
    const found = await markersIn(folder, written, factsOf, programs.test(next))
    const isAbove = root?.startsWith(`${folder}/`) === true
    if (isGuarded(found) && (!isAbove || gitsOwn.test(next))) return true
    if (found.has('pyvenv.cfg') || (isAbove && isInRuleFolder(next))) return true
    if (found.has('.git')) return false
  }
  return false
}

/** A repository, a `config` beside a `HEAD`, or what another folder may name as its repository. */
function isGuarded(found: ReadonlySet<Marker>): boolean {
  if (isRepository(found) || (found.has('HEAD') && found.has('config'))) return true
  return found.has('objects') && found.has('refs') && found.has('config')
}

/** Which of these are in the folder, on the disk or by what is written. Without the first ones the others mean nothing. */
async function markersIn(
  folder: string,
  written: readonly string[],
  factsOf: FactsOf,
  isOfPrograms: boolean,
): Promise<ReadonlySet<Marker>> {
  const start = `${folder.toLowerCase()}/`
  const below = written.filter(one => one.startsWith(start)).map(one => one.slice(start.length))
  const isWritten = (name: string) => below.some(one => one === name || (!isFile(name) && one.startsWith(`${name}/`)))
  const isThere = async (name: Marker) => {
    if (name !== '.git' && isWritten(name.toLowerCase())) return true
    try {
      const facts = await factsOf(`${folder}/${name}`)
      return facts !== undefined && !(isFile(name) && facts.kind === 'folder')
    } catch {
      // What cannot be looked at may be there. A repository of the user must be, because nothing above it counts.
      return name !== '.git'
    }
  }
  const among = async (some: readonly Marker[]) => {
    const are = await Promise.all(some.map(isThere))
    return some.filter((_, at) => are[at])
  }
  const found = await among(isOfPrograms ? [...first, 'pyvenv.cfg'] : first)
  const isMore = found.includes('HEAD') || found.includes('objects')
  return new Set([...found, ...(isMore ? await among(second) : [])])
}

/** A folder of this name means nothing, such as `head` where letter case is ignored. */
const isFile = (name: string) => /^(?:head|config|commondir|pyvenv\.cfg)$/i.test(name)
