// `ModelSelection`: which model to use: the setting's, else the only one that the service lists, else the user's selection.
import { l10n, type QuickPickItem, window } from 'vscode'
import type { KeyText } from '../../core/log/keyText.ts'
import { type Catalog, INPUT_LIMIT, limitsOf, type Model } from '../../core/model/catalog.ts'
import { NoModelError } from '../../core/model/noModelError.ts'
import type { Limits } from '../../core/model/tokenBudgetClient.ts'
import { runCommand } from '../ui/commands.ts'
import type { EditorSettings } from '../ui/editorSettings.ts'
import { inform } from '../ui/inform.ts'
import { showFault } from '../ui/notices.ts'
import { sanitize } from '../ui/sanitize.ts'

export interface ModelSelectionOptions {
  readonly catalog: Catalog
  readonly settings: Pick<EditorSettings, 'get' | 'set'>
  readonly keys: KeyText
  readonly isSignedIn: () => boolean
  /** The last list of the service, which is kept over restarts. */
  readonly recalled: () => readonly Model[]
}

export class ModelSelection {
  readonly #catalog: Catalog
  readonly #settings: ModelSelectionOptions['settings']
  readonly #keys: KeyText
  readonly #isSignedIn: () => boolean
  readonly #recalled: () => readonly Model[]
  #isSettled = true

  constructor({ catalog, settings, keys, isSignedIn, recalled }: ModelSelectionOptions) {
    this.#catalog = catalog
    this.#settings = settings
    this.#keys = keys
    this.#isSignedIn = isSignedIn
    this.#recalled = recalled
  }

  /** The model to use without asking the service or the user; undefined while there is none. */
  get current(): string | undefined {
    const { listed } = this
    return this.#settings.get('model') || (listed.length === 1 ? listed[0]?.id : undefined)
  }

  /** The models that the service lists for the key; before its first answer those of the last list. */
  get listed(): readonly Model[] {
    return this.#catalog.known ?? (this.#isSignedIn() ? this.#recalled() : [])
  }

  /** The models that can be used now, without a request: those listed, else the one of the settings. */
  get available(): readonly Model[] {
    if (!this.#isSignedIn()) return []
    const { listed, current } = this
    return listed.length > 0 || !current ? listed : [{ id: current, inputLimit: INPUT_LIMIT }]
  }

  /** `available`, after asking the service where it is empty. Rejects with the fault of that request. */
  async loadAvailable(): Promise<readonly Model[]> {
    if (this.#isSignedIn() && this.available.length === 0) {
      await this.#catalog.refresh(new AbortController().signal)
      const fault = this.#catalog.refusal ?? this.#catalog.temporaryFault
      if (fault && this.available.length === 0) throw fault
    }
    return this.available
  }

  /** The token limits of a model; for one that is not listed, the defaults of `limitsOf`. */
  readonly limitsOf = (model: string): Limits => limitsOf(this.listed.find(({ id }) => id === model))

  /** The model of completions, without asking the service. */
  get completionModel(): string | undefined {
    return this.#settings.get('completions.model') || this.#settings.get('backgroundModel') || this.current
  }

  /** The model of completions; undefined while nobody is signed in. Asks the service where no model is known. */
  readonly forCompletions = (): string | undefined | Promise<string | undefined> => {
    if (!this.#isSignedIn()) return undefined
    const named = this.completionModel
    if (named || this.#catalog.known) return named
    return this.#catalog.loadIfUnknown().then(() => this.current)
  }

  /** Asks the service for its list in the background: when the chat is first shown, because a start makes no request. */
  readonly prefetch = (): void => {
    if (this.#isSignedIn()) void this.#catalog.loadIfUnknown()
  }

  /**
   * The model for a prompt in the chat. Asks the user only where the service's list does not decide. Where the service
   * refused a model, its list is read again for a newer revision; a model that the user has set is kept.
   */
  readonly forChat = async (signal: AbortSignal, refused?: string): Promise<string> => {
    if (refused !== undefined && this.#settings.get('model')) return refused
    if (!this.current || this.current === refused) await this.#catalog.refresh(signal)
    if (refused !== undefined) return this.current ?? refused
    const { refusal, temporaryFault } = this.#catalog
    if (!this.current && refusal) throw refusal
    // Does not ask the user while the service cannot be reached, because it may have a list, and the typed model would
    // stay set in its place.
    if (!this.current && this.listed.length === 0 && temporaryFault) throw temporaryFault
    const model = this.current ?? (await this.#askUser())
    if (!model) throw new NoModelError()
    return model
  }

  /** The service lists no models and none is selected, so there are no completions until the user selects one. */
  get isMissing(): boolean {
    return this.#isSignedIn() && this.#catalog.known?.length === 0 && !this.current
  }

  /** After a sign-in: uses the only listed model, asks the user to select among several, or once where none is listed. */
  async afterSignIn(): Promise<void> {
    this.#isSettled = false
    try {
      await this.#selectAfterSignIn()
    } finally {
      this.#isSettled = true
    }
  }

  /** False while `afterSignIn` runs. */
  get isSettled(): boolean {
    return this.#isSettled
  }

  async #selectAfterSignIn(): Promise<void> {
    const listed = await this.#catalog.refresh(new AbortController().signal)
    // A plan without API access is reported now instead of at the first prompt.
    const { refusal } = this.#catalog
    if (refusal) return showFault(refusal, { service: refusal.host })
    const chosen = this.#settings.get('model')
    if (this.isMissing) this.#inviteToSelect()
    if (listed.length === 0 || listed.some(({ id }) => id === chosen)) return
    // The model that is set is not listed for this key, so the service would refuse it.
    if (listed.length > 1) await this.#askUser()
    else if (chosen) await this.#settings.set('model', '')
  }

  /** A notification instead of an input box, because the user has to open the dashboard first to find the string. */
  #inviteToSelect(): void {
    const text = l10n.t(
      'The service does not say which model your key may use. Enter the model string from “Connect your tools” on the dashboard to use chat and completions.',
    )
    void inform(text, l10n.t('Select Model'), () => runCommand('kourier.selectModel'))
  }

  /** The command Select Model. Resolves with the model, or undefined if the user cancels. */
  async select(): Promise<string | undefined> {
    await this.#catalog.refresh(new AbortController().signal)
    return this.#askUser()
  }

  /** Another model for completions alone. */
  async selectForCompletions(): Promise<void> {
    await this.#catalog.refresh(new AbortController().signal)
    await this.#askUser('completions.model', this.completionModel)
  }

  async #askUser(
    setting: 'model' | 'completions.model' = 'model',
    current = this.current,
  ): Promise<string | undefined> {
    const { listed } = this
    const ids = listed.map(({ id }) => id)
    const chosen = ids.length > 0 ? await this.#selectListed(ids, current) : await this.#enterModel()
    if (chosen) await this.#settings.set(setting, chosen)
    return chosen
  }

  async #selectListed(ids: readonly string[], current: string | undefined): Promise<string | undefined> {
    const other: QuickPickItem = { label: `$(edit) ${l10n.t('Type another model…')}`, alwaysShow: true }
    const items: QuickPickItem[] = ids.map(id => ({
      label: sanitize(id),
      description: id === current ? l10n.t('in use') : '',
    }))
    const chosen = await window.showQuickPick([...items, other], {
      title: l10n.t('Select Model'),
      placeHolder: l10n.t('The models that your key may use'),
    })
    if (!chosen) return undefined
    return chosen === other ? this.#enterModel() : ids[items.indexOf(chosen)]
  }

  #modelFault(text: string): string | undefined {
    if (this.#keys.isIn(text))
      return l10n.t('This is an API key, not a model. It would be stored in your settings, where everyone can read it.')
    return /^\S{1,256}$/.test(text) ? undefined : l10n.t('A model string has no spaces.')
  }

  async #enterModel(): Promise<string | undefined> {
    const typed = await window.showInputBox({
      title: l10n.t('Select Model'),
      prompt: l10n.t('Paste the model string from “Connect your tools” on the dashboard.'),
      value: this.current ?? '',
      ignoreFocusOut: true,
      validateInput: text => this.#modelFault(text.trim()),
    })
    return typed?.trim()
  }
}
