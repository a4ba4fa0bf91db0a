// `listFilesTool`: `list_files`, with which the model sees which files there are.

import { sanitizeLine } from '../../base/text.ts'
import type { Listed, ListedEntry, TreeSearch } from '../workspace/treeSearch.ts'
import type { Tool, ToolInput, ToolOutput } from './tool.ts'
import { textIn } from './toolInput.ts'
import { errorOutput } from './toolOutput.ts'
import { count, quoted } from './toolPaths.ts'
import type { TreePlaces } from './treePlaces.ts'

export interface ListFilesPorts {
  readonly places: TreePlaces
  readonly search: Pick<TreeSearch, 'list'>
}

const MOST_ENTRIES = 500
/** A smaller file is listed without its size. */
const LARGE_BYTES = 100 * 1_024

export function listFilesTool(ports: ListFilesPorts): Tool {
  return {
    name: 'list_files',
    description:
      'Lists the files and folders below a folder, those nearest to it first; folders end with a slash. With a glob, the ' +
      `files alone that it fits. At most ${MOST_ENTRIES} a call. What git ignores is left out.`,
    parameters: {
      properties: {
        path: { type: 'string', description: 'A folder, such as src; the whole workspace without it' },
        glob: { type: 'string', description: 'Such as *.ts or src/**/*.{ts,tsx}; ! in front for all others' },
        limit: { type: 'integer', minimum: 1, description: `How many; up to ${MOST_ENTRIES}` },
      },
    },
    rights: 'read',
    run: (input, _, signal) => listed(ports, input, signal),
  }
}

async function listed({ places, search }: ListFilesPorts, input: ToolInput, signal: AbortSignal): Promise<ToolOutput> {
  const path = textIn(input, 'path')
  const glob = textIn(input, 'glob')
  const found = places.find(path)
  if (found.is === 'refused') return errorOutput(found.output)
  const limit = input['limit']
  const most = Math.min(typeof limit === 'number' ? limit : MOST_ENTRIES, MOST_ENTRIES)
  const list = await search.list({ places: found.places, glob, most }, signal)
  if ('is' in list) return errorOutput(await places.problemText(path, list, signal))
  const text = list.entries.length > 0 ? listText(list) : emptyText(path, glob)
  return {
    content: [{ kind: 'text', text: list.isCut ? `${text}\n${timeText}` : text }],
    details: { entries: list.entries.length, more: list.more },
  }
}

export const timeText = 'The time was over after 20 seconds, so there may be more.'

function listText({ entries, more }: Listed): string {
  const rest = more > 0 ? [`${count(more)} more; name a folder or use a glob.`] : []
  return [...entries.map(entryText), ...rest].join('\n')
}

function entryText({ path, isFolder, size, isSecret }: ListedEntry): string {
  if (isFolder) return `${shownPath(path)}/`
  const notes = [...(size > LARGE_BYTES ? [sizeText(size)] : []), ...(isSecret ? ['secret, not shown'] : [])]
  return notes.length > 0 ? `${shownPath(path)} (${notes.join(', ')})` : shownPath(path)
}

/** Names are data: one that could be taken for something else is in quotes. */
export const shownPath = (path: string) => (sanitizeLine(path, path.length) === path ? path : quoted(path))

const sizeText = (bytes: number) =>
  bytes < 1_024 * 1_024 ? `${Math.round(bytes / 1_024)} KB` : `${(bytes / 1_024 / 1_024).toFixed(1)} MB`

function emptyText(path: string | undefined, glob: string | undefined): string {
  const folder = path === undefined ? 'The workspace' : quoted(path)
  const within = path === undefined ? '' : ` in ${quoted(path)}`
  if (glob === undefined) return `${folder} has no files. What git ignores is not listed.`
  return `No file${within} fits ${quoted(glob)}. What git ignores is not listed.`
}
