// `LastEditor`: the text editor that the user was in last, also while a chat has the keyboard.
import { type TextEditor, window, workspace } from 'vscode'
import type { Disposable } from '../../base/disposable.ts'

const schemes = ['output', 'kourier-before', 'vscode-scm', 'comment']

export class LastEditor implements Disposable {
  readonly #subscription: Disposable
  #editor: TextEditor | undefined

  constructor() {
    this.#follow(window.activeTextEditor ?? window.visibleTextEditors[0])
    this.#subscription = window.onDidChangeActiveTextEditor(editor => this.#follow(editor))
  }

  /** Shown again if it is hidden behind another tab; undefined where its document is closed. */
  async show(): Promise<TextEditor | undefined> {
    const editor = this.current
    if (!editor) return undefined
    return window.showTextDocument(editor.document, {
      selection: editor.selection,
      preserveFocus: false,
      ...(editor.viewColumn !== undefined && { viewColumn: editor.viewColumn }),
    })
  }

  get current(): TextEditor | undefined {
    const editor = this.#editor
    return editor && workspace.textDocuments.includes(editor.document) ? editor : undefined
  }

  #follow(editor: TextEditor | undefined): void {
    if (editor && !schemes.includes(editor.document.uri.scheme)) this.#editor = editor
  }

  dispose(): void {
    this.#subscription.dispose()
  }
}
