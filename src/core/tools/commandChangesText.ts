// `withCommandChanges`: what a command has changed in the files of the workspace, behind what it wrote.
import type { CommandChange, CommandChanges } from './commandWatch.ts'
import type { ToolOutput } from './tool.ts'
import { quoted } from './toolPaths.ts'

/** Of the files that a command has changed. */
const MAX_NAMES = 30

/** Of a command that goes on in the background, until now. */
export function withCommandChanges(
  output: ToolOutput,
  { changed, notRestorable, isKnown }: CommandChanges,
): ToolOutput {
  const [own, late] = [changed.filter(({ isLate }) => !isLate), changed.filter(({ isLate }) => isLate)]
  const lines = [
    own.length > 0 && `It changed ${listed(own.map(changeText))}. This can be undone.`,
    late.length > 0 &&
      `While it ran in the background, it or somebody else changed ${listed(late.map(changeText))}. The user can restore this.`,
    notRestorable.length > 0 && `It changed what cannot be undone: ${listed(notRestorable.map(quoted))}.`,
    !isKnown && 'What it changed is not known and cannot be undone, because the files could not be looked at.',
  ].filter(line => line !== false)
  if (lines.length === 0) return output
  const text = lines.join('\n')
  const { content, repeatKey } = output
  return {
    ...output,
    content: [...content, { kind: 'text', text }],
    ...(repeatKey !== undefined && { repeatKey: repeatKey + text }),
  }
}

function changeText({ path, change, addedLines, removedLines }: CommandChange): string {
  return `${quoted(path)} (${change}, +${addedLines} −${removedLines})`
}

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMES
  return names.slice(0, MAX_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
