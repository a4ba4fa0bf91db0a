// `moveFileTool`: `move_file`, with which the model gives a file another name or folder.
import { type FileChangePorts, FileChanges, type Propose, refusal } from './fileChanges.ts'
import type { Tool, ToolInput } from './tool.ts'
import { quoted } from './toolPaths.ts'

export function moveFileTool(ports: FileChangePorts): Tool {
  const changes = new FileChanges(ports)
  const proposeFor =
    (input: ToolInput): Propose =>
    async (context, isPlanned, signal) => {
      const known = await changes.find(String(input['from']), context, isPlanned, signal)
      if (known.is === 'refused') return known
      if (known.text === null) return changes.missing(known, signal)
      if (known.file.resolved.linkTarget !== undefined) return refusal(linkText(known.file.path))
      const target = await changes.find(String(input['to']), context, isPlanned, signal)
      if (target.is === 'refused') return target
      if (target.text !== null) return refusal(existsText(known.file.path, target.file.path))
      const unseen = await changes.unseen(known, context, '')
      return unseen ?? { is: 'proposed', known, after: known.text, to: target.file, notes: [] }
    }
  return {
    name: 'move_file',
    description:
      'Gives a text file that was read in this chat another name or folder. Other files that name it are not changed.',
    parameters: {
      properties: {
        from: { type: 'string', description: 'The file, relative to the workspace' },
        to: { type: 'string', description: 'Its new path, which must be free; the folders that it needs are made' },
      },
      required: ['from', 'to'],
    },
    rights: 'write',
    prepare: (input, context, signal) => changes.prepare(proposeFor(input), context, signal),
    run: (input, context, signal) => changes.run(proposeFor(input), context, signal),
  }
}

const linkText = (path: string) =>
  `${quoted(path)} was not moved. Its path is a link to another file. Name that file, or use a command.`

const existsText = (from: string, to: string) =>
  `${quoted(from)} was not moved. There is a file ${quoted(to)} already. Use another name, or delete that file first.`
