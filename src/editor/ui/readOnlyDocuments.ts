// `ReadOnlyDocuments`: texts that the user looks at in an editor and that are no files.
import { EventEmitter, l10n, type TextDocumentContentProvider, Uri, window, workspace } from 'vscode'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'

const SCHEME = 'kourier-view'

/** Registered at the start, because the editor opens the tabs of the window before. */
export class ReadOnlyDocuments implements Disposable, TextDocumentContentProvider {
  readonly #changed = new EventEmitter<Uri>()
  readonly #texts = new Map<string, string>()
  readonly #disposables = new DisposableStore()

  constructor() {
    this.#disposables.add(this.#changed)
    this.#disposables.add(workspace.registerTextDocumentContentProvider(SCHEME, this))
  }

  get onDidChange() {
    return this.#changed.event
  }

  provideTextDocumentContent({ path }: Uri): string {
    return this.#texts.get(path) ?? l10n.t('This text is not kept over a reload of the window. Open it again.')
  }

  /** `name`: of the tab; its ending decides the language. A later text of the same name takes the place of this one. */
  async show(name: string, text: string): Promise<void> {
    const uri = Uri.from({ scheme: SCHEME, path: `/${name}` })
    this.#texts.set(uri.path, text)
    this.#changed.fire(uri)
    await window.showTextDocument(await Promise.resolve(workspace.openTextDocument(uri)), { preview: true })
  }

  dispose(): void {
    this.#disposables.dispose()
  }
}
