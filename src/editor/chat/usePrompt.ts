// `usePrompt`: a prompt file as it is attached: its text with the values of now, what it refers to, and what the user has to know.
import { l10n, Uri } from 'vscode'
import type { ContextSources } from '../../core/context/contextSources.ts'
import type { PromptFile } from '../../core/context/promptFiles.ts'
import { type PromptText, type PromptValues, promptText } from '../../core/context/promptText.ts'
import type { ContextReference } from '../../protocol/contextReference.ts'
import { listed } from '../ui/listed.ts'
import { sanitize } from '../ui/sanitize.ts'
import { sentences } from '../ui/sentences.ts'

export interface UsedPrompt {
  readonly text: string
  /** What its variables stand for. */
  readonly references: readonly ContextReference[]
  /** For each file that it names: where that may be. */
  readonly files: readonly (readonly string[])[]
  readonly notice?: string
}

/** What is selected is attached and not inserted, so that the rules for attachments hold for it. */
export function usePrompt(prompt: PromptFile, sources: ContextSources, root: string | undefined): UsedPrompt {
  const { selection } = sources.offers
  const prepared = promptText(prompt, valuesOf(sources, root), root)
  const usesSelection = prepared.used.some(name => name === 'selection' || name === 'selectedText')
  const notice = noticeOf(prompt, prepared)
  return {
    text: prepared.text,
    references: selection && usesSelection ? [selection] : [],
    files: prepared.files,
    ...(notice !== undefined && { notice }),
  }
}

function valuesOf(sources: ContextSources, root: string | undefined): PromptValues {
  const { selection, activeFile } = sources.offers
  const file = activeFile ?? (selection && { source: 'file' as const, uri: selection.uri })
  return {
    ...(selection && valuesOfSelection(nameOf(sources, selection))),
    ...(file && valuesOfFile(nameOf(sources, file))),
    ...(root !== undefined && valuesOfFolder(Uri.parse(root, true).fsPath)),
  }
}

const valuesOfSelection = (name: string) => ({ selection: name, selectedText: name })

function valuesOfFile(file: string) {
  const fileBasename = lastOf(file)
  const fileBasenameNoExtension = fileBasename.replace(/(?<=.)\.[^.]*$/, '')
  return { file, fileBasename, fileBasenameNoExtension, fileDirname: file.slice(0, -fileBasename.length - 1) || '.' }
}

const valuesOfFolder = (folder: string) => ({ workspaceFolder: folder, workspaceFolderBasename: lastOf(folder) })

const lastOf = (path: string) => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)

/** As its attachment is named. */
function nameOf(sources: ContextSources, reference: ContextReference): string {
  const { label, detail } = sources.describe(reference)
  return detail === '' || detail.endsWith(label) ? detail || label : `${detail}/${label}`
}

function noticeOf({ withoutEffect }: PromptFile, { inputs, lacking }: PromptText): string | undefined {
  const wanted = inputs.map(({ name, about }) => sanitize(about === '' ? name : `${name} (${about})`))
  const texts = [
    ...(wanted.length > 0 ? [l10n.t('Write into your message: {names}.', { names: listed(wanted, 'unit') })] : []),
    ...(lacking.length > 0
      ? [l10n.t('Nothing is open or selected for {names}.', { names: listed(lacking, 'unit') })]
      : []),
    ...(withoutEffect.length > 0
      ? [l10n.t('What the prompt file sets for {names} has no effect here.', { names: listed(withoutEffect, 'unit') })]
      : []),
  ]
  return texts.length === 0 ? undefined : sentences(...texts)
}
