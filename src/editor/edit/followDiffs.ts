// `followDiffs`: reports whether the editor in front is a diff of changes.
import { TabInputTextDiff, window } from 'vscode'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import { BASELINE_SCHEME } from './baselineDocuments.ts'

export function followDiffs(report: (isInFront: boolean) => void): Disposable {
  const update = () => {
    const input = window.tabGroups.activeTabGroup.activeTab?.input
    report(input instanceof TabInputTextDiff && input.original.scheme === BASELINE_SCHEME)
  }
  const disposables = new DisposableStore()
  disposables.add(window.tabGroups.onDidChangeTabs(update))
  disposables.add(window.tabGroups.onDidChangeTabGroups(update))
  update()
  return disposables
}
