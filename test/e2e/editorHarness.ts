// An editor with the packaged extension and a workspace, and the window that one test leaves to the next.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Page } from '@playwright/test'
import { type Editor, type EditorOptions, fewBuiltIns, startEditor } from '../editor/codeServer.ts'
import { vsixPath } from '../editor/extensionPackage.ts'
import { copySampleWorkspace, type Workspace } from '../editor/sampleWorkspace.ts'
import { keybindings, replaceSettings } from '../editor/workbench.ts'

/** What only an editor of its own can have. */
export type EditorNeeds = Pick<
  EditorOptions,
  'env' | 'machineSettings' | 'extensionFolder' | 'asksForTrust' | 'builtIn' | 'displayLanguage'
>

export class EditorHarness implements AsyncDisposable {
  readonly editor: Editor
  readonly #workspace: Workspace
  /** What every editor here begins with. */
  readonly #settings: object
  #keptWindow: Page | undefined

  private constructor(editor: Editor, workspace: Workspace) {
    this.editor = editor
    this.#workspace = workspace
    this.#settings = this.#presentSettings()
  }

  static async start(needs: EditorNeeds, port: number): Promise<EditorHarness> {
    const workspace = copySampleWorkspace({ git: true })
    const editor = await startEditor({
      builtIn: fewBuiltIns,
      ...needs,
      workspace: workspace.folder,
      vsix: vsixPath,
      port,
      keybindings,
      // The machine's own git would lend the tests its user's address.
      env: { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', ...needs.env },
    })
    return new EditorHarness(editor, workspace)
  }

  /** A window that the next test may go on with. */
  get keptWindow(): Page | undefined {
    return this.#keptWindow?.isClosed() ? undefined : this.#keptWindow
  }

  keep(page: Page | undefined): void {
    this.#keptWindow = page
  }

  /** Sets these user settings and no others; a window that is kept follows before this resolves. */
  async useSettings(settings: object): Promise<void> {
    const wanted = { ...this.#settings, ...settings }
    const { 'window.title': _, ...present } = this.#presentSettings() // which `replaceSettings` adds
    if (isDeepStrictEqual(present, wanted)) return
    if (this.keptWindow) await replaceSettings(this.keptWindow, wanted)
    else writeFileSync(this.editor.settingsFile, JSON.stringify(wanted))
  }

  /** Removes what earlier windows have not sent, which the next window would find; none of them may be open. */
  forgetUnsent(): void {
    rmSync(join(storageOf(this.editor), 'unsent'), { recursive: true, force: true })
  }

  #presentSettings(): Record<string, unknown> {
    return JSON.parse(readFileSync(this.editor.settingsFile, 'utf8'))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.editor.close()
    this.#workspace.remove()
  }
}

/** Where the extension keeps what belongs to no workspace. */
export const storageOf = ({ userDataDir }: Editor) => join(userDataDir, 'User/globalStorage/kourier.kourier')

/** What only git needs takes a tenth of a window's start; the editors that a test has for itself have it. */
export const withoutGit = fewBuiltIns.filter(name => !['git', 'git-base', 'github'].includes(name))
