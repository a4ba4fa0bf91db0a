// `folderSource`: a folder as a tree of its files, and the text of as many of them as the limits admit.
import type { FileSearch } from '../workspace/fileIndex.ts'
import type { FileListing, FoundFile, Listing } from '../workspace/textFiles.ts'
import type { ContextSource, Resolved } from './contextSources.ts'
import type { FileAccess, MentionPurpose } from './fileAccess.ts'
import { describeFile } from './fileSources.ts'
import { suggestFolders } from './fileSuggestions.ts'
import { fileTree } from './fileTree.ts'
import { Omissions } from './omissions.ts'
import { readWithin } from './readWithin.ts'

/** Files that are judged, and the characters of all texts together. */
export const folderLimits = { files: 1_000, chars: 400_000 } as const

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
  const limits = { purpose: work.purpose, chars: folderLimits.chars }
  const { read, overBudget } = await readWithin(access, sorted.slice(0, folderLimits.files), limits, omitted, signal)
  const names = [...read.map(({ file }) => file.path), ...overBudget]
  if (names.length + omitted.all.length === 0) return { is: 'unavailable', why: 'empty', name: folder.path }
  const text = fileTree(names.map(path => within(folder.path, path)))
  const tree = access.part({ source: 'folder', name: folder.path, uri: folder.uri, text })
  return { is: 'ready', parts: [tree, ...read.map(one => access.filePart(one))], omitted: omitted.all }
}

const within = (folder: string, path: string) => (path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path)
