// Which model is asked: the setting, else the only one that the key lists, else the user.
import { type QuickPickItem, window } from 'vscode'
import { NoModelError } from '../../core/chat/session.ts'
import type { Catalog } from '../../core/model/catalog.ts'
import { inert } from '../notify.ts'
import type { EditorSettings } from '../settings.ts'

export class ModelChoice {
  readonly #catalog: Catalog
  readonly #settings: EditorSettings
  readonly #isSignedIn: () => boolean

  constructor(catalog: Catalog, settings: EditorSettings, isSignedIn: () => boolean) {
    this.#catalog = catalog
    this.#settings = settings
    this.#isSignedIn = isSignedIn
  }

  /** The model to use without asking anybody; undefined when there is none yet. */
  get current(): string | undefined {
    const known = this.#catalog.known ?? []
    return this.#settings.get('model') || (known.length === 1 ? known[0]?.id : undefined)
  }

  /** The model of completions; undefined while nobody is signed in. The first key has the service asked. */
  readonly forCompletions = (): string | undefined | Promise<string | undefined> => {
    if (!this.#isSignedIn()) return undefined
    const named = this.#settings.get('completions.model') || this.#settings.get('backgroundModel') || this.current
    if (named || this.#catalog.known) return named
    return this.#catalog.refresh(new AbortController().signal).then(() => this.current)
  }

  /** Has the service asked in the background, once: at the first look at the chat, not at the start. */
  readonly warm = (): void => {
    if (this.#isSignedIn() && !this.#catalog.known) void this.#catalog.refresh(new AbortController().signal)
  }

  /** The model of a question. Asks the service first; the user only where the service leaves it open. */
  readonly needed = async (signal: AbortSignal): Promise<string> => {
    if (!this.current) await this.#catalog.refresh(signal)
    const model = this.current ?? (await this.#ask())
    if (!model) throw new NoModelError()
    return model
  }

  /** The one model that the key lists is taken without a word; several are offered, once; none is asked for on use. */
  async afterSignIn(): Promise<void> {
    const listed = await this.#catalog.refresh(new AbortController().signal)
    const chosen = this.#settings.get('model')
    if (listed.length === 0 || listed.some(({ id }) => id === chosen)) return
    // A model of another key would be refused at the first question.
    if (listed.length > 1) await this.#ask()
    else if (chosen) await this.#settings.set('model', '')
  }

  /** Select Model. */
  async select(): Promise<void> {
    await this.#catalog.refresh(new AbortController().signal)
    await this.#ask()
  }

  async #ask(): Promise<string | undefined> {
    const known = this.#catalog.known ?? []
    const chosen = known.length > 0 ? await this.#pick(known.map(({ id }) => id)) : await this.#type()
    if (chosen) await this.#settings.set('model', chosen)
    return chosen
  }

  async #pick(ids: readonly string[]): Promise<string | undefined> {
    const current = this.current
    const other: QuickPickItem = { label: '$(edit) Type another model…', alwaysShow: true }
    const items: QuickPickItem[] = ids.map(id => ({ label: inert(id), description: id === current ? 'in use' : '' }))
    const chosen = await window.showQuickPick([...items, other], {
      title: 'Select Model',
      placeHolder: 'The models that your key may use',
    })
    if (!chosen) return undefined
    return chosen === other ? this.#type() : ids[items.indexOf(chosen)]
  }

  async #type(): Promise<string | undefined> {
    const typed = await window.showInputBox({
      title: 'Select Model',
      prompt: 'Paste the model string from the dashboard, panel “Connect your tools”.',
      value: this.current ?? '',
      ignoreFocusOut: true,
      validateInput: text => (/^\S{1,256}$/.test(text.trim()) ? undefined : 'A model string is one word.'),
    })
    return typed?.trim()
  }
}
