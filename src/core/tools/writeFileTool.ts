// `writeFileTool`: `write_file`, with which the model writes a new file, or the whole of one that it has seen.
import { textWithLineFeeds } from '../workspace/lineEnds.ts'
import { type NotebookChange, NotebookText, shownText } from '../workspace/notebookText.ts'
import { cellsText, type FileChangePorts, FileChanges, type Propose, refusal } from './fileChanges.ts'
import { omissionIn } from './omission.ts'
import type { Tool, ToolInput } from './tool.ts'
import { textOutput } from './toolOutput.ts'
import { quoted } from './toolPaths.ts'

export function writeFileTool(ports: FileChangePorts): Tool {
  const changes = new FileChanges(ports)
  const proposeFor =
    (input: ToolInput): Propose =>
    async (context, isPlanned, signal) => {
      const written = textWithLineFeeds(String(input['text'])).replace(/^\ufeff/, '')
      const known = await changes.find(String(input['path']), context, isPlanned, signal)
      if (known.is === 'refused') return known
      const { file, text } = known
      const content = contentFor(file.path, text, written)
      if (content.is === 'refused') return refusal(cellsText(file.path, content.why))
      const after = content.file
      const omission = omissionIn(written, shownText(file.path, text ?? ''))
      if (omission !== undefined) return refusal(omissionText(omission))
      const unseen = await changes.unseen(known, context, ', or change a part of it with edit_file')
      if (unseen) return unseen
      const partly = changes.partlyUnseen(known)
      if (partly) return partly
      if (after !== text) return { is: 'proposed', known, after, notes: [] }
      return { is: 'answered', output: textOutput(`${file.path} has exactly this text already.`) }
    }
  return {
    name: 'write_file',
    description:
      'Writes a whole file: a new one with the folders that it needs, or all of a file that was read in this chat. ' +
      'To change a part of a file use edit_file.',
    parameters: {
      properties: {
        path: { type: 'string', description: 'Relative to the workspace, such as src/main.ts' },
        text: { type: 'string', description: 'All of the file' },
      },
      required: ['path', 'text'],
    },
    rights: 'write',
    prepare: (input, context, signal) => changes.prepare(proposeFor(input), context, signal),
    run: (input, context, signal) => changes.run(proposeFor(input), context, signal),
    finish: ({ conversation }) => changes.finish(conversation),
  }
}

/** The content of the file: a notebook may be written as its cells, in the form in which it is read. */
function contentFor(path: string, text: string | null, written: string): NotebookChange {
  const isNotebook = /\.ipynb$/i.test(path) && !written.trimStart().startsWith('{')
  if (!isNotebook) return { is: 'changed', file: written }
  const notebook = text === null ? undefined : NotebookText.of(path, text)
  return notebook?.with(written) ?? NotebookText.create(path, written)
}

const omissionText = (line: string) =>
  `text has the line ${quoted(line)}. It would be written as it is, and the text that it replaces would be lost. ` +
  'Write the whole text, or change a part of the file with edit_file.'
