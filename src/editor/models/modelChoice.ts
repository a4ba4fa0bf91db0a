// Which model is asked: the setting, else the only one that the key lists or listed last, else the user.
import { type QuickPickItem, window } from 'vscode'
import type { KeyText } from '../../core/log/keyText.ts'
import { type Catalog, INPUT_LIMIT, limitsOf, type Model } from '../../core/model/catalog.ts'
import { NoModelError } from '../../core/model/noModelError.ts'
import type { Limits } from '../../core/model/tokenBudgetClient.ts'
import { runCommand } from '../ui/commands.ts'
import type { EditorSettings } from '../ui/editorSettings.ts'
import { inform } from '../ui/inform.ts'
import { showFault } from '../ui/notices.ts'
import { sanitize } from '../ui/sanitize.ts'

export interface ModelChoiceOptions {
  readonly catalog: Catalog
  readonly settings: Pick<EditorSettings, 'get' | 'set'>
  readonly keys: KeyText
  readonly isSignedIn: () => boolean
  /** What the service listed last, over restarts. */
  readonly recalled: () => readonly Model[]
}

export class ModelChoice {
  readonly #catalog: Catalog
  readonly #settings: ModelChoiceOptions['settings']
  readonly #keys: KeyText
  readonly #isSignedIn: () => boolean
  readonly #recalled: () => readonly Model[]
  #isSettled = true

  constructor({ catalog, settings, keys, isSignedIn, recalled }: ModelChoiceOptions) {
    this.#catalog = catalog
    this.#settings = settings
    this.#keys = keys
    this.#isSignedIn = isSignedIn
    this.#recalled = recalled
  }

  /** The model to use without asking anybody; undefined when there is none yet. */
  get current(): string | undefined {
    const { listed } = this
    return this.#settings.get('model') || (listed.length === 1 ? listed[0]?.id : undefined)
  }

  /** What the key lists, or listed last where the service has told nothing yet: there may be no network. */
  get listed(): readonly Model[] {
    return this.#catalog.known ?? (this.#isSignedIn() ? this.#recalled() : [])
  }

  /** What whoever is signed in can ask, without a question to anybody: what the key lists, else what the settings name. */
  get offered(): readonly Model[] {
    if (!this.#isSignedIn()) return []
    const { listed, current } = this
    return listed.length > 0 || !current ? listed : [{ id: current, inputLimit: INPUT_LIMIT }]
  }

  /** The same, after a question to the service where nothing is known. Rejects with what stands in the way. */
  async offer(): Promise<readonly Model[]> {
    if (this.#isSignedIn() && this.offered.length === 0) {
      await this.#catalog.refresh(new AbortController().signal)
      const fault = this.#catalog.refusal ?? this.#catalog.stumble
      if (fault && this.offered.length === 0) throw fault
    }
    return this.offered
  }

  /** What a request to it is held to. Those of a model that nobody has listed are what the service description says. */
  readonly limitsOf = (model: string): Limits => limitsOf(this.listed.find(({ id }) => id === model))

  /** The model of completions; undefined while nobody is signed in. The first keys have the service asked. */
  readonly forCompletions = (): string | undefined | Promise<string | undefined> => {
    if (!this.#isSignedIn()) return undefined
    const named = this.#settings.get('completions.model') || this.#settings.get('backgroundModel') || this.current
    if (named || this.#catalog.known) return named
    return this.#catalog.look().then(() => this.current)
  }

  /** Has the service asked in the background: at the first look at the chat, not at the start. */
  readonly warm = (): void => {
    if (this.#isSignedIn()) void this.#catalog.look()
  }

  /**
   * The model of a question. Asks the service first; the user only where the service leaves it open. A model that was
   * refused may have another revision by now; one that the user has set stays.
   */
  readonly needed = async (signal: AbortSignal, refused?: string): Promise<string> => {
    if (refused !== undefined && this.#settings.get('model')) return refused
    if (!this.current || this.current === refused) await this.#catalog.refresh(signal)
    if (refused !== undefined) return this.current ?? refused
    const { refusal, stumble } = this.#catalog
    if (!this.current && refusal) throw refusal
    // Whoever cannot be reached may well keep a list: what the user typed now would stand above it for good.
    if (!this.current && this.listed.length === 0 && stumble) throw stumble
    const model = this.current ?? (await this.#ask())
    if (!model) throw new NoModelError()
    return model
  }

  /** Nobody but the user can name it: the service keeps no list, and until then nothing is completed. */
  get isMissing(): boolean {
    return this.#isSignedIn() && this.#catalog.known?.length === 0 && !this.current
  }

  /** The one model that the key lists is taken without a word; several are offered, and none is asked for, once. */
  async afterSignIn(): Promise<void> {
    this.#isSettled = false
    try {
      await this.#settle()
    } finally {
      this.#isSettled = true
    }
  }

  /** False while a sign-in has not yet come to its model. */
  get isSettled(): boolean {
    return this.#isSettled
  }

  async #settle(): Promise<void> {
    const listed = await this.#catalog.refresh(new AbortController().signal)
    // A plan without API access is better said now than at the first question.
    const { refusal } = this.#catalog
    if (refusal) return showFault(refusal, { service: refusal.host })
    const chosen = this.#settings.get('model')
    if (this.isMissing) this.#inviteToSelect()
    if (listed.length === 0 || listed.some(({ id }) => id === chosen)) return
    // A model of another key would be refused at the first question.
    if (listed.length > 1) await this.#ask()
    else if (chosen) await this.#settings.set('model', '')
  }

  /** A notice, since a box would come in between: where the string stands, another page has to be opened first. */
  #inviteToSelect(): void {
    const text =
      'The service does not say which model your key may use. Its string is in the dashboard’s panel “Connect your tools”; chat and completions begin with it.'
    void inform(text, 'Select Model', () => runCommand('kourier.selectModel'))
  }

  /** Select Model. Resolves with the model, or undefined where the user has left it as it was. */
  async select(): Promise<string | undefined> {
    await this.#catalog.refresh(new AbortController().signal)
    return this.#ask()
  }

  async #ask(): Promise<string | undefined> {
    const { listed } = this
    const chosen = listed.length > 0 ? await this.#pick(listed.map(({ id }) => id)) : await this.#type()
    if (chosen) await this.#settings.set('model', chosen)
    return chosen
  }

  async #pick(ids: readonly string[]): Promise<string | undefined> {
    const current = this.current
    const other: QuickPickItem = { label: '$(edit) Type another model…', alwaysShow: true }
    const items: QuickPickItem[] = ids.map(id => ({ label: sanitize(id), description: id === current ? 'in use' : '' }))
    const chosen = await window.showQuickPick([...items, other], {
      title: 'Select Model',
      placeHolder: 'The models that your key may use',
    })
    if (!chosen) return undefined
    return chosen === other ? this.#type() : ids[items.indexOf(chosen)]
  }

  #modelFault(text: string): string | undefined {
    if (this.#keys.isIn(text)) return 'This is an API key, which is no model: it would be kept in your settings.'
    return /^\S{1,256}$/.test(text) ? undefined : 'A model string is one word.'
  }

  async #type(): Promise<string | undefined> {
    const typed = await window.showInputBox({
      title: 'Select Model',
      prompt: 'Paste the model string from the dashboard, panel “Connect your tools”.',
      value: this.current ?? '',
      ignoreFocusOut: true,
      validateInput: text => this.#modelFault(text.trim()),
    })
    return typed?.trim()
  }
}
