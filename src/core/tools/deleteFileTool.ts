// `deleteFileTool`: `delete_file`, with which the model deletes a file so that it can be restored.
import { type FileChangePorts, FileChanges, type Propose, refusal } from './fileChanges.ts'
import type { Tool, ToolInput } from './tool.ts'
import { quoted } from './toolPaths.ts'

export function deleteFileTool(ports: FileChangePorts): Tool {
  const changes = new FileChanges(ports)
  const proposeFor =
    (input: ToolInput): Propose =>
    async (context, isPlanned, signal) => {
      const known = await changes.find(String(input['path']), context, isPlanned, signal)
      if (known.is === 'refused') return known
      if (known.text === null) return changes.missing(known, signal)
      if (known.file.resolved.linkTarget !== undefined) return refusal(linkText(known.file.path))
      if (known.isUnsaved) return refusal(unsavedText(known.file.path))
      return (await changes.unseen(known, context, '')) ?? { is: 'proposed', known, after: null, notes: [] }
    }
  return {
    name: 'delete_file',
    description: 'Deletes a text file that was read in this chat. The user can restore it.',
    parameters: {
      properties: { path: { type: 'string', description: 'Relative to the workspace, such as src/main.ts' } },
      required: ['path'],
    },
    rights: 'write',
    prepare: (input, context, signal) => changes.prepare(proposeFor(input), context, signal),
    run: (input, context, signal) => changes.run(proposeFor(input), context, signal),
  }
}

const linkText = (path: string) =>
  `${quoted(path)} was not deleted. Its path is a link to another file. Name that file, or use a command.`

const unsavedText = (path: string) =>
  `${quoted(path)} was not deleted. The user has unsaved changes in it. Ask the user to save or close it first.`
