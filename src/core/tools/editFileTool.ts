// `editFileTool`: `edit_file`, with which the model replaces parts of a file.

import { contentHash } from '../../base/contentHash.ts'
import { never } from '../../base/fault.ts'
import { objectOf } from '../../protocol/json.ts'
import { NotebookText, shownText } from '../workspace/notebookText.ts'
import {
  cellsText,
  type FileChangePorts,
  FileChanges,
  type KnownFile,
  type Propose,
  type Proposed,
  refusal,
} from './fileChanges.ts'
import type { MatchStep } from './findPlaces.ts'
import { type AppliedEdit, type Edit, type EditFailure, type Knowledge, matchEdits } from './matchEdits.ts'
import { changeText, matchRefusal } from './matchRefusal.ts'
import { revisionOf } from './readFileTool.ts'
import type { CallContext, Tool, ToolInput } from './tool.ts'
import { quoted } from './toolPaths.ts'

export function editFileTool(ports: FileChangePorts): Tool {
  const changes = new FileChanges(ports)
  const proposeFor = (input: ToolInput): Propose => {
    const edits = editsIn(input)
    return (context, isPlanned, signal) => proposal(changes, String(input['path']), edits, context, isPlanned, signal)
  }
  return {
    name: 'edit_file',
    description:
      'Replaces text in a file. Each edit names the text to be replaced, old_text, which must be in the file exactly once: ' +
      'copy 3 to 8 whole lines as they are, without line numbers. The edits are made in order, all of them or none. ' +
      'The file need not be read before if old_text is whole lines.',
    parameters: {
      properties: {
        path: { type: 'string', description: 'Relative to the workspace, such as src/main.ts' },
        edits: {
          type: 'array',
          description: 'At least one',
          items: {
            type: 'object',
            properties: {
              old_text: { type: 'string', description: 'The text to be replaced' },
              new_text: { type: 'string', description: 'What comes in its place; empty to delete it' },
              all: { type: 'boolean', description: 'Replace it at every place, not only at one' },
            },
            required: ['old_text', 'new_text'],
          },
        },
      },
      required: ['path', 'edits'],
    },
    rights: 'write',
    prepare: (input, context, signal) => changes.prepare(proposeFor(input), context, signal),
    run: (input, context, signal) => changes.run(proposeFor(input), context, signal),
    finish: ({ conversation }) => changes.finish(conversation),
  }
}

function editsIn(input: ToolInput): Edit[] {
  const list = Array.isArray(input['edits']) ? input['edits'] : []
  return list.map(value => {
    const { old_text: old, new_text: fresh, all } = objectOf(value) ?? {}
    return { old: String(old), new: String(fresh), all: all === true }
  })
}

async function proposal(
  changes: FileChanges,
  path: string,
  edits: readonly Edit[],
  context: CallContext,
  isPlanned: boolean,
  signal: AbortSignal,
): Promise<Proposed> {
  if (edits.length === 0) {
    return refusal('The list of edits is empty. Nothing was changed. Call again with at least one edit.')
  }
  const known = await changes.find(path, context, isPlanned, signal)
  if (known.is === 'refused') return known
  const { file, text, mayShow } = known
  if (text === null) return changes.missing(known, signal)
  if (!mayShow && known.seen !== null) {
    const state = known.seen === undefined ? 'was not read' : 'has changed since it was read'
    return refusal(
      `${quoted(file.path)} ${state} in this chat. The user is asked before it is, so it cannot be edited unseen. Read it with read_file first.`,
    )
  }
  const notebook = NotebookText.of(file.path, text)
  const shown = notebook?.text ?? text
  const knowledge = knowledgeOf(known)
  const result = matchEdits(shown, edits, knowledge)
  if (result.is === 'failed') return refusal(await failure(changes, known, result.failures, edits.length, context))
  const notes = notesOf(result.edits, knowledge, shown)
  if (result.text !== shown) {
    const changed = notebook?.with(result.text) ?? { is: 'changed', file: result.text }
    if (changed.is === 'refused') return refusal(cellsText(file.path, changed.why))
    return { is: 'proposed', known, after: changed.file, notes }
  }
  const revision = revisionOf(await contentHash(text))
  const lines = [`Nothing to change in ${file.path}, revision ${revision}.`, ...notes]
  return { is: 'answered', output: { content: [{ kind: 'text', text: lines.join('\n') }] } }
}

function knowledgeOf({ seen, text, file }: KnownFile): Knowledge {
  if (seen === undefined) return { is: 'unseen' }
  return seen === null || seen === text ? { is: 'same' } : { is: 'changed', seen: shownText(file.path, seen) }
}

/** What the refusal shows whole is seen from then on, so that the corrected call is judged by it. */
async function failure(
  changes: FileChanges,
  known: KnownFile,
  failures: readonly EditFailure[],
  edits: number,
  context: CallContext,
): Promise<string> {
  const { file, mayShow } = known
  const text = shownText(file.path, known.text ?? '')
  const seen = typeof known.seen === 'string' ? shownText(file.path, known.seen) : undefined
  const isChanged = seen !== undefined && known.seen !== known.text
  if (isChanged && mayShow && !changeText(seen, text).isCut) await changes.note(known, context)
  return matchRefusal(failures, { path: file.path, text, seen: isChanged ? seen : undefined, edits, mayShow })
}

function notesOf(edits: readonly AppliedEdit[], knowledge: Knowledge, text: string): string[] {
  const notes = edits.flatMap((edit, at) => {
    const which = edits.length > 1 ? `Edit ${at + 1}` : 'The edit'
    if (edit.is === 'there') return [`${which} is already there, ${linesOfPlace(edit, text)}.`]
    return edit.step === 1 ? [] : [`${which} matched ${stepText(edit.step)}.`]
  })
  if (knowledge.is !== 'changed') return notes
  return [...notes, `The file had changed elsewhere since you read it:\n${changeText(knowledge.seen, text).text}`]
}

function linesOfPlace({ place }: Extract<AppliedEdit, { is: 'there' }>, text: string): string {
  const numberAt = (offset: number) => text.slice(0, offset).split('\n').length
  const [from, to] = [numberAt(place.start), numberAt(Math.max(place.start, place.end - 1))]
  return from === to ? `line ${from}` : `lines ${from} to ${to}`
}

function stepText(step: Exclude<MatchStep, 1>): string {
  switch (step) {
    case 2:
      return 'but for white space at the ends of lines'
    case 3:
      return 'but for the indentation, which was adapted'
    case 4:
      return 'but for typographic quotes, dashes or spaces'
    case 5:
      return 'but for white space and typographic characters'
    case 6:
      return 'with its escapes undone'
    default:
      return never(step)
  }
}
