// `startChanges`: the review of changes: its commands, and the left side of its diffs.
import { workspace } from 'vscode'
import { type Disposable, DisposableStore } from '../base/disposable.ts'
import { BASELINE_SCHEME, BaselineDocuments } from '../editor/edit/baselineDocuments.ts'
import type { ChangeReview, OpenFile } from '../editor/edit/changeReview.ts'
import { listedScopes } from '../editor/edit/changeSourceControl.ts'
import { registerCommands } from '../editor/ui/commands.ts'
import type { ChangeServices } from './loadChanges.ts'
import type { Services } from './services.ts'

/** Everything else is loaded at its first use, or at once where the window before has left open changes. */
export function startChanges({ changeServices, hadOpenChanges, report, clock }: Services): Disposable {
  const disposables = new DisposableStore()
  const baselines = disposables.add(new BaselineDocuments(async () => (await changeServices()).changes, clock))
  disposables.add(workspace.registerTextDocumentContentProvider(BASELINE_SCHEME, baselines))
  const run = (work: (services: ChangeServices, target: unknown) => Promise<void>) => async (target?: unknown) =>
    work(await changeServices(), target)
  const onListed = async (given: readonly unknown[], act: (review: ChangeReview, file: OpenFile) => Promise<void>) => {
    const { review } = await changeServices()
    for (const { conversation, uri } of listedScopes(given))
      if (uri !== undefined) await act(review, { conversation, uri })
  }
  disposables.add(
    registerCommands(
      {
        'kourier.showChanges': run(({ review }) => review.showAll()),
        'kourier.changes.keepHunk': run(({ review }, target) => review.keepHunk(target)),
        'kourier.changes.undoHunk': run(({ review }, target) => review.undoHunk(target)),
        'kourier.changes.keepFile': run(({ review }) => review.keepFile()),
        'kourier.changes.undoFile': run(({ review }) => review.undoFile()),
        'kourier.changes.openDiff': (...given) => onListed(given, (review, file) => review.openDiff(file)),
        'kourier.changes.keepListed': (...given) => onListed(given, (review, file) => review.keep(file)),
        'kourier.changes.undoListed': (...given) => onListed(given, (review, file) => review.undo(file)),
        'kourier.changes.openAll': run(({ review }) => review.openAll()),
        'kourier.changes.next': run(({ review }) => review.move(1)),
        'kourier.changes.previous': run(({ review }) => review.move(-1)),
      },
      report,
    ),
  )
  if (hadOpenChanges) void changeServices().catch(report)
  return disposables
}
