// `restoreCheckpoint`: puts files, the conversation or both back to what they were before a message, after a preview.
import {
  commands,
  l10n,
  type QuickInputButton,
  type QuickPickItem,
  QuickPickItemKind,
  ThemeIcon,
  Uri,
  window,
} from 'vscode'
import { clip, sanitizeLine } from '../../base/text.ts'
import type { Session } from '../../core/agent/session.ts'
import type { Checkpoints, RestoredFile, RestoreOutcome, WrittenGroup } from '../../core/tools/checkpoints.ts'
import { pathOf, promptText } from '../../protocol/conversationPath.ts'
import type { Turn } from '../../protocol/conversationState.ts'
import { listed } from '../ui/listed.ts'
import type { ReadOnlyDocuments } from '../ui/readOnlyDocuments.ts'
import { sentences } from '../ui/sentences.ts'
import { fileLabel } from './fileLabel.ts'

export interface RestoreNeeds {
  readonly checkpoints: Checkpoints
  readonly session: Session
  readonly documents: ReadOnlyDocuments
  /** Puts the text of a message into the composer. */
  readonly compose: (text: string) => void
}

type Scope = 'both' | 'files' | 'conversation'

const MOST_LABEL_CHARS = 80

/** What is before a message of the user, or before a restore or undo that is taken back. */
type Point = { readonly is: 'message'; readonly turn: Turn } | { readonly is: 'group'; readonly group: WrittenGroup }

/** `turn`: that of the message; without it the user selects one. */
export async function restoreCheckpoint(needs: RestoreNeeds, turn: string | undefined): Promise<void> {
  const { session, checkpoints } = needs
  if (session.isBusy || session.state.is === 'following')
    return void window.showInformationMessage(l10n.t('Stop the answer first, then restore.'))
  const path = pathOf(session.conversation).filter(({ isDeleted }) => !isDeleted)
  const point = turn === undefined ? await selectPoint(needs, path) : messagePoint(path.find(({ id }) => id === turn))
  if (!point) return
  const turns = point.is === 'message' ? path.slice(path.indexOf(point.turn)) : []
  const ids = point.is === 'message' ? turns.map(({ id }) => id) : [point.group.group]
  const files = await checkpoints.preview(session.id, ids)
  const scope = await selectScope(files, point, needs.documents)
  if (!scope) return
  const overwrite = scope === 'conversation' ? none : await selectConflicts(files, needs.documents)
  if (!overwrite) return
  if (scope !== 'files') await hide(needs, turns)
  const outcome = scope === 'conversation' ? undefined : await restore(needs, point, ids, overwrite)
  const hidden = scope === 'files' ? [] : ids
  const mayUndo = hidden.length > 0 || (outcome?.restored.length ?? 0) > 0
  const undo = l10n.t('Undo')
  const chosen = await window.showInformationMessage(outcomeText(outcome), ...(mayUndo ? [undo] : []))
  if (chosen !== undo) return
  for (const id of hidden) await session.setTurnDeleted(id, false)
  const undone = outcome && (await takeBack(needs, outcome.group, none))
  if (undone && undone.left.length > 0) void window.showInformationMessage(leftText(undone.left))
}

const none: ReadonlySet<string> = new Set()

const messagePoint = (turn: Turn | undefined): Point | undefined => turn && { is: 'message', turn }

function restore(
  needs: RestoreNeeds,
  point: Point,
  turns: readonly string[],
  overwrite: ReadonlySet<string>,
): Promise<RestoreOutcome> {
  const { session, checkpoints } = needs
  if (point.is === 'group') return takeBack(needs, point.group.group, overwrite)
  return checkpoints.restore(session.id, turns, overwrite, new AbortController().signal)
}

const takeBack = ({ session, checkpoints }: RestoreNeeds, group: string, overwrite: ReadonlySet<string>) =>
  checkpoints.undo(session.id, group, overwrite, new AbortController().signal)

async function selectPoint({ session, checkpoints }: RestoreNeeds, path: readonly Turn[]): Promise<Point | undefined> {
  const groups = await checkpoints.groups(session.id)
  const messages = path.toReversed().map(turn => ({
    label: clip(sanitizeLine(promptText(turn.prompt)), MOST_LABEL_CHARS),
    description: timeText(turn.startedAt),
    point: { is: 'message', turn } as const,
  }))
  const written = groups.map(group => ({
    label: groupText(group),
    description: timeText(group.time),
    detail: listed(group.uris.map(fileLabel), 'unit'),
    point: { is: 'group', group } as const,
  }))
  if (messages.length + written.length === 0) {
    void window.showInformationMessage(l10n.t('There is no message in this chat yet.'))
    return undefined
  }
  const separator = { label: l10n.t('Take back'), kind: QuickPickItemKind.Separator }
  const items: (QuickPickItem & { readonly point?: Point })[] = [
    ...messages,
    ...(written.length > 0 ? [separator, ...written] : []),
  ]
  const chosen = await window.showQuickPick(items, { title: l10n.t('Restore to before which message?') })
  return chosen?.point
}

const timeText = (time: number) => new Date(time).toLocaleTimeString()

function groupText({ is, uris }: WrittenGroup): string {
  const count = uris.length
  if (is === 'undo') return count === 1 ? l10n.t('Undo in one file') : l10n.t('Undo in {count} files', { count })
  return count === 1 ? l10n.t('Restore of one file') : l10n.t('Restore of {count} files', { count })
}

async function selectScope(
  files: readonly RestoredFile[],
  point: Point,
  documents: ReadOnlyDocuments,
): Promise<Scope | undefined> {
  const known = files.filter(({ how }) => how !== 'lost')
  const changed = known.filter(({ how }) => how !== 'conflict')
  const count = changed.length
  const detail = listed(
    known.map(({ uri }) => fileLabel(uri)),
    'unit',
  )
  const preview: QuickPickItem = { label: `$(diff-multiple) ${l10n.t('Show what would change')}` }
  const both = { label: l10n.t('Restore files and conversation'), detail, scope: 'both' as const }
  const filesAlone = { label: l10n.t('Restore files'), detail, scope: 'files' as const }
  const conversation = { label: l10n.t('Restore conversation'), scope: 'conversation' as const }
  const isMessage = point.is === 'message'
  const items: (QuickPickItem & { readonly scope?: Scope })[] = [
    ...(known.length > 0 ? [...(isMessage ? [both] : []), filesAlone] : []),
    ...(isMessage ? [conversation] : []),
    ...(known.length > 0 ? [preview] : []),
  ]
  const title =
    count === 1 ? l10n.t('One file would be restored') : l10n.t('{count} files would be restored', { count })
  for (;;) {
    // So that the preview can be looked at while the question stays.
    const chosen = await window.showQuickPick(items, { title, ignoreFocusOut: true })
    if (chosen !== preview) return chosen?.scope
    await showPreview(known, documents)
  }
}

/** The files as they are, and as they would be. */
async function showPreview(files: readonly RestoredFile[], documents: ReadOnlyDocuments): Promise<void> {
  const resources = files.map(file => {
    const [left, right] = sidesOf(file, documents)
    return [right, left, right]
  })
  await commands.executeCommand('vscode.changes', l10n.t('What a restore would change'), resources)
}

function sidesOf({ uri, present, target }: RestoredFile, documents: ReadOnlyDocuments): [left: Uri, right: Uri] {
  const { path } = Uri.parse(uri, true)
  return [documents.keep(`present${path}`, present ?? ''), documents.keep(`restored${path}`, target ?? '')]
}

/** The files that others have changed too and that the user wants restored all the same; undefined where they cancel. */
async function selectConflicts(
  files: readonly RestoredFile[],
  documents: ReadOnlyDocuments,
): Promise<ReadonlySet<string> | undefined> {
  const conflicts = files.filter(({ how }) => how === 'conflict')
  if (conflicts.length === 0) return none
  const compare: QuickInputButton = { iconPath: new ThemeIcon('diff'), tooltip: l10n.t('Compare') }
  const meanwhile = l10n.t('Changed while a command ran')
  const pick = window.createQuickPick<QuickPickItem & { readonly file: RestoredFile }>()
  pick.title = l10n.t('These files have other changes too. Select those to restore all the same.')
  pick.canSelectMany = true
  pick.ignoreFocusOut = true
  pick.items = conflicts.map(file => ({
    label: fileLabel(file.uri),
    ...(file.isLate && { description: meanwhile }),
    ...(file.holds !== undefined && { description: l10n.t('Has what was in {file}', { file: fileLabel(file.holds) }) }),
    buttons: [compare],
    file,
  }))
  pick.onDidTriggerItemButton(({ item }) => void showComparison(item.file, documents))
  try {
    return await new Promise<ReadonlySet<string> | undefined>(resolve => {
      pick.onDidAccept(() => resolve(new Set(pick.selectedItems.map(({ file }) => file.uri))))
      pick.onDidHide(() => resolve(undefined))
      pick.show()
    })
  } finally {
    pick.dispose()
  }
}

/** The file as it is, and as it would be. */
async function showComparison(file: RestoredFile, documents: ReadOnlyDocuments): Promise<void> {
  const title = l10n.t('{file}: restored', { file: fileLabel(file.uri) })
  await commands.executeCommand('vscode.diff', ...sidesOf(file, documents), title, { preview: true })
}

/** The messages stay in the history, and the first of them is in the composer again. */
async function hide({ session, compose }: RestoreNeeds, turns: readonly Turn[]): Promise<void> {
  for (const { id } of turns.toReversed()) await session.setTurnDeleted(id, true)
  const [first] = turns
  if (first) compose(promptText(first.prompt))
}

/** `outcome`: of the files, where they were restored. */
function outcomeText(outcome: RestoreOutcome | undefined): string {
  if (!outcome) return l10n.t('The conversation was restored.')
  const { restored, left } = outcome
  const text =
    restored.length === 1
      ? l10n.t('One file was restored.')
      : l10n.t('{count} files were restored.', { count: restored.length })
  return sentences(text, left.length > 0 ? leftText(left) : undefined)
}

const leftText = (left: readonly string[]) =>
  l10n.t('Left as they are: {files}', { files: listed(left.map(fileLabel), 'unit') })
