// `withCommandChanges`: what a command has changed in the files of the workspace, behind what it wrote.
import type { CommandChange, CommandChanges } from './commandWatch.ts'
import type { ToolOutput } from './tool.ts'
import { quoted } from './toolPaths.ts'

/** Of the files that a command has changed. */
const MAX_NAMES = 30

/** Of a command that goes on in the background, until now. */
export function withCommandChanges(output: ToolOutput, { changed, notRestorable }: CommandChanges): ToolOutput {
  if (changed.length + notRestorable.length === 0) return output
  const lines = [
    ...(changed.length > 0 ? [`It changed ${listed(changed.map(changeText))}. This can be undone.`] : []),
    ...(notRestorable.length > 0 ? [`It changed what cannot be undone: ${listed(notRestorable.map(quoted))}.`] : []),
  ]
  return { ...output, content: [...output.content, { kind: 'text', text: lines.join('\n') }] }
}

function changeText({ path, change, addedLines, removedLines }: CommandChange): string {
  return `${quoted(path)} (${change}, +${addedLines} −${removedLines})`
}

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMES
  return names.slice(0, MAX_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
