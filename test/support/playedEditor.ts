// The parts of the editor's API that a sign-in needs, for tests in plain Node: what is said is noted, what is asked is answered.
import { registerHooks } from 'node:module'

export interface Said {
  readonly text: string
  readonly buttons: readonly string[]
}

/** What a test sets and reads. */
export const played = {
  said: [] as Said[],
  settings: new Map<string, unknown>(),
  /** Throws where the editor does not write into its settings. */
  write: (_key: string, _value: unknown): void => {},
  /** By the beginning of a box's title. */
  typed: {} as Record<string, string>,
  /** The editor's own accounts by provider: who has logged in there already. A session's token is the name behind `gho_`. */
  accounts: {} as Record<string, readonly string[]>,
  /** Does in the browser what the user would; what is opened is thrown away, unless a test sets this. */
  browse: (_url: string): void => {},
}

const nothing = { dispose() {} }
const say = async (
  text: string,
  ...rest: readonly (string | { readonly title?: string; readonly modal?: boolean })[]
) => {
  const buttons = rest.flatMap(one => (typeof one === 'string' ? one : (one.title ?? [])))
  played.said.push({ text, buttons })
  return rest.some(one => typeof one === 'object' && one.modal) ? rest[1] : undefined
}

export const window = {
  showInformationMessage: say,
  showWarningMessage: say,
  showErrorMessage: say,
  showInputBox: async ({ title = '' }: { title?: string }) =>
    Object.entries(played.typed).find(([start]) => title.startsWith(start))?.[1],
  showQuickPick: async (items: readonly { readonly label: string }[]) =>
    items.find(({ label }) => label.includes('Type another')),
  withProgress: (_: object, work: (progress: object, token: object) => unknown) =>
    work({ report() {} }, { onCancellationRequested: () => nothing }),
}

export const workspace = {
  isTrusted: false,
  onDidChangeConfiguration: () => nothing,
  getConfiguration: (section: string) => ({
    get: (key: string) => played.settings.get(`${section}.${key}`),
    inspect: (key: string) => ({ globalValue: played.settings.get(`${section}.${key}`) }),
    update: async (key: string, value: unknown) => {
      played.write(`${section}.${key}`, value)
      played.settings.set(`${section}.${key}`, value)
    },
  }),
}

export class EventEmitter {
  event() {}
  fire() {}
  dispose() {}
}

export class CancellationTokenSource {
  readonly token = { isCancellationRequested: false, onCancellationRequested: () => nothing }
  cancel(): void {}
  dispose(): void {}
}

/** As the editor puts values into a sentence that nobody has translated. */
export const l10n = {
  t: (text: string, values: Readonly<Record<string, unknown>> = {}) =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole)),
}

export const env = {
  clipboard: { writeText: async () => {} },
  openExternal: async (url: string) => {
    played.browse(url)
    return true
  },
}
export const commands = { executeCommand: async () => {} }
export const authentication = {
  getAccounts: async (provider: string) => (played.accounts[provider] ?? []).map(label => ({ id: label, label })),
  /** Logs in where it is asked for more than what exists. */
  getSession: async (provider: string, _scopes: readonly string[], { silent = false }: { silent?: boolean }) => {
    const [name] = played.accounts[provider] ?? []
    if (name === undefined && !silent) played.said.push({ text: `Log in to ${provider}?`, buttons: ['Allow'] })
    return name === undefined ? undefined : { accessToken: `gho_${name}` }
  },
  registerAuthenticationProvider: () => nothing,
}
export const extensions = { getExtension: () => undefined }
export const ProgressLocation = { Notification: 15 }
export const ConfigurationTarget = { Global: 1, Workspace: 2 }
export const QuickPickItemKind = { Separator: -1 }
export const UIKind = { Desktop: 1, Web: 2 }
export const Uri = { parse: (text: string) => ({ toString: () => text }) }

/** Imports with this editor. Other tests of the same process have the same modules with an editor of their own. */
export async function withPlayedEditor<T>(load: () => Promise<T>): Promise<T> {
  const hooks = registerHooks({
    resolve: (name, context, next) => {
      if (name === 'vscode') return { url: import.meta.url, shortCircuit: true }
      const found = next(name, context)
      return found.url.includes('/src/editor/') ? { ...found, url: `${found.url}?played` } : found
    },
  })
  try {
    return await load()
  } finally {
    hooks.deregister()
  }
}
