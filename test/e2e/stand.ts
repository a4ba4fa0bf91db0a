// An editor with its workspace, for one world or for many; its window goes from test to test.
import { readFileSync, writeFileSync } from 'node:fs'
import { after } from 'node:test'
import type { Page } from '@playwright/test'
import { type Editor, type EditorOptions, fewBuiltIns, startEditor } from '../editor/codeServer.ts'
import { freshVsix } from '../editor/extensionPackage.ts'
import { copySampleWorkspace, type Workspace } from '../editor/sampleWorkspace.ts'
import { keybindings, replaceSettings } from '../editor/workbench.ts'
import { type EditorKind, editorPort } from './profile.ts'

export type Special = Pick<EditorOptions, 'env' | 'machineSettings' | 'extensionFolder' | 'asksForTrust' | 'builtIn'>

let usual: Promise<Stand> | undefined
const stands = new Set<Stand>()
after(() => Promise.all([...stands].map(stand => stand.close())))

/** What only git needs takes a tenth of a window's start; the editors of the others, and that of the host's tests, have it. */
const withoutGit = fewBuiltIns.filter(name => !['git', 'git-base', 'github'].includes(name))

/** The one of all worlds of this process that want nothing special: starting an editor and a window takes long. */
export function usualStand(): Promise<Stand> {
  usual ??= Stand.start({ builtIn: withoutGit }, 'usual')
  return usual
}

export class Stand {
  readonly editor: Editor
  readonly #workspace: Workspace
  /** What every editor here begins with. */
  readonly #settings: object
  #kept: Page | undefined

  private constructor(editor: Editor, workspace: Workspace) {
    this.editor = editor
    this.#workspace = workspace
    this.#settings = JSON.parse(readFileSync(editor.settingsFile, 'utf8'))
    stands.add(this)
  }

  static async start(special: Special, kind: EditorKind = 'special'): Promise<Stand> {
    const workspace = copySampleWorkspace({ git: true })
    const editor = await startEditor({
      builtIn: fewBuiltIns,
      ...special,
      workspace: workspace.folder,
      vsix: await freshVsix(),
      port: await editorPort(kind),
      keybindings,
      // The machine's own git would lend the tests its user's address.
      env: { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', ...special.env },
    })
    return new Stand(editor, workspace)
  }

  /** Those that wait for their next test, in whichever editor. */
  static isKept(page: Page): boolean {
    return [...stands].some(({ kept }) => kept === page)
  }

  get workspace(): string {
    return this.#workspace.folder
  }

  /** A window that the next test may go on with. */
  get kept(): Page | undefined {
    return this.#kept?.isClosed() ? undefined : this.#kept
  }

  keep(page: Page | undefined): void {
    this.#kept = page
  }

  /** Sets these user settings and no others; a window that is kept follows before this resolves. */
  async useSettings(settings: object): Promise<void> {
    const all = { ...this.#settings, ...settings }
    if (this.kept) await replaceSettings(this.kept, all)
    else writeFileSync(this.editor.settingsFile, JSON.stringify(all))
  }

  async close(): Promise<void> {
    if (!stands.delete(this)) return
    await this.editor.close()
    this.#workspace.remove()
  }
}
