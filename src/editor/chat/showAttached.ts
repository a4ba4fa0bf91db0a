// `showAttached`: shows what a chip is about: a file, a change as a diff, a folder; else the text that is sent.
import { commands, Uri, workspace } from 'vscode'
import type { ContextReference } from '../../protocol/contextReference.ts'
import type { PromptPart } from '../../protocol/conversation.ts'
import type { Chip, ChipKind } from '../../protocol/draft.ts'
import { showFile } from './showFile.ts'

/** `showText`: shows the text that is sent. */
export async function showAttached(reference: ContextReference, showText: () => Promise<void>): Promise<void> {
  const { source } = reference
  if (source === 'file' || source === 'instructions') return showFile(reference.uri)
  if (source === 'selection' || source === 'symbol') return showFile(reference.uri, { range: reference.range })
  if (source === 'problems' && reference.uri) return showFile(reference.uri, { range: reference.problem?.range })
  if (source === 'git-change' && reference.uri) return showChange(Uri.parse(reference.uri, true), showText)
  if (source !== 'folder' || !workspace.getWorkspaceFolder(Uri.parse(reference.uri, true))) return showText()
  await commands.executeCommand('revealInExplorer', Uri.parse(reference.uri, true))
}

async function showChange(file: Uri, showText: () => Promise<void>): Promise<void> {
  // The command is that of an extension that the user may have disabled.
  const isShown = commands.executeCommand('git.openChange', file).then(
    () => true,
    () => false,
  )
  if (!(await isShown)) await showText()
}

/** For the tab of its text; the ending decides the language. */
export const attachedName = ({ kind, label }: Pick<Chip, 'kind' | 'label'>) =>
  `${label.replaceAll('/', ' ').trim()}${endings[kind] ?? '.txt'}`

export const textOf = (parts: readonly PromptPart[]) =>
  parts.flatMap(part => (part.kind === 'attachment' ? (part.text ?? '') : [])).join('\n\n')

const endings: Partial<Record<ChipKind, string>> = {
  file: '',
  'git-change': '.diff',
  commit: '.diff',
  instructions: '.md',
}
