// The editor's API for unit tests in plain Node: what is asked and shown is recorded, and answered as a test has set.
import { registerHooks } from 'node:module'
import type * as vscode from 'vscode'

/** A question to the user, a message, or a command that was run. */
export type Interaction =
  | { readonly kind: 'message'; readonly text: string; readonly buttons: readonly string[] }
  | { readonly kind: 'input'; readonly options: vscode.InputBoxOptions }
  | { readonly kind: 'pick'; readonly items: readonly vscode.QuickPickItem[] }
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
  readonly documentClosed = new EventEmitter<vscode.TextDocument>()
  /** The path of the one folder that is open. */
  folder = '/work'
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
    this.settings.clear()
    this.workspaceSettings.clear()
    this.commands.clear()
    this.onWrite = () => {}
    this.accounts = {}
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

async function showQuickPick(given: unknown): Promise<never> {
  const items = (await given) as readonly vscode.QuickPickItem[]
  fakeEditor.interactions.push({ kind: 'pick', items })
  const { picked } = fakeEditor
  return items.find(({ label }) => picked !== undefined && label.includes(picked)) as never
}

export const window = {
  visibleTextEditors: [],
  showInformationMessage: show,
  showWarningMessage: show,
  showErrorMessage: show,
  showInputBox: async (options: vscode.InputBoxOptions = {}) => {
    fakeEditor.interactions.push({ kind: 'input', options })
    return Object.entries(fakeEditor.typed).find(([start]) => options.title?.startsWith(start))?.[1]
  },
  showQuickPick,
  withProgress: (_, work) =>
    work(
      { report: ({ message = '' }) => fakeEditor.progressTexts.push(message) },
      { isCancellationRequested: false, onCancellationRequested: () => nothing },
    ),
} satisfies Pick<
  typeof vscode.window,
  | 'visibleTextEditors'
  | 'showInformationMessage'
  | 'showWarningMessage'
  | 'showErrorMessage'
  | 'showInputBox'
  | 'showQuickPick'
  | 'withProgress'
>

export const workspace = {
  isTrusted: false,
  onDidChangeConfiguration: fakeEditor.settings.changed.event,
  onDidChangeTextDocument: fakeEditor.documentChanged.event,
  onDidCloseTextDocument: fakeEditor.documentClosed.event,
  getWorkspaceFolder: uri => (isInFolder(uri.path) ? { uri, name: 'work', index: 0 } : undefined),
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
  | 'getWorkspaceFolder'
  | 'asRelativePath'
  | 'getConfiguration'
>

function effective(name: string): unknown {
  return fakeEditor.workspaceSettings.get(name) ?? fakeEditor.settings.get(name)
}

function isInFolder(path: string): boolean {
  return path.startsWith(`${fakeEditor.folder}/`)
}

export const commands = {
  executeCommand: async <T>(id: string) => {
    fakeEditor.interactions.push({ kind: 'command', id })
    return undefined as T
  },
  registerCommand: (id, run) => {
    fakeEditor.commands.set(id, run)
    return { dispose: () => void fakeEditor.commands.delete(id) }
  },
} satisfies Pick<typeof vscode.commands, 'executeCommand' | 'registerCommand'>

export const env = {
  /** What is shown is English all the same while there is no `l10n.bundle`. */
  language: 'de',
  clipboard: { readText: async () => '', writeText: async () => {} },
  openExternal: async url => {
    fakeEditor.onOpenExternal(url.toString())
    return true
  },
} satisfies Pick<typeof vscode.env, 'language' | 'clipboard' | 'openExternal'>

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
} satisfies Pick<typeof vscode.extensions, 'getExtension'>

export const lm = {
  registerLanguageModelChatProvider: () => nothing,
} satisfies Pick<typeof vscode.lm, 'registerLanguageModelChatProvider'>

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

const uriOf = (text: string) => ({ path: text, toString: () => text })
export const Uri = {
  parse: uriOf,
  joinPath: (uri: { readonly path: string }, ...parts: readonly string[]) => uriOf([uri.path, ...parts].join('/')),
}

// The values of the editor's enumerations (https://code.visualstudio.com/api/references/vscode-api).

export const LanguageModelChatMessageRole = { User: 1, Assistant: 2 } satisfies Values<'LanguageModelChatMessageRole'>
export const LanguageModelChatToolMode = { Auto: 1, Required: 2 } satisfies Values<'LanguageModelChatToolMode'>
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 } satisfies Values<'ProgressLocation'>
export const ConfigurationTarget = {
  Global: 1,
  Workspace: 2,
  WorkspaceFolder: 3,
} satisfies Values<'ConfigurationTarget'>
export const QuickPickItemKind = { Separator: -1, Default: 0 } satisfies Values<'QuickPickItemKind'>
export const EndOfLine = { LF: 1, CRLF: 2 } satisfies Values<'EndOfLine'>
export const TextDocumentChangeReason = { Undo: 1, Redo: 2 } satisfies Values<'TextDocumentChangeReason'>
export const UIKind = { Desktop: 1, Web: 2 } satisfies Values<'UIKind'>

type Values<Name extends keyof typeof vscode> = { readonly [Member in keyof (typeof vscode)[Name]]: number }
