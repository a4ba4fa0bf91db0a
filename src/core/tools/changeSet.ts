// `changeSetOf`: the part of a turn that lists the files that it has changed, with their review.
import type { PartOf } from '../../protocol/conversation.ts'
import { diffLines, lineCount } from '../workspace/lineHunks.ts'
import { type FileChange, isOpen } from './changeState.ts'

type ChangedFile = PartOf<'change-set'>['files'][number]

/**
 * The counts are those of what is open, and of the whole change where nothing is. `textOf`: an empty text for no file,
 * undefined for one that was lost.
 */
export async function changeSetOf(
  turn: string,
  changes: readonly FileChange[],
  textOf: (hash: string | null) => Promise<string | undefined>,
): Promise<PartOf<'change-set'> | undefined> {
  if (changes.length === 0) return undefined
  const uris = [...new Set(changes.map(({ uri }) => uri))]
  const files: ChangedFile[] = []
  for (const uri of uris)
    files.push(
      await fileOf(
        uri,
        changes.filter(one => one.uri === uri),
        textOf,
      ),
    )
  return { kind: 'change-set', id: `changes-${turn}`, files }
}

async function fileOf(
  uri: string,
  changes: readonly FileChange[],
  textOf: (hash: string | null) => Promise<string | undefined>,
): Promise<ChangedFile> {
  const open = changes.filter(isOpen)
  const counted = open.length > 0 ? open : changes
  const counts = { hunks: 0, addedLines: 0, removedLines: 0 }
  for (const { before, after, first, last } of counted) {
    const [from, to] = [await textOf(open.length > 0 ? before : first), await textOf(open.length > 0 ? after : last)]
    for (const hunk of diffLines(from ?? '', to ?? '')) {
      counts.hunks++
      counts.removedLines += lineCount((from ?? '').slice(hunk.before.start, hunk.before.end))
      counts.addedLines += lineCount((to ?? '').slice(hunk.after.start, hunk.after.end))
    }
  }
  const from = changes.find(one => one.from !== undefined)?.from
  return {
    uri,
    change: kindOf(changes),
    ...(from !== undefined && { renamedFrom: from }),
    ...counts,
    before: changes[0]?.first ?? null,
    after: changes.at(-1)?.last ?? null,
    review: reviewOf(changes, open.length > 0),
  }
}

function kindOf(changes: readonly FileChange[]): ChangedFile['change'] {
  const kinds = changes.map(({ change }) => change)
  if (kinds.at(-1) === 'deleted') return 'deleted'
  if (kinds.includes('created')) return 'created'
  return kinds.includes('renamed') ? 'renamed' : 'modified'
}

function reviewOf(changes: readonly FileChange[], isAnyOpen: boolean): ChangedFile['review'] {
  if (isAnyOpen) return 'open'
  if (changes.every(({ isLate }) => isLate)) return 'may-be-others'
  if (changes.every(({ undoneHunks }) => undoneHunks === 0)) return 'kept'
  return changes.every(({ keptHunks }) => keptHunks === 0) ? 'undone' : 'partly-undone'
}
