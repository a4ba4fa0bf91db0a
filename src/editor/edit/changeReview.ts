// `ChangeReview`: shows open changes as diffs and in a list, and keeps and undoes them.
import {
  commands,
  l10n,
  type QuickPickItem,
  QuickPickItemKind,
  type Range,
  Selection,
  type TextEditor,
  TextEditorRevealType,
  Uri,
  window,
} from 'vscode'
import { countsOf, type OpenHunk } from '../../core/tools/changeStack.ts'
import type { FileChange } from '../../core/tools/changeState.ts'
import type { Changes, ReviewScope } from '../../core/tools/changes.ts'
import type { Checkpoints } from '../../core/tools/checkpoints.ts'
import { type UndoneTogether, undoTogether } from '../../core/tools/undoTogether.ts'
import { objectOf, textOf } from '../../protocol/json.ts'
import { listed } from '../ui/listed.ts'
import { baselineUri } from './baselineDocuments.ts'
import { fileLabel } from './fileLabel.ts'
import { rangeIn } from './textRange.ts'

export interface OpenFile {
  readonly conversation: string
  readonly uri: string
}

export class ChangeReview {
  readonly #changes: Changes
  readonly #checkpoints: Checkpoints

  readonly #report: (fault: unknown) => void

  constructor(changes: Changes, checkpoints: Checkpoints, report: (fault: unknown) => void) {
    this.#changes = changes
    this.#checkpoints = checkpoints
    this.#report = report
  }

  /** Opens the editor's diff: without the open changes on the left, the file itself on the right. */
  async openDiff({ conversation, uri }: OpenFile): Promise<void> {
    const title = l10n.t('{file} (changes by Kourier)', { file: fileLabel(uri) })
    const left = baselineUri({ conversation, uri })
    const { stack, whole } = await this.#changes.review(conversation, uri)
    if (stack) await commands.executeCommand('vscode.diff', left, Uri.parse(uri, true), title, { preview: true })
    else if (whole.length > 0) await commands.executeCommand('vscode.open', left, { preview: true }, title)
    else await window.showInformationMessage(l10n.t('{file} is not there any more.', { file: fileLabel(uri) }))
  }

  /**
   * All files with open changes in one editor, of all conversations or of one, or of one turn. The label is the path of the
   * right side: another one would be a new name.
   */
  async openAll(scope?: Omit<ReviewScope, 'uri' | 'hunk'>): Promise<void> {
    const conversations = scope ? [scope.conversation] : this.#changes.openConversations
    const files = conversations.flatMap(conversation =>
      this.#changes.openFiles(conversation, scope?.turn).map(uri => ({ conversation, uri, turn: scope?.turn })),
    )
    const resources = files.map(file => {
      const right = Uri.parse(file.uri, true)
      return [right, baselineUri(file), right]
    })
    await commands.executeCommand('vscode.changes', l10n.t('Changes by Kourier'), resources)
  }

  keep(scope: ReviewScope): Promise<void> {
    return this.#changes.keep(scope)
  }

  undo(scope: ReviewScope): Promise<void> {
    return this.#undoAll([scope])
  }

  async #undoAll(scopes: readonly ReviewScope[]): Promise<void> {
    const outcome = await undoTogether(this.#changes, scopes)
    const { hasFailed, elsewhere, gone, taken } = outcome
    const left = outcome.left - taken.length
    // The editor's own undo takes back that of one change.
    if (scopes.every(({ hunk }) => hunk === undefined)) void this.#offerRedo(outcome).catch(this.#report)
    if (elsewhere.length > 0) await window.showWarningMessage(elsewhereText(elsewhere))
    if (gone.length > 0) await window.showWarningMessage(goneText(gone))
    if (taken.length > 0) await window.showWarningMessage(takenText(taken))
    if (hasFailed)
      await window.showWarningMessage(l10n.t('A file could not be written, so its changes were not undone.'))
    else if (left === 1) await window.showWarningMessage(oneLeft())
    else if (left > 1) await window.showWarningMessage(manyLeft(left))
  }

  /** A file that no editor has open has no other way back. */
  async #offerRedo({ undone, groups }: UndoneTogether): Promise<void> {
    const [uri] = undone
    if (uri === undefined) return
    const redo = l10n.t('Redo')
    const text =
      undone.length === 1
        ? l10n.t('The changes in {file} were undone.', { file: fileLabel(uri) })
        : l10n.t('The changes in {count} files were undone.', { count: undone.length })
    if ((await window.showInformationMessage(text, redo)) !== redo) return
    const left: string[] = []
    for (const { conversation, group } of groups.toReversed())
      left.push(...(await this.#checkpoints.undo(conversation, group, new Set(), new AbortController().signal)).left)
    if (left.length > 0) await window.showWarningMessage(leftText([...new Set(left)]))
  }

  /** `target`: that of a lens; without it the hunk at the cursor. */
  async keepHunk(target: unknown): Promise<void> {
    const scope = scopeOf(target) ?? (await this.#atCursor())
    if (scope) await this.keep(scope)
  }

  async undoHunk(target: unknown): Promise<void> {
    const scope = scopeOf(target) ?? (await this.#atCursor())
    if (scope) await this.undo(scope)
  }

  async keepFile(): Promise<void> {
    const files = await this.#filesOrNotice()
    for (const file of files) await this.keep(file)
  }

  async undoFile(): Promise<void> {
    await this.#undoAll(await this.#filesOrNotice())
  }

  /** Moves the cursor to the change after it, or before it; from the last to the first. */
  async move(step: 1 | -1): Promise<void> {
    const editor = window.activeTextEditor
    const hunks = (await this.#hunksInFront()).toSorted((a, b) => a.range.start.line - b.range.start.line)
    if (!editor || hunks.length === 0) return
    const { line } = editor.selection.active
    const next =
      step === 1
        ? hunks.find(({ range }) => range.start.line > line)
        : hunks.findLast(({ range }) => range.start.line < line)
    const { range } = next ?? hunks.at(step === 1 ? 0 : -1) ?? { range: editor.selection }
    editor.selection = new Selection(range.start, range.start)
    editor.revealRange(range, TextEditorRevealType.InCenterIfOutsideViewport)
  }

  /** The list of all files with open changes, and then what to do with one. */
  async showAll(): Promise<void> {
    await this.#changes.loadAll()
    const files = this.#changes.openConversations.flatMap(conversation =>
      this.#changes.openFiles(conversation).map(uri => ({ conversation, uri })),
    )
    if (files.length === 0) {
      await window.showInformationMessage(l10n.t('Kourier has no open changes in this workspace.'))
      return
    }
    const [keepAll, undoAll] = [l10n.t('Keep all'), l10n.t('Undo all')]
    const items: (QuickPickItem & { file?: OpenFile })[] = []
    for (const file of files) items.push({ ...(await this.#itemOf(file)), file })
    const ends = { label: '', kind: QuickPickItemKind.Separator }
    const chosen = await window.showQuickPick([...items, ends, { label: keepAll }, { label: undoAll }], {
      title: l10n.t('Changes by Kourier'),
      matchOnDescription: true,
    })
    if (chosen && 'file' in chosen && chosen.file) await this.#showActions(chosen.file)
    const conversations = [...new Set(files.map(({ conversation }) => conversation))]
    if (chosen?.label === undoAll) await this.#undoAll(conversations.map(conversation => ({ conversation })))
    if (chosen?.label === keepAll) for (const conversation of conversations) await this.keep({ conversation })
  }

  async #showActions(file: OpenFile): Promise<void> {
    const actions = [
      { label: l10n.t('Open diff'), run: () => this.openDiff(file) },
      { label: l10n.t('Keep'), run: () => this.keep(file) },
      { label: l10n.t('Undo'), run: () => this.undo(file) },
    ]
    const chosen = await window.showQuickPick(actions, { title: fileLabel(file.uri) })
    await chosen?.run()
  }

  async #itemOf({ conversation, uri }: OpenFile): Promise<QuickPickItem> {
    const { hunks, whole } = await this.#changes.review(conversation, uri)
    return { label: fileLabel(uri), description: descriptionOf(hunks, whole) }
  }

  async #filesOrNotice(): Promise<readonly OpenFile[]> {
    const files = this.#filesInFront()
    if (files.length === 0) await window.showInformationMessage(l10n.t('This file has no open changes by Kourier.'))
    return files
  }

  #filesInFront(): OpenFile[] {
    const uri = window.activeTextEditor?.document.uri.toString()
    return this.#changes.openConversations.flatMap(conversation =>
      this.#changes.openFiles(conversation).flatMap(file => (file === uri ? [{ conversation, uri: file }] : [])),
    )
  }

  async #hunksInFront(): Promise<(OpenFile & { readonly hunk: string; readonly range: Range })[]> {
    const found: (OpenFile & { readonly hunk: string; readonly range: Range })[] = []
    for (const file of this.#filesInFront()) {
      const { stack, hunks } = await this.#changes.review(file.conversation, file.uri)
      const placed = hunks.filter((hunk): hunk is OpenHunk & { range: object } => hunk.range !== undefined)
      for (const { id, range } of placed)
        if (stack) found.push({ ...file, hunk: id, range: rangeIn(stack.present, range) })
    }
    return found
  }

  async #atCursor(): Promise<ReviewScope | undefined> {
    const editor = window.activeTextEditor
    const hunks = await this.#hunksInFront()
    const found = editor && hunks.find(({ range }) => isAt(editor, range))
    if (found) return { conversation: found.conversation, uri: found.uri, hunk: found.hunk }
    await window.showInformationMessage(l10n.t('There is no change by Kourier at the cursor.'))
    return undefined
  }
}

/** In its lines; for removed lines, in the lines around their place. */
function isAt({ selection }: TextEditor, { start, end, isEmpty }: Range): boolean {
  const { line } = selection.active
  return isEmpty
    ? line === start.line || line === start.line - 1
    : line >= start.line && line < Math.max(end.line, start.line + 1)
}

const leftText = (left: readonly string[]) =>
  l10n.t('Left as they are: {files}', { files: listed(left.map(fileLabel), 'unit') })

const elsewhereText = (uris: readonly string[]) =>
  l10n.t('Not undone, because a link leads to another place than when the file was changed: {files}', {
    files: listed(uris.map(fileLabel), 'unit'),
  })
const goneText = (uris: readonly string[]) =>
  l10n.t('Not undone, because the file is no longer there: {files}', { files: listed(uris.map(fileLabel), 'unit') })
const takenText = (uris: readonly string[]) =>
  l10n.t('Not undone, because another file has the name that the file had before: {files}', {
    files: listed(uris.map(fileLabel), 'unit'),
  })
const oneLeft = () =>
  l10n.t('One change was not undone, because its lines have been changed since. Open the diff to compare.')
const manyLeft = (count: number) =>
  l10n.t('{count} changes were not undone, because their lines have been changed since. Open the diff to compare.', {
    count,
  })

/** Another extension may run the command with anything. */
function scopeOf(target: unknown): ReviewScope | undefined {
  const given = objectOf(target)
  const [conversation, uri, hunk] = [textOf(given?.['conversation']), textOf(given?.['uri']), textOf(given?.['hunk'])]
  return conversation && uri && hunk ? { conversation, uri, hunk } : undefined
}

function descriptionOf(hunks: readonly OpenHunk[], whole: readonly FileChange[]): string {
  if (whole.some(({ change }) => change === 'deleted')) return l10n.t('This file was deleted.')
  const { hunks: count, addedLines, removedLines } = countsOf(hunks)
  const isWhole = count === 0 && whole.some(one => one.whole !== undefined)
  return isWhole ? l10n.t('This file was changed as a whole.') : `+${addedLines} −${removedLines}`
}
