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
  /** What is shown below the text of each message. */
  readonly details: string[] = []
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
  /** What the folder sets for its files. */
  readonly folderSettings = new Map<string, unknown>()
  /** What was registered, by the command's id. */
  readonly commands = new Map<string, () => unknown>()
  /** Throws where the editor does not write into its settings. */
  onWrite = (_key: string, _value: unknown): void => {}
  /** The editor's own accounts by provider: who has logged in there already. A session's token is the name behind `gho_`. */
  accounts: Readonly<Record<string, readonly string[]>> = {}
  readonly documentChanged = new EventEmitter<vscode.TextDocumentChangeEvent>()
  readonly documentSaved = new EventEmitter<vscode.TextDocument>()
  readonly filesRenamed = new EventEmitter<vscode.FileRenameEvent>()
  readonly filesDeleted = new EventEmitter<vscode.FileDeleteEvent>()
  readonly documentClosed = new EventEmitter<vscode.TextDocument>()
  /** The path of the one folder that is open. */
  folder = '/work'
  /** The machine that it is on; empty for this one. */
  folderHost = ''
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
  readonly visibleEditorsChanged = new EventEmitter<readonly vscode.TextEditor[]>()
  readonly activeEditorChanged = new EventEmitter<vscode.TextEditor | undefined>()
  readonly visibleRangesChanged = new EventEmitter<vscode.TextEditorVisibleRangesChangeEvent>()
  /** What was registered last. */
  inlineProvider: vscode.InlineCompletionItemProvider | undefined
  readonly selectionChanged = new EventEmitter<vscode.TextEditorSelectionChangeEvent>()
  readonly terminalClosed = new EventEmitter<vscode.Terminal>()
  readonly executionStarted = new EventEmitter<vscode.TerminalShellExecutionStartEvent>()
  readonly executionEnded = new EventEmitter<vscode.TerminalShellExecutionEndEvent>()
  readonly shellIntegrationChanged = new EventEmitter<vscode.TerminalShellIntegrationChangeEvent>()
  /** The terminal with a shell that the extension opens next. */
  onCreateTerminal: (() => vscode.Terminal) | undefined
  readonly problems = new Map<string, vscode.Diagnostic[]>()
  clipboard = ''
  terminal: Pick<vscode.Terminal, 'name'> | undefined
  /** The terminals that the extension shows. */
  readonly pseudoterminals: vscode.ExtensionTerminalOptions[] = []
  /** What a command of the editor does, by its id. */
  onCommand = (_id: string, ..._values: readonly unknown[]): unknown => undefined
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
    this.details.length = 0
    this.folderHost = ''
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
    this.folderSettings.clear()
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
    window.activeTextEditor = undefined
    window.visibleTextEditors = []
    this.terminal = undefined
    this.pseudoterminals.length = 0
    this.onCreateTerminal = undefined
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
  const items = rest as readonly (
    | string
    | { readonly title?: string; readonly modal?: boolean; readonly detail?: string }
  )[]
  const choices = items.filter(item => typeof item === 'string' || item.title !== undefined)
  const titleOf = (item: (typeof items)[number]) => (typeof item === 'string' ? item : (item.title ?? ''))
  fakeEditor.details.push(items.flatMap(item => (typeof item === 'object' ? (item.detail ?? []) : [])).join())
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

/** What is typed into it is in `typed`, as for a box. Where the list has nothing that is to be picked, it is dismissed. */
class FakeQuickPick {
  readonly #valueChanged = new EventEmitter<string>()
  readonly #accepted = new EventEmitter<void>()
  readonly #hidden = new EventEmitter<void>()
  readonly onDidChangeValue = this.#valueChanged.event
  readonly onDidAccept = this.#accepted.event
  readonly onDidHide = this.#hidden.event
  title = ''
  items: readonly vscode.QuickPickItem[] = []
  selectedItems: readonly vscode.QuickPickItem[] = []
  #isTyped = false

  show(): void {}

  /** The list is complete once it is no longer busy. */
  set busy(isBusy: boolean) {
    if (isBusy) return
    const typed = Object.entries(fakeEditor.typed).find(([start]) => this.title.startsWith(start))?.[1]
    if (typed !== undefined && !this.#isTyped) {
      this.#isTyped = true
      this.#valueChanged.fire(typed)
      return
    }
    const { items, title } = this
    fakeEditor.interactions.push({ kind: 'pick', items, title })
    const { picked } = fakeEditor
    this.selectedItems = items.filter(
      ({ label, description = '' }) => picked !== undefined && `${description}/${label}`.includes(picked),
    )
    if (this.selectedItems.length > 0) this.#accepted.fire()
    else this.#hidden.fire()
  }

  dispose(): void {}
}

export const window = {
  createQuickPick: <T extends vscode.QuickPickItem>() => new FakeQuickPick() as unknown as vscode.QuickPick<T>, // as: what is used of it
  createWebviewPanel: (_type, _title, where) =>
    fakeEditor.onCreateTab(typeof where === 'object' ? where.viewColumn : where),
  visibleTextEditors: [] as readonly vscode.TextEditor[], // as: a test may set some
  createTextEditorDecorationType: () => ({ key: '', dispose() {} }),
  onDidChangeTextEditorVisibleRanges: fakeEditor.visibleRangesChanged.event,
  activeTextEditor: undefined as vscode.TextEditor | undefined, // as: a test may set one
  onDidChangeActiveTextEditor: fakeEditor.activeEditorChanged.event,
  onDidChangeVisibleTextEditors: fakeEditor.visibleEditorsChanged.event,
  onDidChangeTextEditorSelection: fakeEditor.selectionChanged.event,
  onDidStartTerminalShellExecution: fakeEditor.executionStarted.event,
  onDidEndTerminalShellExecution: fakeEditor.executionEnded.event,
  onDidChangeTerminalShellIntegration: fakeEditor.shellIntegrationChanged.event,
  onDidCloseTerminal: fakeEditor.terminalClosed.event,
  terminals: [],
  createTerminal: (given?: unknown) => {
    if (fakeEditor.onCreateTerminal) return fakeEditor.onCreateTerminal()
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
    const activeTabGroup = all.at(-1)
    return { all, activeTabGroup, close, onDidChangeTabs: fakeEditor.tabsChanged.event } as unknown as vscode.TabGroups // as: what is used of it
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
  | 'createQuickPick'
  | 'createWebviewPanel'
  | 'visibleTextEditors'
  | 'createTextEditorDecorationType'
  | 'onDidChangeTextEditorVisibleRanges'
  | 'activeTextEditor'
  | 'onDidChangeActiveTextEditor'
  | 'onDidChangeVisibleTextEditors'
  | 'onDidChangeTextEditorSelection'
  | 'onDidStartTerminalShellExecution'
  | 'onDidEndTerminalShellExecution'
  | 'onDidChangeTerminalShellIntegration'
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
  isTrusted: false as boolean, // as: a test may set it
  onDidChangeConfiguration: fakeEditor.settings.changed.event,
  onDidChangeTextDocument: fakeEditor.documentChanged.event,
  onDidSaveTextDocument: fakeEditor.documentSaved.event,
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
  getWorkspaceFolder: uri => (isOfFolder(uri) ? workspaceFolder() : undefined),
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
  openTextDocument: async (given?: unknown): Promise<vscode.TextDocument> => {
    const found = fakeEditor.documents.find(({ uri }) => uri.toString() === String(given))
    if (!found) throw new Error('FileNotFound')
    return found
  },
  applyEdit: async edit => (edit instanceof WorkspaceEdit ? edit.apply() : false),
  decode: async bytes => new TextDecoder('utf-8', { fatal: true }).decode(bytes),
  get fs() {
    return {
      stat: async (uri: vscode.Uri) => {
        const bytes = fakeEditor.files.get(uri.toString())
        const isFolder = [...fakeEditor.files.keys()].some(one => one.startsWith(`${uri}/`))
        if (!bytes && !isFolder) throw new Error('FileNotFound')
        const type = bytes ? FileType.File : FileType.Directory
        return { type, ctime: 0, mtime: 0, size: bytes?.length ?? 0 }
      },
      readFile: async (uri: vscode.Uri) => {
        const bytes = fakeEditor.files.get(uri.toString())
        if (!bytes) throw new Error('FileNotFound')
        return bytes
      },
      isWritableFileSystem: (scheme: string) => (scheme === 'file' ? true : undefined),
      writeFile: async (uri: vscode.Uri, bytes: Uint8Array) => void fakeEditor.files.set(uri.toString(), bytes),
      readDirectory: async (uri: vscode.Uri) => {
        const names = [...fakeEditor.files.keys()].filter(one => one.startsWith(`${uri}/`))
        if (names.length === 0) throw new Error('FileNotFound')
        return names.map(one => [one.slice(`${uri}/`.length), FileType.File])
      },
      rename: async (from: vscode.Uri, to: vscode.Uri) => {
        const bytes = fakeEditor.files.get(from.toString())
        if (!bytes) throw new Error('FileNotFound')
        fakeEditor.files.delete(from.toString())
        fakeEditor.files.set(to.toString(), bytes)
      },
      delete: async (uri: vscode.Uri) => {
        if (!fakeEditor.files.delete(uri.toString())) throw new Error('FileNotFound')
      },
    } as unknown as vscode.FileSystem // as: nothing else of it is used
  },
  asRelativePath: given => {
    const path = typeof given === 'string' ? given : given.path
    return isInFolder(path) ? path.slice(fakeEditor.folder.length + 1) : path
  },
  getConfiguration: (section, scope) => ({
    get: (key: string) => effective(`${section}.${key}`) as never,
    has: key => effective(`${section}.${key}`) !== undefined,
    inspect: <T>(key: string) => ({
      key,
      globalValue: fakeEditor.settings.get(`${section}.${key}`) as T,
      workspaceValue: fakeEditor.workspaceSettings.get(`${section}.${key}`) as T,
      ...(isOfFolder(scope) && { workspaceFolderValue: fakeEditor.folderSettings.get(`${section}.${key}`) as T }),
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
  | 'onDidSaveTextDocument'
  | 'onDidCloseTextDocument'
  | 'onDidRenameFiles'
  | 'onDidDeleteFiles'
  | 'onDidChangeWorkspaceFolders'
  | 'onDidGrantWorkspaceTrust'
  | 'registerTextDocumentContentProvider'
  | 'workspaceFolders'
  | 'notebookDocuments'
  | 'textDocuments'
  | 'applyEdit'
  | 'createFileSystemWatcher'
  | 'findFiles'
  | 'openTextDocument'
  | 'decode'
  | 'fs'
  | 'getWorkspaceFolder'
  | 'asRelativePath'
  | 'getConfiguration'
>

function effective(name: string): unknown {
  return fakeEditor.workspaceSettings.get(name) ?? fakeEditor.settings.get(name)
}

const workspaceFolder = () => ({
  uri: Uri.parse(`file://${fakeEditor.folderHost}${fakeEditor.folder}`) as vscode.Uri,
  name: 'work',
  index: 0,
})

/** A file of the folder, or settings that are read for one. */
function isOfFolder(given: unknown): boolean {
  const scope = given as { readonly uri?: vscode.Uri } | undefined // as: what is read of either
  const { scheme, path } = scope?.uri ?? (given as Partial<vscode.Uri> | undefined) ?? {}
  return scheme === workspaceFolder().uri.scheme && path !== undefined && isInFolder(path)
}

function isInFolder(path: string): boolean {
  return path.startsWith(`${fakeEditor.folder}/`)
}

export const commands = {
  executeCommand: async <T>(id: string, ...values: unknown[]) => {
    fakeEditor.interactions.push({ kind: 'command', id })
    return fakeEditor.onCommand(id, ...values) as T // as: a test knows what the command returns
  },
  registerCommand: (id, run) => {
    fakeEditor.commands.set(id, run)
    return { dispose: () => void fakeEditor.commands.delete(id) }
  },
} satisfies Pick<typeof vscode.commands, 'executeCommand' | 'registerCommand'>

export const version = '1.110.0'

export const env = {
  sessionId: 'session',
  appName: 'Editor',
  uiKind: 1,
  remoteName: undefined,
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
} satisfies Pick<
  typeof vscode.env,
  'sessionId' | 'appName' | 'uiKind' | 'remoteName' | 'language' | 'clipboard' | 'openExternal'
>

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

/** A path alone is one of the disk, and is written as it is. */
function uriOf(text: string): Uri {
  const [, scheme = 'file', authority = '', path = text] = /^([a-z-]+):(?:\/\/([^/]*))?(.*)$/.exec(text) ?? []
  return new Uri(text, scheme, authority, path)
}

export class Uri {
  static readonly parse = uriOf
  static readonly file = (path: string): Uri => uriOf(`file://${path}`)
  static readonly joinPath = (uri: { toString(): string }, ...parts: readonly string[]): Uri =>
    uriOf([uri.toString(), ...parts].join('/'))

  readonly scheme: string
  readonly authority: string
  readonly path: string
  readonly fsPath: string
  readonly query = ''
  readonly fragment = ''
  readonly #text: string

  constructor(text: string, scheme: string, authority: string, path: string) {
    this.#text = text
    this.scheme = scheme
    this.authority = authority
    this.path = path
    this.fsPath = path
  }

  toString(): string {
    return this.#text
  }

  toJSON(): string {
    return this.#text
  }

  with({
    scheme = this.scheme,
    authority = this.authority,
  }: {
    readonly scheme?: string
    readonly authority?: string
  }): Uri {
    return uriOf(`${scheme}://${authority}${this.path}`)
  }
}

/** What it does to documents and files is done at once. */
export class WorkspaceEdit {
  readonly #steps: (() => boolean)[] = []

  replace(uri: vscode.Uri, { start, end }: vscode.Range, text: string): void {
    this.#steps.unshift(() => {
      const document = fakeEditor.documents.find(one => one.uri.toString() === uri.toString())
      if (!document) return false
      // as: the documents of the fake editor are of that kind
      const fake = document as unknown as {
        isDirty: boolean
        change(from: readonly number[], to: readonly number[], text: string): void
      }
      fake.change([start.line, start.character], [end.line, end.character], text)
      fake.isDirty = true
      return true
    })
  }

  createFile(uri: vscode.Uri, { contents }: { readonly contents?: Uint8Array } = {}): void {
    this.#steps.push(() => fakeEditor.files.set(uri.toString(), contents ?? new Uint8Array()) !== undefined)
  }

  deleteFile(uri: vscode.Uri): void {
    this.#steps.push(() => fakeEditor.files.delete(uri.toString()))
  }

  apply(): boolean {
    return this.#steps.map(step => step()).every(isDone => isDone)
  }
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

export class ThemeColor implements vscode.ThemeColor {
  readonly id: string
  constructor(id: string) {
    this.id = id
  }
}

export class InlineCompletionItem {
  readonly insertText: string
  readonly range: Range
  constructor(insertText: string, range: Range) {
    this.insertText = insertText
    this.range = range
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

  isBefore(other: Position): boolean {
    return order(this, other) < 0
  }

  isAfter(other: Position): boolean {
    return order(this, other) > 0
  }
}

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

  get isEmpty(): boolean {
    return order(this.start, this.end) === 0
  }

  get isSingleLine(): boolean {
    return this.start.line === this.end.line
  }

  isEqual({ start, end }: Range): boolean {
    return order(start, this.start) === 0 && order(end, this.end) === 0
  }

  contains(at: Position): boolean {
    return order(this.start, at) <= 0 && order(at, this.end) <= 0
  }

  intersection({ start, end }: Range): Range | undefined {
    const from = order(start, this.start) > 0 ? start : this.start
    const to = order(end, this.end) < 0 ? end : this.end
    return order(from, to) > 0 ? undefined : new Range(from, to)
  }
}

export class Selection extends Range {
  readonly active: Position
  constructor(anchor: Position, active: Position) {
    super(...(order(anchor, active) > 0 ? ([active, anchor] as const) : ([anchor, active] as const)))
    this.active = active
  }
}

const order = (a: Position, b: Position) => a.line - b.line || a.character - b.character

export class CodeActionKind {
  static readonly QuickFix = new CodeActionKind('quickfix')
  static readonly RefactorRewrite = new CodeActionKind('refactor.rewrite')
  readonly value: string
  constructor(value: string) {
    this.value = value
  }
  contains({ value }: CodeActionKind): boolean {
    return value === this.value || value.startsWith(`${this.value}.`)
  }
}

export class CodeAction {
  readonly title: string
  readonly kind: CodeActionKind
  command?: vscode.Command
  diagnostics?: vscode.Diagnostic[]
  constructor(title: string, kind: CodeActionKind) {
    this.title = title
    this.kind = kind
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
  registerInlineCompletionItemProvider: (_, provider) => {
    fakeEditor.inlineProvider = provider
    return nothing
  },
  getDiagnostics: (uri?: vscode.Uri): never => {
    const all = [...fakeEditor.problems].map(([text, problems]) => [uriOf(text), problems] as const)
    return (uri ? (fakeEditor.problems.get(uri.toString()) ?? []) : all) as never // each overload returns another type
  },
} satisfies Pick<typeof vscode.languages, 'getDiagnostics' | 'registerInlineCompletionItemProvider'>

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
export const InlineCompletionTriggerKind = { Invoke: 0, Automatic: 1 } satisfies Values<'InlineCompletionTriggerKind'>
export const NotebookCellKind = { Markup: 1, Code: 2 } satisfies Values<'NotebookCellKind'>
export const FilePermission = { Readonly: 1 } satisfies Values<'FilePermission'>
export const EndOfLine = { LF: 1, CRLF: 2 } satisfies Values<'EndOfLine'>
export const TextDocumentChangeReason = { Undo: 1, Redo: 2 } satisfies Values<'TextDocumentChangeReason'>
export const UIKind = { Desktop: 1, Web: 2 } satisfies Values<'UIKind'>

type Values<Name extends keyof typeof vscode> = { readonly [Member in keyof (typeof vscode)[Name]]: number }
