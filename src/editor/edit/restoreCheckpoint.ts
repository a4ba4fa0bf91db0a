// `restoreCheckpoint`: puts files, the conversation or both back to what they were before a message, after a preview.
import { commands, l10n, type QuickPickItem, Uri, window } from 'vscode'
import { clip, sanitizeLine } from '../../base/text.ts'
import type { Session } from '../../core/agent/session.ts'
import type { Checkpoints, RestoredFile, RestoreOutcome } from '../../core/tools/checkpoints.ts'
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

/** `turn`: that of the message; without it the user selects one. */
export async function restoreCheckpoint(needs: RestoreNeeds, turn: string | undefined): Promise<void> {
  const { session, checkpoints } = needs
  if (session.isBusy || session.state.is === 'following')
    return void window.showInformationMessage(l10n.t('Stop the answer first, then restore.'))
  const path = pathOf(session.conversation).filter(({ isDeleted }) => !isDeleted)
  const point = turn === undefined ? await selectMessage(path) : path.find(({ id }) => id === turn)
  if (!point) return
  const turns = path.slice(path.indexOf(point))
  const ids = turns.map(({ id }) => id)
  const files = await checkpoints.preview(session.id, ids)
  const scope = await selectScope(files, needs.documents)
  if (!scope) return
  const overwrite = scope === 'conversation' ? new Set<string>() : await selectConflicts(files)
  if (!overwrite) return
  const { signal } = new AbortController()
  if (scope !== 'files') await hide(needs, turns)
  const outcome = scope === 'conversation' ? undefined : await checkpoints.restore(session.id, ids, overwrite, signal)
  const hidden = scope === 'files' ? [] : ids
  const mayUndo = hidden.length > 0 || (outcome?.restored.length ?? 0) > 0
  const undo = l10n.t('Undo')
  const chosen = await window.showInformationMessage(outcomeText(outcome), ...(mayUndo ? [undo] : []))
  if (chosen !== undo) return
  for (const id of hidden) await session.setTurnDeleted(id, false)
  const undone = outcome && (await checkpoints.undo(session.id, outcome, signal))
  if (undone && undone.left.length > 0) void window.showInformationMessage(leftText(undone.left))
}

async function selectMessage(path: readonly Turn[]): Promise<Turn | undefined> {
  const items = path.toReversed().map(turn => ({
    label: clip(sanitizeLine(promptText(turn.prompt)), MOST_LABEL_CHARS),
    description: new Date(turn.startedAt).toLocaleTimeString(),
    turn,
  }))
  if (items.length === 0) {
    void window.showInformationMessage(l10n.t('There is no message in this chat yet.'))
    return undefined
  }
  const chosen = await window.showQuickPick(items, { title: l10n.t('Restore to before which message?') })
  return chosen?.turn
}

async function selectScope(files: readonly RestoredFile[], documents: ReadOnlyDocuments): Promise<Scope | undefined> {
  const changed = files.filter(({ how }) => how !== 'lost')
  const count = changed.length
  const detail = listed(
    changed.map(({ uri }) => fileLabel(uri)),
    'unit',
  )
  const preview: QuickPickItem = { label: `$(diff-multiple) ${l10n.t('Show what would change')}` }
  const items: (QuickPickItem & { readonly scope?: Scope })[] = [
    ...(count > 0
      ? [
          { label: l10n.t('Restore files and conversation'), detail, scope: 'both' as const },
          { label: l10n.t('Restore files'), detail, scope: 'files' as const },
        ]
      : []),
    { label: l10n.t('Restore conversation'), scope: 'conversation' },
    ...(count > 0 ? [preview] : []),
  ]
  const title =
    count === 1 ? l10n.t('One file would be restored') : l10n.t('{count} files would be restored', { count })
  const chosen = await window.showQuickPick(items, { title })
  if (chosen !== preview) return chosen?.scope
  await showPreview(changed, documents)
  return undefined
}

/** The files as they are, and as they would be. */
async function showPreview(files: readonly RestoredFile[], documents: ReadOnlyDocuments): Promise<void> {
  const resources = files.map(({ uri, present, target }) => {
    const file = Uri.parse(uri, true)
    const left = documents.keep(`present${file.path}`, present ?? '')
    const right = documents.keep(`restored${file.path}`, target ?? '')
    return [right, left, right]
  })
  await commands.executeCommand('vscode.changes', l10n.t('What a restore would change'), resources)
}

/** The files that others have changed too and that the user wants restored all the same; undefined where they cancel. */
async function selectConflicts(files: readonly RestoredFile[]): Promise<ReadonlySet<string> | undefined> {
  const conflicts = files.filter(({ how }) => how === 'conflict')
  if (conflicts.length === 0) return new Set()
  const items = conflicts.map(({ uri }) => ({ label: fileLabel(uri), uri }))
  const chosen = await window.showQuickPick(items, {
    canPickMany: true,
    title: l10n.t('These files have other changes too. Select those to restore all the same.'),
  })
  return chosen && new Set(chosen.map(({ uri }) => uri))
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
