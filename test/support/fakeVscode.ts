// The editor's API for unit tests in plain Node: what is asked and shown is recorded, and answered as a test has set.
import { registerHooks } from 'node:module'
import type * as vscode from 'vscode'

/** A question to the user, a message, or a command that was run. */
export type Interaction =
  | { readonly kind: 'message'; readonly text: string; readonly buttons: readonly string[] }
  | { readonly kind: 'input'; readonly options: vscode.InputBoxOptions }
  | { readonly kind: 'pick'; readonly items: readonly vscode.QuickPickItem[]; readonly title?: string }
  | { readonly kind: 'command'; readonly id: string }

export class EventEmitter<T> implements vscode.EventEmitter<T> {
  readonly #listeners = new Set<(event: T) => unknown>()

  readonly event: vscode.Event<T> = listener => {
    this.#listeners.add(listener)
    return { dispose: () => void this.#listeners.delete(listener) }
  }

  get listenerCount(): number {
    return this.#listeners.size
  }

  fire(event: T): void {
    for (const listener of this.#listeners) listener(event)
  }

  dispose(): void {
    this.#listeners.clear()
  }
}

/** The user's settings, by whole name, whose changes are reported. */
class Settings extends Map<string, unknown> {
  readonly changed = new EventEmitter<vscode.ConfigurationChangeEvent>()

  override set(key: string, value: unknown): this {
    super.set(key, value)
    this.#report()
    return this
  }

  override clear(): void {
    super.clear()
    this.#report()
  }

  #report(): void {
    this.changed.fire({ affectsConfiguration: () => true })
  }
}

class FakeEditor {
  readonly interactions: Interaction[] = []
  /** What progress notifications have shown. */
  readonly progressTexts: string[] = []
  /** The button that is pressed; without it the first one of a modal question, and none of any other. */
  pressed: string | undefined
  /** What is typed, by the beginning of a box's title. */
  typed: Readonly<Record<string, string>> = {}
  /** A part of the label that is picked from a list. */
  picked: string | undefined
  /** The labels that are ticked, one list for each time that a list with boxes is shown; then it is dismissed. */
  ticked: readonly string[][] = []
  /** What other extensions and servers offer. */
  tools: readonly vscode.LanguageModelToolInformation[] = []
  onInvokeTool = async (_name: string, _input: object): Promise<readonly unknown[]> => []
  /** The manifests of the other extensions. */
  manifests: readonly object[] = []
  /** The uri of the file that is picked to be opened, or to be saved as. */
  pickedFile: string | undefined
  /** The uris of the files that were shown in an editor. */
  readonly shownFiles: string[] = []
  /** What the dialogs for files have proposed. */
  readonly proposedFiles: string[] = []
  /** What the user has set. */
  readonly settings = new Settings()
  /** What the workspace sets. */
  readonly workspaceSettings = new Map<string, unknown>()
  /** What was registered, by the command's id. */
  readonly commands = new Map<string, () => unknown>()
  /** Throws where the editor does not write into its settings. */
  onWrite = (_key: string, _value: unknown): void => {}
  /** The editor's own accounts by provider: who has logged in there already. A session's token is the name behind `gho_`. */
  accounts: Readonly<Record<string, readonly string[]>> = {}
  readonly documentChanged = new EventEmitter<vscode.TextDocumentChangeEvent>()
  readonly filesRenamed = new EventEmitter<vscode.FileRenameEvent>()
  readonly filesDeleted = new EventEmitter<vscode.FileDeleteEvent>()
  readonly documentClosed = new EventEmitter<vscode.TextDocument>()
  /** The path of the one folder that is open. */
  folder = '/work'
  /** The bytes of files by their uris. */
  readonly files = new Map<string, Uint8Array>()
  /** Documents that are open, each in a tab. */
  readonly documents: vscode.TextDocument[] = []
  readonly notebooks: vscode.NotebookDocument[] = []
  /** Watchers of files, by their globs. */
  readonly watchers: {
    readonly glob: string
    readonly created: EventEmitter<vscode.Uri>
    readonly deleted: EventEmitter<vscode.Uri>
  }[] = []
  readonly foldersChanged = new EventEmitter<vscode.WorkspaceFoldersChangeEvent>()
  readonly trustGranted = new EventEmitter<void>()
  readonly activeEditorChanged = new EventEmitter<vscode.TextEditor | undefined>()
  readonly selectionChanged = new EventEmitter<vscode.TextEditorSelectionChangeEvent>()
  readonly terminalClosed = new EventEmitter<vscode.Terminal>()
  readonly executionStarted = new EventEmitter<vscode.TerminalShellExecutionStartEvent>()
  readonly problems = new Map<string, vscode.Diagnostic[]>()
  clipboard = ''
  terminal: Pick<vscode.Terminal, 'name'> | undefined
  /** The terminals that the extension shows. */
  readonly pseudoterminals: vscode.ExtensionTerminalOptions[] = []
  /** What a command of the editor does, by its id. */
  onCommand = (_id: string): unknown => undefined
  /** Further groups of tabs, each with the one that is shown. */
  readonly tabGroups: Pick<vscode.TabGroup, 'tabs' | 'activeTab' | 'viewColumn'>[] = []
  readonly tabsChanged = new EventEmitter<vscode.TabChangeEvent>()
  /** The tab with a page that the extension opens next. */
  onCreateTab = (_column: number): vscode.WebviewPanel => {
    throw new Error('This test has no tab')
  }
  /** Does in the browser what the user would; what is opened is dropped, unless a test sets this. */
  onOpenExternal = (_url: string): void => {}

  get messages(): readonly { readonly text: string; readonly buttons: readonly string[] }[] {
    return this.interactions.flatMap(one => (one.kind === 'message' ? { text: one.text, buttons: one.buttons } : []))
  }

  /** As new. Files that share a process share this editor. */
  reset(): void {
    this.interactions.length = 0
    this.progressTexts.length = 0
    this.pressed = undefined
    this.typed = {}
    this.picked = undefined
    this.ticked = []
    this.tools = []
    this.manifests = []
    this.onInvokeTool = async () => []
    this.pickedFile = undefined
    this.proposedFiles.length = 0
    this.settings.clear()
    this.workspaceSettings.clear()
    this.commands.clear()
    this.onWrite = () => {}
    this.accounts = {}
    this.files.clear()
    this.documents.length = 0
    this.notebooks.length = 0
    this.tabGroups.length = 0
    this.watchers.length = 0
    this.problems.clear()
    this.clipboard = ''
    this.terminal = undefined
    this.pseudoterminals.length = 0
    this.onCommand = () => undefined
    this.onOpenExternal = () => {}
  }
}

/** What a test sets and reads. */
export const fakeEditor = new FakeEditor()

/** Fills in the named placeholders, as the editor does where there is no translation. */
export const l10n = {
  bundle: undefined as Readonly<Record<string, string>> | undefined, // as: a test may set one
  t: (text: string, values: Readonly<Record<string, unknown>> = {}) =>
    (l10n.bundle?.[text] ?? text).replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole)),
}

/** The hook stays, because modules that are loaded later import the editor as well. Those of another fake have its own. */
let isHooked = false

/** Imports modules of the editor layer, for which the module `vscode` is this one. */
export async function withFakeVscode<T>(load: () => Promise<T>): Promise<T> {
  if (!isHooked) {
    registerHooks({
      resolve: (name, context, next) =>
        name === 'vscode' && !context.parentURL?.includes('?')
          ? { url: import.meta.url, shortCircuit: true }
          : next(name, context),
    })
  }
  isHooked = true
  return load()
}

// The API itself: each export bears the editor's name for it, and the compiler compares it with the editor's type.

const nothing = { dispose() {} }

/** `never`, because each of the overloads returns another of the types that its items may have. */
async function show(text: string, ...rest: readonly unknown[]): Promise<never> {
  const items = rest as readonly (string | { readonly title?: string; readonly modal?: boolean })[]
  const choices = items.filter(item => typeof item === 'string' || item.title !== undefined)
  const titleOf = (item: (typeof items)[number]) => (typeof item === 'string' ? item : (item.title ?? ''))
  fakeEditor.interactions.push({ kind: 'message', text, buttons: choices.map(titleOf) })
  const isModal = items.some(item => typeof item === 'object' && item.modal)
  const { pressed } = fakeEditor
  const chosen = pressed === undefined && isModal ? choices[0] : choices.find(choice => titleOf(choice) === pressed)
  return chosen as never
}

async function showQuickPick(given: unknown, options: vscode.QuickPickOptions = {}): Promise<never> {
  const items = (await given) as readonly vscode.QuickPickItem[]
  fakeEditor.interactions.push({ kind: 'pick', items, ...(options.title !== undefined && { title: options.title }) })
  if (options.canPickMany) {
    const [ticked, ...later] = fakeEditor.ticked
    fakeEditor.ticked = later
    return (ticked && items.filter(({ label }) => ticked.includes(label))) as never
  }
  const { picked } = fakeEditor
  return items.find(({ label }) => picked !== undefined && label.includes(picked)) as never
}

export const window = {
  createWebviewPanel: (_type, _title, where) =>
    fakeEditor.onCreateTab(typeof where === 'object' ? where.viewColumn : where),
  visibleTextEditors: [],
  activeTextEditor: undefined as vscode.TextEditor | undefined, // as: a test may set one
  onDidChangeActiveTextEditor: fakeEditor.activeEditorChanged.event,
  onDidChangeTextEditorSelection: fakeEditor.selectionChanged.event,
  onDidStartTerminalShellExecution: fakeEditor.executionStarted.event,
  onDidCloseTerminal: fakeEditor.terminalClosed.event,
  terminals: [],
  createTerminal: (given?: unknown) => {
    const options = given as vscode.ExtensionTerminalOptions // as: the only kind that is made here
    const terminal = { name: options.name, show() {}, dispose() {} } as unknown as vscode.Terminal // as: what is used of it
    fakeEditor.pseudoterminals.push(options)
    return terminal
  },
  get activeTerminal() {
    return fakeEditor.terminal as vscode.Terminal | undefined // as: a test gives what is read of it
  },
  get tabGroups() {
    const tabs = fakeEditor.documents.map(({ uri }) => ({ input: new TabInputText(uri) }))
    const close = async (tab: vscode.Tab) => {
      const groups = fakeEditor.tabGroups.filter(group => group.activeTab !== tab)
      fakeEditor.tabGroups.splice(0, Infinity, ...groups)
      return true
    }
    const all = [{ tabs }, ...fakeEditor.tabGroups]
    return { all, close, onDidChangeTabs: fakeEditor.tabsChanged.event } as unknown as vscode.TabGroups // as: what is used of it
  },
  showTextDocument: async (uri: vscode.Uri | vscode.TextDocument) => {
    fakeEditor.shownFiles.push(uri.toString())
    return {} as vscode.TextEditor // as: nothing of it is used
  },
  showInformationMessage: show,
  showWarningMessage: show,
  showErrorMessage: show,
  showInputBox: async (options: vscode.InputBoxOptions = {}) => {
    fakeEditor.interactions.push({ kind: 'input', options })
    return Object.entries(fakeEditor.typed).find(([start]) => options.title?.startsWith(start))?.[1]
  },
  showQuickPick,
  showOpenDialog: async () =>
    fakeEditor.pickedFile === undefined ? undefined : [uriOf(fakeEditor.pickedFile) as vscode.Uri], // as: only what is used of a URI is there
  showSaveDialog: async ({ defaultUri }: vscode.SaveDialogOptions = {}) => {
    fakeEditor.proposedFiles.push(String(defaultUri))
    return fakeEditor.pickedFile === undefined ? undefined : (uriOf(fakeEditor.pickedFile) as vscode.Uri) // as: as above
  },
  withProgress: (_, work) =>
    work(
      { report: ({ message = '' }) => fakeEditor.progressTexts.push(message) },
      { isCancellationRequested: false, onCancellationRequested: () => nothing },
    ),
} satisfies Pick<
  typeof vscode.window,
  | 'createWebviewPanel'
  | 'visibleTextEditors'
  | 'activeTextEditor'
  | 'onDidChangeActiveTextEditor'
  | 'onDidChangeTextEditorSelection'
  | 'onDidStartTerminalShellExecution'
  | 'onDidCloseTerminal'
  | 'terminals'
  | 'createTerminal'
  | 'activeTerminal'
  | 'tabGroups'
  | 'showTextDocument'
  | 'showInformationMessage'
  | 'showWarningMessage'
  | 'showErrorMessage'
  | 'showInputBox'
  | 'showQuickPick'
  | 'showOpenDialog'
  | 'showSaveDialog'
  | 'withProgress'
>

export const workspace = {
  isTrusted: false,
  onDidChangeConfiguration: fakeEditor.settings.changed.event,
  onDidChangeTextDocument: fakeEditor.documentChanged.event,
  onDidCloseTextDocument: fakeEditor.documentClosed.event,
  onDidRenameFiles: fakeEditor.filesRenamed.event,
  onDidDeleteFiles: fakeEditor.filesDeleted.event,
  onDidChangeWorkspaceFolders: fakeEditor.foldersChanged.event,
  onDidGrantWorkspaceTrust: fakeEditor.trustGranted.event,
  registerTextDocumentContentProvider: () => nothing,
  get workspaceFolders() {
    return [workspaceFolder()]
  },
  get notebookDocuments() {
    return fakeEditor.notebooks
  },
  get textDocuments() {
    return fakeEditor.documents
  },
  getWorkspaceFolder: uri => (isInFolder(uri.path) ? workspaceFolder() : undefined),
  createFileSystemWatcher: glob => {
    const watcher = {
      glob: String(glob),
      created: new EventEmitter<vscode.Uri>(),
      deleted: new EventEmitter<vscode.Uri>(),
    }
    fakeEditor.watchers.push(watcher)
    const flags = { ignoreCreateEvents: false, ignoreChangeEvents: false, ignoreDeleteEvents: false }
    const events = {
      onDidCreate: watcher.created.event,
      onDidChange: () => nothing,
      onDidDelete: watcher.deleted.event,
    }
    return { ...flags, ...events, ...nothing }
  },
  findFiles: async pattern => {
    const end = String(pattern).replace(/^[*/]+/, '/')
    const found = [...fakeEditor.files.keys()].filter(uri => uri.endsWith(end) || end === '/')
    return found.map(uriOf) as unknown as vscode.Uri[] // as: only what is used of a URI is there
  },
  decode: async bytes => new TextDecoder('utf-8', { fatal: true }).decode(bytes),
  get fs() {
    return {
      stat: async (uri: vscode.Uri) => {
        const bytes = fakeEditor.files.get(uri.toString())
        if (!bytes) throw new Error('FileNotFound')
        return { type: FileType.File, ctime: 0, mtime: 0, size: bytes.length }
      },
      readFile: async (uri: vscode.Uri) => {
        const bytes = fakeEditor.files.get(uri.toString())
        if (!bytes) throw new Error('FileNotFound')
        return bytes
      },
      writeFile: async (uri: vscode.Uri, bytes: Uint8Array) => void fakeEditor.files.set(uri.toString(), bytes),
    } as unknown as vscode.FileSystem // as: nothing else of it is used
  },
  asRelativePath: given => {
    const path = typeof given === 'string' ? given : given.path
    return isInFolder(path) ? path.slice(fakeEditor.folder.length + 1) : path
  },
  getConfiguration: section => ({
    get: (key: string) => effective(`${section}.${key}`) as never,
    has: key => effective(`${section}.${key}`) !== undefined,
    inspect: <T>(key: string) => ({
      key,
      globalValue: fakeEditor.settings.get(`${section}.${key}`) as T,
      workspaceValue: fakeEditor.workspaceSettings.get(`${section}.${key}`) as T,
    }),
    update: async (key, value: unknown) => {
      fakeEditor.onWrite(`${section}.${key}`, value)
      fakeEditor.settings.set(`${section}.${key}`, value)
    },
  }),
} satisfies Pick<
  typeof vscode.workspace,
  | 'isTrusted'
  | 'onDidChangeConfiguration'
  | 'onDidChangeTextDocument'
  | 'onDidCloseTextDocument'
  | 'onDidRenameFiles'
  | 'onDidDeleteFiles'
  | 'onDidChangeWorkspaceFolders'
  | 'onDidGrantWorkspaceTrust'
  | 'registerTextDocumentContentProvider'
  | 'workspaceFolders'
  | 'notebookDocuments'
  | 'textDocuments'
  | 'createFileSystemWatcher'
  | 'findFiles'
  | 'decode'
  | 'fs'
  | 'getWorkspaceFolder'
  | 'asRelativePath'
  | 'getConfiguration'
>

function effective(name: string): unknown {
  return fakeEditor.workspaceSettings.get(name) ?? fakeEditor.settings.get(name)
}

const workspaceFolder = () => ({ uri: Uri.file(fakeEditor.folder) as vscode.Uri, name: 'work', index: 0 })

function isInFolder(path: string): boolean {
  return path.startsWith(`${fakeEditor.folder}/`)
}

export const commands = {
  executeCommand: async <T>(id: string) => {
    fakeEditor.interactions.push({ kind: 'command', id })
    return fakeEditor.onCommand(id) as T // as: a test knows what the command returns
  },
  registerCommand: (id, run) => {
    fakeEditor.commands.set(id, run)
    return { dispose: () => void fakeEditor.commands.delete(id) }
  },
} satisfies Pick<typeof vscode.commands, 'executeCommand' | 'registerCommand'>

export const env = {
  sessionId: 'session',
  /** What is shown is English all the same while there is no `l10n.bundle`. */
  language: 'de',
  clipboard: {
    readText: async () => fakeEditor.clipboard,
    writeText: async text => {
      fakeEditor.clipboard = text
    },
  },
  openExternal: async url => {
    fakeEditor.onOpenExternal(url.toString())
    return true
  },
} satisfies Pick<typeof vscode.env, 'sessionId' | 'language' | 'clipboard' | 'openExternal'>

export const authentication = {
  getAccounts: async provider => (fakeEditor.accounts[provider] ?? []).map(label => ({ id: label, label })),
  /** Asks for a login where more is wanted than what exists. */
  getSession: async (
    provider: string,
    scopes: unknown,
    { silent = false }: { silent?: boolean } = {},
  ): Promise<never> => {
    const [name] = fakeEditor.accounts[provider] ?? []
    if (name === undefined && !silent)
      fakeEditor.interactions.push({ kind: 'message', text: `Log in to ${provider}?`, buttons: ['Allow'] })
    const session = { id: provider, accessToken: `gho_${name}`, account: { id: `${name}`, label: `${name}` }, scopes }
    return (name === undefined ? undefined : session) as never // some overloads promise a session
  },
  registerAuthenticationProvider: () => nothing,
} satisfies Pick<typeof vscode.authentication, 'getAccounts' | 'getSession' | 'registerAuthenticationProvider'>

export const extensions = {
  getExtension: () => undefined,
  get all() {
    return fakeEditor.manifests.map(packageJSON => ({
      id: 'other.extension',
      packageJSON,
    })) as vscode.Extension<never>[] // as: what is read of them
  },
} satisfies Pick<typeof vscode.extensions, 'getExtension' | 'all'>

export const lm = {
  registerLanguageModelChatProvider: () => nothing,
  get tools() {
    return fakeEditor.tools
  },
  invokeTool: async (name, { input }) => ({ content: [...(await fakeEditor.onInvokeTool(name, input))] }),
} satisfies Pick<typeof vscode.lm, 'registerLanguageModelChatProvider' | 'tools' | 'invokeTool'>

export class CancellationTokenSource implements vscode.CancellationTokenSource {
  readonly token = { isCancellationRequested: false, onCancellationRequested: () => nothing }
  cancel(): void {}
  dispose(): void {}
}

export class CancellationError extends Error implements vscode.CancellationError {}

export class LanguageModelTextPart implements vscode.LanguageModelTextPart {
  value: string
  constructor(value: string) {
    this.value = value
  }
}

export class LanguageModelPromptTsxPart implements vscode.LanguageModelPromptTsxPart {
  value: unknown
  constructor(value: unknown) {
    this.value = value
  }
}

export class LanguageModelDataPart {
  data: Uint8Array
  mimeType: string
  constructor(data: Uint8Array, mimeType: string) {
    this.data = data
    this.mimeType = mimeType
  }
}

export class LanguageModelToolCallPart implements vscode.LanguageModelToolCallPart {
  callId: string
  name: string
  input: object
  constructor(callId: string, name: string, input: object) {
    this.callId = callId
    this.name = name
    this.input = input
  }
}

export class LanguageModelToolResultPart implements vscode.LanguageModelToolResultPart {
  callId: string
  content: vscode.LanguageModelToolResultPart['content']
  constructor(callId: string, content: vscode.LanguageModelToolResultPart['content']) {
    this.callId = callId
    this.content = content
  }
}

interface FakeUri {
  readonly scheme: string
  readonly path: string
  readonly fsPath: string
  toString(): string
  with(change: { readonly scheme?: string; readonly authority?: string }): FakeUri
}

/** A path alone is one of the disk, and is written as it is. */
function uriOf(text: string): FakeUri {
  const [, scheme = 'file', authority = '', path = text] = /^([a-z-]+):(?:\/\/([^/]*))?(.*)$/.exec(text) ?? []
  const change = (other: { readonly scheme?: string; readonly authority?: string }) =>
    uriOf(`${other.scheme ?? scheme}://${other.authority ?? authority}${path}`)
  return { scheme, path, fsPath: path, toString: () => text, with: change }
}

export const Uri = {
  parse: uriOf,
  file: (path: string) => uriOf(`file://${path}`),
  joinPath: (uri: { toString(): string }, ...parts: readonly string[]) => uriOf([uri.toString(), ...parts].join('/')),
}

export class TabInputText implements vscode.TabInputText {
  readonly uri: vscode.Uri
  constructor(uri: vscode.Uri) {
    this.uri = uri
  }
}
export class ThemeIcon implements vscode.ThemeIcon {
  readonly id: string

  constructor(id: string) {
    this.id = id
  }
}

export class TabInputCustom {}
export class TabInputNotebook {}
export class TabInputTextDiff {}

export class TabInputWebview implements vscode.TabInputWebview {
  readonly viewType: string
  constructor(viewType: string) {
    this.viewType = viewType
  }
}

export const ViewColumn = { Active: -1, Beside: -2, One: 1 } satisfies Partial<typeof vscode.ViewColumn>

export class Position {
  readonly line: number
  readonly character: number
  constructor(line: number, character: number) {
    this.line = line
    this.character = character
  }
}

export class Selection {}

export class Range {
  readonly start: Position
  readonly end: Position
  constructor(start: Position, end: Position)
  constructor(startLine: number, startCharacter: number, endLine: number, endCharacter: number)
  constructor(...at: readonly [Position, Position] | readonly [number, number, number, number]) {
    const [a, b, c, d] = at
    this.start = typeof a === 'number' ? new Position(a, Number(b)) : a
    this.end = typeof b === 'number' ? new Position(Number(c), Number(d)) : b
  }
}

export class RelativePattern {
  readonly baseUri: vscode.Uri
  readonly pattern: string
  constructor(baseUri: vscode.Uri, pattern: string) {
    this.baseUri = baseUri
    this.pattern = pattern
  }
}

/** Lists of source control are made and shown nowhere. */
export const scm = {
  createSourceControl: (id: string, label: string): never => {
    const group = (groupId: string, groupLabel: string) => ({
      id: groupId,
      label: groupLabel,
      resourceStates: [],
      dispose() {},
    })
    return { id, label, inputBox: {}, createResourceGroup: group, dispose() {} } as never // what is shown is the editor's
  },
} satisfies Pick<typeof vscode.scm, 'createSourceControl'>

export const languages = {
  getDiagnostics: (uri?: vscode.Uri): never => {
    const all = [...fakeEditor.problems].map(([text, problems]) => [uriOf(text), problems] as const)
    return (uri ? (fakeEditor.problems.get(uri.toString()) ?? []) : all) as never // each overload returns another type
  },
} satisfies Pick<typeof vscode.languages, 'getDiagnostics'>

// The values of the editor's enumerations (https://code.visualstudio.com/api/references/vscode-api).

export const SymbolKind = {
  ...{ File: 0, Module: 1, Namespace: 2, Package: 3, Class: 4, Method: 5 },
  ...{ Property: 6, Field: 7, Constructor: 8, Enum: 9, Interface: 10, Function: 11 },
  ...{ Variable: 12, Constant: 13, String: 14, Number: 15, Boolean: 16, Array: 17 },
  ...{ Object: 18, Key: 19, Null: 20, EnumMember: 21, Struct: 22, Event: 23 },
  ...{ Operator: 24, TypeParameter: 25 },
} satisfies Values<'SymbolKind'>

export const LanguageModelChatMessageRole = { User: 1, Assistant: 2 } satisfies Values<'LanguageModelChatMessageRole'>
export const LanguageModelChatToolMode = { Auto: 1, Required: 2 } satisfies Values<'LanguageModelChatToolMode'>
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 } satisfies Values<'ProgressLocation'>
export const ConfigurationTarget = {
  Global: 1,
  Workspace: 2,
  WorkspaceFolder: 3,
} satisfies Values<'ConfigurationTarget'>
export const QuickPickItemKind = { Separator: -1, Default: 0 } satisfies Values<'QuickPickItemKind'>
export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 } satisfies Values<'FileType'>
export const DiagnosticSeverity = {
  Error: 0,
  Warning: 1,
  Information: 2,
  Hint: 3,
} satisfies Values<'DiagnosticSeverity'>
export const EndOfLine = { LF: 1, CRLF: 2 } satisfies Values<'EndOfLine'>
export const TextDocumentChangeReason = { Undo: 1, Redo: 2 } satisfies Values<'TextDocumentChangeReason'>
export const UIKind = { Desktop: 1, Web: 2 } satisfies Values<'UIKind'>

type Values<Name extends keyof typeof vscode> = { readonly [Member in keyof (typeof vscode)[Name]]: number }
