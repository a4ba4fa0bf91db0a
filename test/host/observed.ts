// What the wrapper around the packaged extension lets a test see, and the parts of a page that a test plays.
import type * as vscode from 'vscode'
import type { FromPage, ToPage } from '../../src/protocol/panel.ts'
import { type Message, messagesOf } from '../../src/webview/state/messages.ts'
import { firstState, type PageState, reduce } from '../../src/webview/state/store.ts'

interface Observed {
  /** The editor's API as the extension has it; a test may answer its questions there. */
  readonly vscode: typeof vscode
  readonly context: vscode.ExtensionContext
  /** What `activate` returned as the extension's exports. */
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

/** A page in the chat view, as the editor opens one; it has not reported yet that it is ready. */
export async function openPage(): Promise<PlayedPage> {
  const page = new PlayedPage()
  const { registered, vscode } = observed()
  const [, provider] = registered.registerWebviewViewProvider
  await provider.resolveWebviewView(page.view, { state: undefined }, new vscode.CancellationTokenSource().token)
  return page
}

/** A message of a page, without the conversation that it is about. */
export type PageMessage = FromPage extends infer M ? (M extends unknown ? Omit<M, 'conversation'> : never) : never

/** Plays the chat page: sends what a page sends, receives what it receives. */
export class PlayedPage {
  readonly received: ToPage[] = []
  #state: PageState = firstState
  html = ''
  #waiting: { isMet: (message: ToPage) => boolean; resolve: (message: ToPage) => void }[] = []
  #listener: (message: FromPage) => unknown = () => {}

  /** The view as the extension's provider is given it. */
  readonly view = {
    // A hidden page receives everything as well, and lets notifications report what it would show.
    visible: false,
    onDidDispose: () => ({ dispose() {} }),
    onDidChangeVisibility: () => ({ dispose() {} }),
    webview: {
      options: {},
      cspSource: 'https://page.example',
      asWebviewUri: (uri: vscode.Uri) => uri,
      onDidReceiveMessage: (listener: (message: FromPage) => unknown) => {
        this.#listener = listener
        return { dispose() {} }
      },
      postMessage: async (message: ToPage) => {
        this.received.push(message)
        this.#state = reduce(this.#state, message)
        for (const waiter of this.#waiting.splice(0)) {
          if (waiter.isMet(message)) waiter.resolve(message)
          else this.#waiting.push(waiter)
        }
        return true
      },
    },
  } as unknown as vscode.WebviewView

  /** Sends it for the conversation in front. */
  send(message: PageMessage): void {
    // A kind that is about no conversation takes none: the extension's schema drops it.
    this.#listener({ ...message, conversation: this.#state.conversation.conversation } as FromPage)
  }

  /** The conversation in front, as it would be drawn now. */
  get messages(): readonly Message[] {
    return messagesOf(this.#state.conversation)
  }

  /** Resolves as soon as the last message is the model's, with this text, in this state. */
  answered(text: string, state: AnswerState = 'whole'): Promise<ToPage> {
    return this.next(() => {
      const last = this.messages.at(-1)
      return last?.role === 'assistant' && last.text === text && last.state === state
    })
  }

  /** The first message from now on that meets the condition. */
  next(isMet: (message: ToPage) => boolean): Promise<ToPage> {
    return new Promise(resolve => this.#waiting.push({ isMet, resolve }))
  }
}

type AnswerState = Extract<Message, { role: 'assistant' }>['state']
