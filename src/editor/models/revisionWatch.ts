// Tells when a chosen model is gone from the service's list, and offers what has taken its place.
import { window } from 'vscode'
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
import { noticeOf, showFault, showNotice } from '../ui/notices.ts'
import { sanitize } from '../ui/sanitize.ts'

export interface RevisionWatchOptions {
  readonly catalog: Catalog
  readonly settings: EditorSettings
  /** False while the model of the chat is being chosen anyway. */
  readonly isSettled: () => boolean
  /** Requests that failed for good. */
  readonly onDidFail: Event<Failure>
  readonly names: () => Names
  readonly clock: Clock
}

/** A refused model has the list asked again, but not with each key that is typed. */
const ASK_AGAIN_MS = 60_000

const names: Readonly<Record<Missing['setting'], string>> = {
  model: 'model',
  backgroundModel: 'background model',
  'completions.model': 'model for completions',
}

const quietSettings = ['completions.model', 'backgroundModel'] as const
const judgedSettings = ['model', ...quietSettings] as const

/** Each loss is told once in a window, with one button. */
export class RevisionWatch implements Disposable {
  readonly #options: RevisionWatchOptions
  readonly #life = new DisposableStore()
  readonly #told = new Set<string>()
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(options: RevisionWatchOptions) {
    this.#options = options
    this.#life.add(options.catalog.onDidChange(models => models && void this.#judge(models.map(({ id }) => id))))
    this.#life.add(options.onDidFail(failure => void this.#hear(failure)))
  }

  dispose(): void {
    this.#life.dispose()
  }

  async #hear(failure: Failure): Promise<void> {
    const { catalog, clock } = this.#options
    const { remedy } = meaningOf(failure.fault)
    if (remedy === 'select-model' && clock.elapsed() - this.#askedAt >= ASK_AGAIN_MS) {
      this.#askedAt = clock.elapsed()
      const listed = await catalog.refresh(new AbortController().signal)
      // Where the list has the model or tells nothing, it does not say what is wrong.
      if (listed.length > 0 && !listed.some(({ id }) => id === failure.model)) return
      await this.#tellQuiet(failure)
    }
    if (remedy === 'use-chat-completions') await this.#tellQuiet(failure)
  }

  /** A person's own request says itself what went wrong; completions and background work would fail in silence. */
  async #tellQuiet({ fault, lane, model }: Failure): Promise<void> {
    if (!givesWay(lane)) return
    const { kind, remedy } = meaningOf(fault)
    const setting = quietSettings.find(name => this.#options.settings.get(name) === model)
    if (remedy === 'select-model' && setting) return this.#tell({ setting, id: model, successor: undefined })
    if (this.#told.has(kind)) return
    this.#told.add(kind)
    await showNotice(noticeOf(fault, { ...this.#options.names(), model }))
  }

  async #judge(listed: readonly string[]): Promise<void> {
    const { settings, isSettled } = this.#options
    const judged = isSettled() ? judgedSettings : judgedSettings.filter(setting => setting !== 'model')
    const chosen = judged.map(setting => ({
      setting,
      id: settings.get(setting),
    }))
    for (const missing of missingModels(chosen, listed)) await this.#tell(missing)
  }

  async #tell({ setting, id, successor }: Missing): Promise<void> {
    const key = `${setting} ${id} ${successor}`
    // Without a successor the model of the chat is asked for where it is used.
    if (this.#told.has(key) || (setting === 'model' && !successor)) return
    this.#told.add(key)
    const lost = `Your key may no longer use ${sanitize(id)}, which is set as the ${names[setting]}.`
    const [text, button, value] = successor
      ? [`${lost} Its new revision is ${sanitize(successor)}.`, `Use ${sanitize(successor)}`, successor]
      : [`${lost} The model of the chat can take its place.`, 'Use the Same Model', '']
    const pressed = await window.showWarningMessage(text, button)
    if (pressed !== button) return
    await this.#options.settings.set(setting, value).catch(fault => showFault(fault, this.#options.names()))
  }
}
