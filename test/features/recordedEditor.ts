// The editor as all features together see it, in plain Node: everything that it receives is recorded.
import type * as vscode from 'vscode'
import * as fake from '../support/fakeVscode.ts'

export * from '../support/fakeVscode.ts'

/** What the editor received, as far as it shows or keeps it. */
class Recorder {
  readonly commands = new Set<string>()
  readonly contextKeys = new Map<string, unknown>()
  /** Every context key that was set, with its value, in order. */
  readonly contextChanges: (readonly [key: string, value: unknown])[] = []
  readonly providers = new Map<string, unknown>()
  readonly statusBar = { text: '', tooltip: '', command: '', isShown: false }
  /** Every text that the status bar item has had. */
  readonly statusTexts: string[] = []
  /** The models that the editor reads each time it is notified that they have changed, in that moment. */
  readonly modelsAtChanges: PromiseLike<vscode.ProviderResult<vscode.LanguageModelChatInformation[]>>[] = []

  forget(): void {
    this.commands.clear()
    this.contextKeys.clear()
    this.contextChanges.length = 0
    this.providers.clear()
    this.statusTexts.length = 0
    this.modelsAtChanges.length = 0
  }
}

export const recorder = new Recorder()

const nothing = { dispose() {} }
const neverFires = () => nothing
export const neverCancelled = { isCancellationRequested: false, onCancellationRequested: neverFires }

function register(name: string, provider: unknown): { dispose(): void } {
  recorder.providers.set(name, provider)
  return { dispose: () => void recorder.providers.delete(name) }
}

export const commands = {
  registerCommand: (id: string) => {
    recorder.commands.add(id)
    return nothing
  },
  getCommands: async () => [...recorder.commands],
  executeCommand: async <T>(id: string, ...args: unknown[]) => {
    const [key, value] = args
    if (id === 'setContext') {
      recorder.contextKeys.set(String(key), value)
      recorder.contextChanges.push([String(key), value])
    }
    return undefined as T
  },
} satisfies Pick<typeof vscode.commands, 'registerCommand' | 'getCommands' | 'executeCommand'>

/** The one item that there is; what is set on it is what the editor shows. */
const statusBarItem = {
  ...nothing,
  set text(value: string) {
    recorder.statusBar.text = value
    recorder.statusTexts.push(value)
  },
  set tooltip(value: string) {
    recorder.statusBar.tooltip = value
    recorder.statusTexts.push(value)
  },
  set command(value: string) {
    recorder.statusBar.command = value
  },
  show() {
    recorder.statusBar.isShown = true
  },
}
export const ViewColumn = { Active: -1 }

export const window = {
  ...fake.window,
  activeTextEditor: undefined,
  /** The user is in another window. */
  state: { focused: false, active: false },
  tabGroups: {
    all: [],
    activeTabGroup: { tabs: [] },
    onDidChangeTabs: neverFires,
    onDidChangeTabGroups: neverFires,
  },
  onDidChangeActiveTextEditor: neverFires,
  onDidChangeWindowState: neverFires,
  onDidChangeTextEditorSelection: neverFires,
  createStatusBarItem: () => statusBarItem,
  createOutputChannel: () => ({ ...nothing, show() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} }),
  registerWebviewPanelSerializer: (type: string, serializer: unknown) => register(`tabs ${type}`, serializer),
  registerWebviewViewProvider: (id: string, provider: unknown) => register(`view ${id}`, provider),
}

export const workspace = {
  ...fake.workspace,
  isTrusted: true,
  name: 'work',
  workspaceFolders: undefined,
  textDocuments: [],
  onDidGrantWorkspaceTrust: neverFires,
  registerTextDocumentContentProvider: (scheme: string, provider: unknown) => register(`texts ${scheme}`, provider),
}

export class CodeAction {}

export const CodeActionKind = { QuickFix: 'quickfix', RefactorRewrite: 'refactor.rewrite' }
export const NotebookCellKind = { Markup: 1, Code: 2 }

export const languages = {
  registerCodeLensProvider: (_: unknown, provider: unknown) => register('code lenses', provider),
  registerCodeActionsProvider: (_: unknown, provider: unknown) => register('code actions', provider),
  registerInlineCompletionItemProvider: (_: unknown, provider: unknown) => register('inline completion', provider),
}

export const lm = {
  selectChatModels: async () => [],
  registerLanguageModelChatProvider: (vendor: string, provider: vscode.LanguageModelChatProvider) => {
    provider.onDidChangeLanguageModelChatInformation?.(() => {
      recorder.modelsAtChanges.push(
        Promise.resolve(provider.provideLanguageModelChatInformation({ silent: true }, neverCancelled)),
      )
    })
    return register(`models of ${vendor}`, provider)
  },
}

export const authentication = {
  ...fake.authentication,
  registerAuthenticationProvider: (id: string, _: string, provider: unknown) => register(`account ${id}`, provider),
}

export const env = { ...fake.env, uiKind: 1, remoteName: undefined, asExternalUri: async (uri: unknown) => uri }
export const version = '1.110.0'
export const StatusBarAlignment = { Left: 1, Right: 2 }
export const ExtensionKind = { UI: 1, Workspace: 2 }
export const InlineCompletionTriggerKind = { Invoke: 0, Automatic: 1 }

export class ThemeColor {
  readonly id: string
  constructor(id: string) {
    this.id = id
  }
}
export class Position {}
export class Range {}
export class TabInputText {}
export class TabInputTextDiff {}
export class CodeLens {}
export class Selection {}
export class WorkspaceEdit {}
export const TextEditorRevealType = { InCenterIfOutsideViewport: 2 }
export const FileType = { File: 1 }
export const FilePermission = { Readonly: 1 }
export class InlineCompletionItem {}

const uriOf = (path: string) => ({ path, fsPath: path, toString: () => `file://${path}` })
export const Uri = {
  parse: (text: string) => ({ toString: () => text }),
  file: uriOf,
  joinPath: ({ path }: { readonly path: string }, ...parts: readonly string[]) => uriOf([path, ...parts].join('/')),
}
