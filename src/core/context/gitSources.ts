// `gitChangeSource`, `commitSource`: what has changed since the last commit, and commits, as patches.
import type { Clock } from '../../base/clock.ts'
import { Remembered } from '../../base/remembered.ts'
import { sanitizeLine } from '../../base/text.ts'
import type { ReferenceOf } from '../../protocol/contextReference.ts'
import type { AccessPolicy } from '../workspace/accessPolicy.ts'
import type { Git } from '../workspace/git.ts'
import type { ContextNames } from './contextNames.ts'
import type { ContextSource, Description, Resolved } from './contextSources.ts'
import type { FileAccess } from './fileAccess.ts'
import { gitPatch, type PatchOf } from './gitPatch.ts'
import { beginsWord, matching, type Unmatched } from './matching.ts'
import { Omissions } from './omissions.ts'
import { readWithin } from './readWithin.ts'

/** A folder of the workspace that is on the disk. */
export interface GitFolder {
  readonly uri: string
  readonly name: string
  readonly diskPath: string
  /** The file by its path in the folder. */
  readonly fileOf: (path: string) => { readonly uri: string; readonly path: string }
}

export interface GitNeeds {
  readonly git: Git
  readonly access: Pick<AccessPolicy, 'refusalsOf'>
  readonly files: FileAccess
  readonly names: ContextNames
  /** Empty while the workspace is not trusted. */
  readonly folders: () => readonly GitFolder[]
  /** The folder that the file is in, and its path there. */
  readonly placeOf: (uri: string) => { readonly folder: GitFolder; readonly path: string } | undefined
  readonly activeFile: () => string | undefined
  readonly isTrusted: () => boolean
  readonly clock: Clock
}

/** While a query is typed git is not asked again for each key. */
const REMEMBERED_MS = 3_000
const lasting = new AbortController().signal

const COMMITS = 50

export function gitChangeSource(needs: GitNeeds): ContextSource<'git-change'> {
  const { files, names } = needs
  const remembered = new Remembered<readonly string[]>(needs.clock, REMEMBERED_MS)
  const statuses = async (signal: AbortSignal) => {
    const asked = needs.folders().map(one => remembered.get(one.uri, () => statusOf(needs.git, one, lasting), signal))
    return (await Promise.all(asked)).flat()
  }
  const describe = (reference: ReferenceOf<'git-change'>): Description => {
    const { uri, isStaged } = reference
    const detail = uri === undefined ? '' : files.files.pathOf(uri)
    const ofFile = uri !== undefined && isStaged === undefined
    const label = ofFile ? names.changesIn(detail.slice(detail.lastIndexOf('/') + 1)) : labelOf(reference, names)
    return { label, detail, icon: 'git-change' }
  }
  return {
    async *suggest(query, signal) {
      const found = changedNow(needs, await statuses(signal))
      yield matching(
        found.map((reference): Unmatched => ({ reference, ...describe(reference), words: ['git', 'changes', 'diff'] })),
        query,
      )
    },
    describe,
    async resolve(reference, _, signal): Promise<Resolved> {
      const { label, detail } = describe(reference)
      const name = detail || label
      if (!needs.isTrusted()) return { is: 'unavailable', why: 'untrusted', name }
      const omitted = new Omissions()
      const text = await changesOf(needs, reference, omitted, signal)
      if (text === undefined) return { is: 'unavailable', why: 'no-repository', name }
      if (text === '' && omitted.all.length === 0) return { is: 'unavailable', why: 'empty', name }
      const uri = reference.uri === undefined ? {} : { uri: reference.uri }
      const part = files.part({ source: 'git-change', name, text, language: 'diff', ...uri })
      return { is: 'ready', parts: text === '' ? [] : [part], omitted: omitted.all }
    },
  }
}

function labelOf({ isStaged, isForCommit }: ReferenceOf<'git-change'>, names: ContextNames): string {
  if (isForCommit) return names.forCommit
  if (isStaged === undefined) return names.changes
  return isStaged ? names.staged : names.notStaged
}

/** What can be attached, by the states that git reports for the files. */
function changedNow(needs: GitNeeds, lines: readonly string[]): readonly ReferenceOf<'git-change'>[] {
  const hasStaged = lines.some(line => /^[^ ?!]/.test(line))
  const hasOther = lines.some(line => /^(?:.[^ ?!]|\?\?)/.test(line))
  const active = needs.activeFile()
  const place = active === undefined ? undefined : needs.placeOf(active)
  const isActiveChanged = place !== undefined && lines.some(line => `/${line.slice(3)}`.endsWith(`/${place.path}`))
  return [
    ...(hasStaged || hasOther ? [{ source: 'git-change' as const }] : []),
    ...(hasStaged ? [{ source: 'git-change' as const, isStaged: true }] : []),
    ...(hasStaged && hasOther ? [{ source: 'git-change' as const, isStaged: false }] : []),
    ...(isActiveChanged && active !== undefined ? [{ source: 'git-change' as const, uri: active }] : []),
  ]
}

async function statusOf(git: Git, { diskPath }: GitFolder, signal: AbortSignal): Promise<readonly string[]> {
  const args = ['status', '--porcelain', '-z', '--no-renames', '--ignore-submodules=all', '--', '.']
  const output = await git(diskPath, args, { mostChars: 1_000_000 }, signal)
  return output?.code === 0 ? output.text.split('\0').filter(line => line !== '') : []
}

/** Undefined where none of the folders is in a repository. */
async function changesOf(
  needs: GitNeeds,
  reference: ReferenceOf<'git-change'>,
  omitted: Omissions,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { uri, isStaged, isForCommit } = reference
  if (isForCommit) {
    const staged = await changesOf(needs, { source: 'git-change', isStaged: true }, omitted, signal)
    return staged || omitted.all.length > 0 ? staged : changesOf(needs, { source: 'git-change' }, omitted, signal)
  }
  const place = uri === undefined ? undefined : needs.placeOf(uri)
  if (uri !== undefined && !place) return undefined
  const folders = place ? [place.folder] : needs.folders()
  const texts = await Promise.all(
    folders.map(async folder => {
      const patchNeeds = { ...needs, folder: folder.diskPath, fileOf: folder.fileOf }
      const of = (command: readonly string[]): PatchOf => ({ command, ...(place && { path: place.path }) })
      if (isStaged === true) return gitPatch(patchNeeds, of(['diff', '--cached']), omitted, signal)
      const patch =
        isStaged === false
          ? await gitPatch(patchNeeds, of(['diff']), omitted, signal)
          : // Before the first commit there is no HEAD.
            ((await gitPatch(patchNeeds, of(['diff', 'HEAD']), omitted, signal)) ??
            (await gitPatch(patchNeeds, of(['diff', '--cached']), omitted, signal)))
      const added = patch === undefined ? '' : await newFiles(needs, folder, place?.path, omitted, signal)
      return patch === undefined ? undefined : `${patch}${added}`
    }),
  )
  const found = texts.filter(text => text !== undefined)
  return found.length > 0 ? found.join('') : undefined
}

/** Files that git does not track yet, which its patches leave out. */
async function newFiles(
  { git, files }: GitNeeds,
  folder: GitFolder,
  path: string | undefined,
  omitted: Omissions,
  signal: AbortSignal,
): Promise<string> {
  const args = ['--literal-pathspecs', 'ls-files', '-z', '--others', '--exclude-standard', '--', path ?? '.']
  const output = await git(folder.diskPath, args, { mostChars: 1_000_000 }, signal)
  const paths = output?.code === 0 ? output.text.split('\0').filter(one => one !== '' && !one.endsWith('/')) : []
  const listed = paths.map(one => folder.fileOf(one))
  const { read } = await readWithin(files, listed, { purpose: 'mention', chars: NEW_FILES_CHARS }, omitted, signal)
  return read.map(({ file, read: { text } }) => additionOf(file.path, text)).join('')
}

const NEW_FILES_CHARS = 100_000

function additionOf(path: string, text: string): string {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
  const name = sanitizeLine(path)
  const head = `diff --git a/${name} b/${name}\nnew file mode 100644\n--- /dev/null\n+++ b/${name}\n`
  const end = text === '' || text.endsWith('\n') ? '' : '\\ No newline at end of file\n'
  return `${head}@@ -0,0 +1,${lines.length} @@\n${lines.map(line => `+${line}\n`).join('')}${end}`
}

export function commitSource(needs: GitNeeds): ContextSource<'commit'> {
  const { files } = needs
  const remembered = new Remembered<readonly FoundCommit[]>(needs.clock, REMEMBERED_MS)
  return {
    async *suggest(query, signal) {
      const asked = needs
        .folders()
        .map(one => remembered.get(one.uri, () => commitsOf(needs.git, one, lasting), signal))
      const commits = new Map((await Promise.all(asked)).flat().map(one => [one.reference.hash, one]))
      const all = [...commits.values()]
      yield matching(all, beginsWord(query.text, ['commits', 'git']) ? { ...query, text: '' } : query)
    },
    describe: ({ subject, hash }) => ({ label: sanitizeLine(subject, 100), detail: hash.slice(0, 8), icon: 'commit' }),
    async resolve({ repository, hash, subject }, _, signal): Promise<Resolved> {
      const name = sanitizeLine(`${hash.slice(0, 8)} ${subject}`, 200)
      if (!needs.isTrusted()) return { is: 'unavailable', why: 'untrusted', name }
      const folder = needs.folders().find(({ uri }) => uri === repository)
      if (!folder) return { is: 'unavailable', why: 'no-repository', name }
      const head = await needs.git(
        folder.diskPath,
        ['show', '--no-patch', `--format=${headFormat}`, hash, '--'],
        {},
        signal,
      )
      if (head?.code !== 0) return { is: 'unavailable', why: head ? 'missing' : 'no-repository', name }
      const omitted = new Omissions()
      const patchNeeds = { ...needs, folder: folder.diskPath, fileOf: folder.fileOf }
      const patch = await gitPatch(patchNeeds, { command: ['show', '--stat', '--patch', hash] }, omitted, signal)
      const text = `${head.text.trim()}\n\n${patch ?? ''}`
      const part = files.part({ source: 'commit', name, text, language: 'diff' })
      return { is: 'ready', parts: [part], omitted: omitted.all }
    },
  }
}

const headFormat = 'commit %H%nDate: %aI%n%n%B'
const listFormat = '%H%x1f%s%x1f%as'

interface FoundCommit extends Unmatched {
  readonly reference: ReferenceOf<'commit'>
}

async function commitsOf(git: Git, { diskPath, uri }: GitFolder, signal: AbortSignal): Promise<readonly FoundCommit[]> {
  const output = await git(diskPath, ['log', `-${COMMITS}`, `--format=${listFormat}`, '--', '.'], {}, signal)
  const lines = output?.code === 0 ? output.text.split('\n').filter(line => line !== '') : []
  return lines.map(line => {
    const [hash = '', subject = '', date = ''] = line.split('\x1f')
    const reference = { source: 'commit' as const, repository: uri, hash, subject: subject.slice(0, 1_000) }
    return {
      reference,
      label: sanitizeLine(subject, 100),
      detail: `${hash.slice(0, 8)}, ${date}`,
      icon: 'commit' as const,
    }
  })
}
