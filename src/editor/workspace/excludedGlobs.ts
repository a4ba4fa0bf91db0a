// `ExcludedGlobs`: the globs of the setting for files that are never sent, read once for each folder and language.
import { Uri, workspace } from 'vscode'
import type { Disposable } from '../../base/disposable.ts'
import { fileOf } from '../ui/workspacePath.ts'

/** Reads the setting for a file. */
export type ReadGlobs = (file: { readonly id: string; readonly language: string }) => readonly string[]

/** Reading a setting takes the editor a fraction of a millisecond, which is too long for thousands of files. */
export class ExcludedGlobs implements Disposable {
  readonly #read: ReadGlobs
  readonly #known = new Map<string, readonly string[]>()
  readonly #subscription: Disposable

  constructor(read: ReadGlobs) {
    this.#read = read
    this.#subscription = workspace.onDidChangeConfiguration(() => this.#known.clear())
  }

  for({ uri, language }: { readonly uri: string; readonly language: string }): readonly string[] {
    const folder = workspace.getWorkspaceFolder(fileOf(Uri.parse(uri)))?.uri.toString()
    const key = `${language} ${folder ?? ''}`
    const globs = this.#known.get(key) ?? this.#read({ id: uri, language })
    this.#known.set(key, globs)
    return globs
  }

  dispose(): void {
    this.#subscription.dispose()
  }
}
