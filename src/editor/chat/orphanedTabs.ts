// `OrphanedTabs`: finds tabs whose pages have lost the extension, because it was started again and their window was not.
import { type Tab, TabInputWebview, type ViewColumn, window } from 'vscode'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'

/** The editor restores the tabs of a window that was just loaded sooner. Some editors have one session id for all windows. */
const WAIT_MS = 3_000

export interface OrphanedTabsOptions {
  readonly viewType: string
  /** Whether the tab that is shown there has a page of this start of the extension. */
  readonly hasFilled: (column: ViewColumn) => boolean
  readonly replace: (tab: Tab) => Promise<void>
  readonly clock: Clock
}

/** The editor calls a type by a longer name. */
export function isTabOf(viewType: string, { input }: Tab): boolean {
  return input instanceof TabInputWebview && input.viewType.endsWith(viewType)
}

/** A hidden one is found when it is shown. */
export class OrphanedTabs implements Disposable {
  readonly #options: OrphanedTabsOptions
  readonly #disposables = new DisposableStore()
  #cancelTimer: (() => void) | undefined

  constructor(options: OrphanedTabsOptions) {
    this.#options = options
    this.#disposables.add(window.tabGroups.onDidChangeTabs(() => this.#checkLater()))
    this.#checkLater()
  }

  get #orphans(): Tab[] {
    const { viewType, hasFilled } = this.#options
    return window.tabGroups.all
      .flatMap(({ activeTab }) => activeTab ?? [])
      .filter(tab => isTabOf(viewType, tab) && !hasFilled(tab.group.viewColumn))
  }

  #checkLater(): void {
    if (this.#orphans.length === 0) return
    this.#cancelTimer ??= this.#options.clock.later(WAIT_MS, () => void this.#replaceAll())
  }

  /** A tab that is being replaced is not found a second time. */
  async #replaceAll(): Promise<void> {
    for (const tab of this.#orphans) await this.#options.replace(tab)
    this.#cancelTimer = undefined
  }

  dispose(): void {
    this.#cancelTimer?.()
    this.#disposables.dispose()
  }
}
