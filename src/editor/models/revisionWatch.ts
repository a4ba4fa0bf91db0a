// `RevisionWatch`: notifies the user when a model in the settings is no longer listed, and offers its successor.
import { l10n, window } from 'vscode'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import type { Event } from '../../base/event.ts'
import { meaningOf } from '../../core/http/fault.ts'
import type { Catalog } from '../../core/model/catalog.ts'
import type { Failure } from '../../core/model/queuedClient.ts'
import { type Missing, missingModels } from '../../core/model/revision.ts'
import { givesWay } from '../../core/schedule/lane.ts'
import type { EditorSettings } from '../ui/editorSettings.ts'
import type { Names } from '../ui/faultSentence.ts'
import { showFault, showNotice } from '../ui/notices.ts'
import { sanitized } from '../ui/sanitize.ts'
import { sentences } from '../ui/sentences.ts'

export interface RevisionWatchOptions {
  readonly catalog: Catalog
  readonly settings: EditorSettings
  /** False while the model of the chat is being selected after a sign-in. */
  readonly isSettled: () => boolean
  /** Requests that failed and are not repeated. */
  readonly onDidFail: Event<Failure>
  readonly names: () => Names
  readonly clock: Clock
}

/** Minimum time between two refreshes of the list after a refused model, because each key typed may cause one. */
const REFRESH_INTERVAL_MS = 60_000

const backgroundSettings = ['completions.model', 'backgroundModel'] as const
const checkedSettings = ['model', ...backgroundSettings] as const

/** Notifies of each missing model once in a window, with one button. */
export class RevisionWatch implements Disposable {
  readonly #options: RevisionWatchOptions
  readonly #disposables = new DisposableStore()
  readonly #notified = new Set<string>()
  #refreshedAt = Number.NEGATIVE_INFINITY

  constructor(options: RevisionWatchOptions) {
    this.#options = options
    this.#disposables.add(options.catalog.onDidChange(models => models && void this.#check(models.map(({ id }) => id))))
    this.#disposables.add(options.onDidFail(failure => void this.#onFailure(failure)))
  }

  dispose(): void {
    this.#disposables.dispose()
  }

  async #onFailure(failure: Failure): Promise<void> {
    const { catalog, clock } = this.#options
    const { remedy } = meaningOf(failure.fault)
    if (remedy === 'select-model' && clock.elapsed() - this.#refreshedAt >= REFRESH_INTERVAL_MS) {
      this.#refreshedAt = clock.elapsed()
      const listed = await catalog.refresh(new AbortController().signal)
      // A list without the model has been reported by `#check` already.
      if (listed.length > 0 && !listed.some(({ id }) => id === failure.model)) return
      await this.#notifyBackground(failure)
    }
    if (remedy === 'use-chat-completions') await this.#notifyBackground(failure)
  }

  /** Notifies of a fault of completions and background work, because no view shows it. */
  async #notifyBackground({ fault, lane, model }: Failure): Promise<void> {
    if (!givesWay(lane)) return
    const { kind, remedy } = meaningOf(fault)
    const setting = backgroundSettings.find(name => this.#options.settings.get(name) === model)
    if (remedy === 'select-model' && setting) return this.#notifyMissing({ setting, id: model, successor: undefined })
    if (this.#notified.has(kind)) return
    this.#notified.add(kind)
    const { faultNotice } = await import('../ui/faultNotice.ts')
    await showNotice(faultNotice(fault, { ...this.#options.names(), model }))
  }

  async #check(listed: readonly string[]): Promise<void> {
    const { settings, isSettled } = this.#options
    const judged = isSettled() ? checkedSettings : checkedSettings.filter(setting => setting !== 'model')
    const chosen = judged.map(setting => ({
      setting,
      id: settings.get(setting),
    }))
    for (const missing of missingModels(chosen, listed)) await this.#notifyMissing(missing)
  }

  async #notifyMissing({ setting, id, successor }: Missing): Promise<void> {
    const key = `${setting} ${id} ${successor}`
    // Without a successor the chat asks for another model when it is used next.
    if (this.#notified.has(key) || (setting === 'model' && !successor)) return
    this.#notified.add(key)
    const replacement = successor
      ? l10n.t('Its new revision is {successor}.', sanitized({ successor }))
      : l10n.t('The model of the chat can take its place.')
    const button = successor ? l10n.t('Use {successor}', sanitized({ successor })) : l10n.t('Use the Same Model')
    const pressed = await window.showWarningMessage(sentences(missingText(setting, id), replacement), button)
    if (pressed !== button) return
    await this.#options.settings.set(setting, successor ?? '').catch(fault => showFault(fault, this.#options.names()))
  }
}

function missingText(setting: Missing['setting'], id: string): string {
  const values = sanitized({ id })
  switch (setting) {
    case 'model':
      return l10n.t('Your key may no longer use {id}, which is set as the model.', values)
    case 'backgroundModel':
      return l10n.t('Your key may no longer use {id}, which is set as the background model.', values)
    case 'completions.model':
      return l10n.t('Your key may no longer use {id}, which is set as the model for completions.', values)
  }
}
