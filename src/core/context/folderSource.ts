// `folderSource`: a folder as a tree of its files, and the text of as many of them as the limits admit.
import type { FileSearch } from '../workspace/fileIndex.ts'
import type { FileListing, FoundFile, ListedFile, Listing } from '../workspace/textFiles.ts'
import type { ContextSource, Resolved } from './contextSources.ts'
import { type FileAccess, type MentionPurpose, omissionReason, type Read } from './fileAccess.ts'
import { describeFile } from './fileSources.ts'
import { suggestFolders } from './fileSuggestions.ts'
import { fileTree } from './fileTree.ts'
import { Omissions } from './omissions.ts'

/** Files that are judged, and the characters of all texts together. */
export const folderLimits = { files: 1_000, chars: 400_000 } as const

/** How many files are read at the same time. */
const READ_AT_ONCE = 8

export function folderSource(access: FileAccess, listing: FileListing, search: FileSearch): ContextSource<'folder'> {
  return {
    suggest: (query, signal) => suggestFolders(search, query, signal),
    describe: ({ uri }) => ({ ...describeFile(access.files.pathOf(uri)), icon: 'folder' }),
    async resolve({ uri }, options, signal): Promise<Resolved> {
      const opened = await access.openFolder(uri, options, signal)
      if (opened.is !== 'folder') return opened
      const listed = await listing.list(
        opened.file.uri,
        { withIgnored: opened.purpose === 'confirmed mention' },
        signal,
      )
      return resolveFolder(
        { access, folder: opened.file, purpose: opened.purpose, omitted: new Omissions() },
        listed,
        signal,
      )
    },
  }
}

interface Work {
  readonly access: FileAccess
  readonly folder: FoundFile
  readonly purpose: MentionPurpose
  readonly omitted: Omissions
}

async function resolveFolder(work: Work, { files, ignored }: Listing, signal: AbortSignal): Promise<Resolved> {
  const { access, folder, omitted } = work
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  for (const path of ignored) omitted.add('ignored', path)
  for (const { path } of sorted.slice(folderLimits.files)) omitted.add('count', path)
  const allowed = await allowedByPath(work, sorted.slice(0, folderLimits.files), signal)
  const { read, overBudget } = await readWithin(work, allowed, signal)
  const names = [...read.map(({ file }) => file.path), ...overBudget]
  if (names.length + omitted.all.length === 0) return { is: 'unavailable', why: 'empty', name: folder.path }
  const text = fileTree(names.map(path => within(folder.path, path)))
  const tree = access.part({ source: 'folder', name: folder.path, uri: folder.uri, text })
  return { is: 'ready', parts: [tree, ...read.map(one => access.filePart(one))], omitted: omitted.all }
}

const within = (folder: string, path: string) => (path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path)

/** Judged before anything is read; where links lead is only known of a file that is read. */
async function allowedByPath({ access, purpose, omitted }: Work, listed: readonly ListedFile[], signal: AbortSignal) {
  const facts = listed.map(({ uri, path }) => ({ uri, path, language: '', isInWorkspace: true, size: 0 }))
  const refusals = await access.refusalsOf(facts, purpose, signal)
  return listed.filter(({ path }, at) => {
    const refusal = refusals[at]
    if (refusal) omitted.add(omissionReason(refusal), path)
    return refusal === undefined
  })
}

/** In the order of the list, until the budget is used up. */
async function readWithin({ access, purpose, omitted }: Work, files: readonly ListedFile[], signal: AbortSignal) {
  const read: Read[] = []
  const overBudget: string[] = []
  let left: number = folderLimits.chars
  for (let at = 0; at < files.length; at += READ_AT_ONCE) {
    signal.throwIfAborted()
    const some = files.slice(at, at + READ_AT_ONCE)
    const taken = left > 0 ? await Promise.all(some.map(({ uri }) => access.take(uri, purpose, signal))) : []
    for (const [index, { path }] of some.entries()) {
      const one = taken[index]
      if (one?.is === 'omitted') omitted.add(one.why, path)
      else if (!one || one.read.text.length > left) overBudget.push(path)
      else {
        left -= one.read.text.length
        read.push(one)
      }
    }
  }
  for (const path of overBudget) omitted.add('budget', path)
  return { read, overBudget }
}
