// `startChanges`: the review of changes: its commands, and the left side of its diffs.
import { workspace } from 'vscode'
import { type Disposable, DisposableStore } from '../base/disposable.ts'
import { BASELINE_SCHEME, BaselineDocuments } from '../editor/edit/baselineDocuments.ts'
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
  disposables.add(
    registerCommands(
      {
        'kourier.showChanges': run(({ review }) => review.showAll()),
        'kourier.changes.keepHunk': run(({ review }, target) => review.keepHunk(target)),
        'kourier.changes.undoHunk': run(({ review }, target) => review.undoHunk(target)),
        'kourier.changes.keepFile': run(({ review }) => review.keepFile()),
        'kourier.changes.undoFile': run(({ review }) => review.undoFile()),
        'kourier.changes.next': run(({ review }) => review.move(1)),
        'kourier.changes.previous': run(({ review }) => review.move(-1)),
      },
      report,
    ),
  )
  if (hadOpenChanges) void changeServices().catch(report)
  return disposables
}
