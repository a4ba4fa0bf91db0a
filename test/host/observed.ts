// What the wrapper around the packaged extension lets a test see, and the parts of a page that a test plays.
import type * as vscode from 'vscode'
import type { FromPage, ToPage } from '../../src/protocol/panel.ts'

interface Observed {
  /** The editor's API as the extension has it; a test may answer its questions there. */
  readonly vscode: typeof vscode
  readonly context: vscode.ExtensionContext
  /** What `activate` gave to whoever asks for the extension's exports. */
  readonly exports: unknown
  readonly registered: {
    readonly registerWebviewViewProvider: [string, vscode.WebviewViewProvider]
    readonly registerInlineCompletionItemProvider: [vscode.DocumentSelector, vscode.InlineCompletionItemProvider]
  }
  dispatchers(): unknown[]
  readonly dispatchersBefore: unknown[]
  readonly fetchBefore: unknown
}

export function observed(): Observed {
  return Reflect.get(globalThis, Symbol.for('kourier.test')) as Observed
}

/** A page in the chat view, as the editor opens one; it has not said yet that it is ready. */
export function openPage(): PlayedPage {
  const page = new PlayedPage()
  const { registered, vscode } = observed()
  const [, provider] = registered.registerWebviewViewProvider
  provider.resolveWebviewView(page.view, { state: undefined }, new vscode.CancellationTokenSource().token)
  return page
}

/** Plays the chat page: says what a page says, hears what it hears. */
export class PlayedPage {
  readonly heard: ToPage[] = []
  html = ''
  #waiting: { isMet: (message: ToPage) => boolean; resolve: (message: ToPage) => void }[] = []
  #say: (message: FromPage) => unknown = () => {}

  /** The view as the extension's provider is given it. */
  readonly view = {
    // A hidden page hears everything as well, and lets notifications say what it would show.
    visible: false,
    onDidDispose: () => ({ dispose() {} }),
    onDidChangeVisibility: () => ({ dispose() {} }),
    webview: {
      options: {},
      cspSource: 'https://page.example',
      asWebviewUri: (uri: vscode.Uri) => uri,
      onDidReceiveMessage: (hear: (message: FromPage) => unknown) => {
        this.#say = hear
        return { dispose() {} }
      },
      postMessage: async (message: ToPage) => {
        this.heard.push(message)
        for (const waiter of this.#waiting.splice(0)) {
          if (waiter.isMet(message)) waiter.resolve(message)
          else this.#waiting.push(waiter)
        }
        return true
      },
    },
  } as unknown as vscode.WebviewView

  say(message: FromPage): void {
    this.#say(message)
  }

  /** The first message from now on that meets the condition. */
  next(isMet: (message: ToPage) => boolean): Promise<ToPage> {
    return new Promise(resolve => this.#waiting.push({ isMet, resolve }))
  }
}
