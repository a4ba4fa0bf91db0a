// `ReadOnlyDocuments`: texts that the user looks at in an editor and that are no files.
import {
  commands,
  EventEmitter,
  l10n,
  type TextDocument,
  type TextDocumentContentProvider,
  Uri,
  window,
  workspace,
} from 'vscode'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'

/** The manifest has these names as well. */
export type ReadOnlyScheme = 'kourier-view' | 'kourier-message'

/** Registered at the start, because the editor opens the tabs of the window before. */
export class ReadOnlyDocuments implements Disposable, TextDocumentContentProvider {
  readonly #scheme: ReadOnlyScheme
  readonly #changed = new EventEmitter<Uri>()
  readonly #texts = new Map<string, string>()
  readonly #disposables = new DisposableStore()

  constructor(scheme: ReadOnlyScheme) {
    this.#scheme = scheme
    this.#disposables.add(this.#changed)
    this.#disposables.add(workspace.registerTextDocumentContentProvider(scheme, this))
  }

  get onDidChange() {
    return this.#changed.event
  }

  provideTextDocumentContent({ path }: Uri): string {
    return this.#texts.get(path) ?? l10n.t('This text is not kept over a reload of the window. Open it again.')
  }

  /** `name`: of the tab; its ending decides the language. */
  uriOf(name: string): Uri {
    return Uri.from({ scheme: this.#scheme, path: `/${name}` })
  }

  /** A later text of the same name takes the place of this one. */
  keep(name: string, text: string): Uri {
    const uri = this.uriOf(name)
    this.#texts.set(uri.path, text)
    this.#changed.fire(uri)
    return uri
  }

  /** `isPreview`: the next preview of the editor takes the place of this text. `isWrapped`: its lines are long. */
  async show(name: string, text: string, { isPreview = true, isWrapped = false } = {}): Promise<void> {
    const uri = this.keep(name, text)
    const isOpen = workspace.textDocuments.some(document => document.uri.toString() === uri.toString())
    const document = await Promise.resolve(workspace.openTextDocument(uri))
    await window.showTextDocument(document, { preview: isPreview })
    if (isWrapped && !isOpen) await wrapLines(document)
  }

  dispose(): void {
    this.#disposables.dispose()
  }
}

/** As Alt+Z does, for this document alone. The editor has no other way for a text that is no file. */
async function wrapLines(document: TextDocument): Promise<void> {
  const isOff = workspace.getConfiguration('editor', document).get('wordWrap') === 'off'
  if (isOff) await commands.executeCommand('editor.action.toggleWordWrap')
}
