// `fileSource`, `selectionSource`: a whole file, or the part of it that is selected.
import type { ReferenceOf } from '../../protocol/contextReference.ts'
import { lastLineNumber } from '../../protocol/textRange.ts'
import type { FileSearch } from '../workspace/fileIndex.ts'
import type { ContextNames } from './contextNames.ts'
import type { ContextSource, Description, Resolved } from './contextSources.ts'
import { type FileAccess, textMembers } from './fileAccess.ts'
import { suggestFiles } from './fileSuggestions.ts'
import { isImagePath } from './imageFile.ts'
import { matching } from './matching.ts'

/** `folders`: attaches a link to a folder, which git lists as a file. */
export function fileSource(
  access: FileAccess,
  search: FileSearch,
  folders: Pick<ContextSource<'folder'>, 'resolve'>,
): ContextSource<'file'> {
  return {
    suggest: (query, signal) => suggestFiles(search, query, signal),
    describe: ({ uri }) => describeFile(access.files.pathOf(uri)),
    async resolve({ uri }, options, signal) {
      if (isImagePath(uri)) return access.image(uri, options, signal)
      const opened = await access.open(uri, options, signal)
      if (opened.is === 'read') return { is: 'ready', parts: [access.filePart(opened)], omitted: [] }
      const isFolder = opened.is === 'unavailable' && opened.why === 'unsupported'
      return isFolder ? folders.resolve({ source: 'folder', uri }, options, signal) : opened
    },
  }
}

/** `selected`: what is selected now; suggested by the name of a selection, because nobody types line numbers. */
export function selectionSource(
  access: FileAccess,
  selected: () => ReferenceOf<'selection'> | undefined,
  names: ContextNames,
): ContextSource<'selection'> {
  const describe = ({ uri, range }: ReferenceOf<'selection'>): Description => {
    const { label, detail } = describeFile(access.files.pathOf(uri))
    const [first, last] = [range.startLine + 1, lastLineNumber(range)]
    const lines = last === first ? `${last}` : `${first}-${last}`
    return { label: `${label}:${lines}`, detail, icon: 'selection' }
  }
  return {
    async *suggest(query) {
      const reference = selected()
      if (!reference) return
      const { label: detail, icon } = describe(reference)
      yield matching([{ reference, label: names.selection, detail, icon, words: ['selection'] }], query)
    },
    describe,
    async resolve({ uri, range }, { isConfirmed }, signal): Promise<Resolved> {
      const opened = await access.open(uri, { isConfirmed, range }, signal)
      if (opened.is !== 'read') return opened
      const { file, read } = opened
      if (read.text === '') return { is: 'unavailable', why: 'empty', name: file.path }
      const part = access.part({ source: 'selection', name: file.path, uri: file.uri, range, ...textMembers(read) })
      return { is: 'ready', parts: [part], omitted: [] }
    },
  }
}

export function describeFile(path: string): Description {
  const slash = path.lastIndexOf('/')
  return { label: path.slice(slash + 1), detail: path.slice(0, Math.max(slash, 0)), icon: 'file' }
}
