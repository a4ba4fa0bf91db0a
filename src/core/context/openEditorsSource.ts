// `openEditorsSource`: the files that the user has open, as many as fit.
import type { ListedFile } from '../workspace/textFiles.ts'
import type { ContextNames } from './contextNames.ts'
import type { ContextSource, Resolved } from './contextSources.ts'
import type { FileAccess } from './fileAccess.ts'
import { folderLimits } from './folderSource.ts'
import { matching } from './matching.ts'
import { Omissions } from './omissions.ts'
import { readWithin } from './readWithin.ts'

export function openEditorsSource(
  access: FileAccess,
  openFiles: () => readonly ListedFile[],
  { openEditors: label }: ContextNames,
): ContextSource<'open-editors'> {
  const description = { label, detail: '', icon: 'open-editors' } as const
  return {
    async *suggest(query) {
      if (openFiles().length > 0)
        yield matching([{ reference: { source: 'open-editors' }, ...description, words: ['editors', 'tabs'] }], query)
    },
    describe: () => description,
    async resolve(_, __, signal): Promise<Resolved> {
      const omitted = new Omissions()
      const limits = { purpose: 'context', chars: folderLimits.chars } as const
      const { read } = await readWithin(access, openFiles(), limits, omitted, signal)
      if (read.length === 0 && omitted.all.length === 0) return { is: 'unavailable', why: 'empty', name: label }
      return { is: 'ready', parts: read.map(one => access.filePart(one)), omitted: omitted.all }
    },
  }
}
