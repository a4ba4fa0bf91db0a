// `gitPatch`: a patch as git writes it, without files that may not be sent, cut to a budget file by file.
import type { AccessPolicy } from '../workspace/accessPolicy.ts'
import { hasSecret } from '../workspace/exclude.ts'
import type { Git, GitOutput } from '../workspace/git.ts'
import { omissionReason } from './fileAccess.ts'
import type { Omissions } from './omissions.ts'

export const patchLimits = { chars: 200_000, fileChars: 60_000, files: 1_000 } as const

/** No program of the repository's is started, and no name or colour depends on the user's configuration. */
const plain = ['--no-ext-diff', '--no-textconv', '--no-color', '--find-renames', '--src-prefix=a/', '--dst-prefix=b/']

export interface PatchNeeds {
  readonly git: Git
  readonly access: Pick<AccessPolicy, 'refusalsOf'>
  /** The workspace folder on the disk, and its files' uris and paths by their path in it. */
  readonly folder: string
  readonly fileOf: (path: string) => { readonly uri: string; readonly path: string }
}

export interface PatchOf {
  /** The command and what it compares: `diff --cached`, `show <hash>`. */
  readonly command: readonly string[]
  /** Only of this file, by its path in the folder. */
  readonly path?: string
}

/** Undefined where there is no repository; empty where nothing has changed. */
export async function gitPatch(
  needs: PatchNeeds,
  { command, path = '.' }: PatchOf,
  omitted: Omissions,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { git, folder } = needs
  const [name = '', ...rest] = command
  const inFolder = ['--literal-pathspecs', name, '--relative']
  const list = [...inFolder, '--name-only', '-z', '--no-renames', ...formatOf(name), ...rest, '--', path]
  const listed = await git(folder, list, {}, signal)
  if (!isDone(listed)) return undefined
  const paths = [...new Set(listed.text.split('\0').map(one => one.trim()))].filter(one => one !== '')
  const allowed = await allowedPaths(needs, paths, omitted, signal)
  if (allowed.length === 0) return ''
  const patched = await git(folder, [...inFolder, ...plain, ...formatOf(name), ...rest, '--', ...allowed], {}, signal)
  return isDone(patched) ? withinBudget(filePatches(patched.text), omitted) : undefined
}

/** Nothing but the patch, also of a merge. */
const formatOf = (command: string) => (command === 'show' ? ['--format=', '--diff-merges=first-parent'] : [])

const isDone = (output: GitOutput | undefined): output is GitOutput => output?.code === 0

async function allowedPaths(
  { access, fileOf }: PatchNeeds,
  paths: readonly string[],
  omitted: Omissions,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const facts = paths.map(path => ({ ...fileOf(path), language: '', isInWorkspace: true, isOpen: true, size: 0 }))
  const refusals = await access.refusalsOf(facts, 'context', signal)
  const allowed = paths.filter((path, at) => {
    const refusal = refusals[at]
    if (refusal) omitted.add(omissionReason(refusal), fileOf(path).path)
    return refusal === undefined
  })
  for (const path of allowed.slice(patchLimits.files)) omitted.add('count', fileOf(path).path)
  return allowed.slice(0, patchLimits.files)
}

interface FilePatch {
  readonly name: string
  readonly text: string
}

function filePatches(patch: string): readonly FilePatch[] {
  return patch
    .split(/^(?=diff --(?:git|cc|combined) )/m)
    .filter(text => text.trim() !== '')
    .map(text => ({ text, name: nameIn(text.split('\n@@', 1)[0] ?? '') }))
}

/** By the lines above the first hunk; a deleted file has only its old name, an empty one only the first line. */
function nameIn(head: string): string {
  const forms = [/^\+\+\+ b\/([^\n\t]*)/m, /^--- a\/([^\n\t]*)/m, /^diff --git a\/.* b\/(.*)$/m]
  return forms.map(form => form.exec(head)?.[1]).find(name => name !== undefined) ?? ''
}

function withinBudget(patches: readonly FilePatch[], omitted: Omissions): string {
  let left: number = patchLimits.chars
  const kept: string[] = []
  for (const { name, text } of patches) {
    if (hasSecret(name, text)) omitted.add('secret', name)
    else if (text.length > left || text.length > patchLimits.fileChars) omitted.add('budget', name)
    else {
      left -= text.length
      kept.push(text)
    }
  }
  return kept.join('')
}
