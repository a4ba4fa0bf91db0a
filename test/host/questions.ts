// Answers the editor's questions in a test, where nothing is drawn, and remembers what was asked and shown.
import type { Uri } from 'vscode'
import { Emitter } from '../../src/base/event.ts'
import { observed } from './observed.ts'

export interface Asked {
  readonly text: string
  readonly detail: string
  readonly buttons: readonly string[]
}

export interface Answers {
  /** By the beginning of a question: the button that is pressed. */
  readonly buttons?: Readonly<Record<string, string>>
  /** By the beginning of a box's title: what is typed. */
  readonly typed?: Readonly<Record<string, string>>
  /** A part of the label that is picked from any list. */
  readonly picked?: string
}

/** In the list of known emails. */
const other = 'Type another'

/** The button of each question that begins so is pressed, and the email is given when it is asked for. */
export function answersOf(email: string, { menu, ...buttons }: Readonly<Record<string, string>> = {}): Answers {
  return { buttons, typed: { 'Sign in to': email }, ...(menu && { picked: menu }) }
}

/** From the constructor to the disposal everything that the extension asks, shows or opens comes here. */
export class Questions implements Disposable {
  readonly asked: Asked[] = []
  /** Titles of the boxes that were shown. */
  readonly boxes: string[] = []
  /** The texts of the notifications of something under way: the title, and then each text behind it. */
  readonly #progressTexts: string[] = []
  readonly #progress = new Emitter<string>()
  /** What was opened in a browser. */
  readonly opened: string[] = []
  readonly #window = observed().vscode.window
  readonly #env = observed().vscode.env
  readonly #before: object
  readonly #opener = Object.getOwnPropertyDescriptor(this.#env, 'openExternal')
  readonly #openings = new Emitter<string>()
  #waiting: { start: string; resolve: (one: Asked) => void }[] = []
  #answers: Answers

  /** The next question that begins so. */
  readonly next = (start: string): Promise<Asked> => new Promise(resolve => this.#waiting.push({ start, resolve }))

  constructor(answers: Answers) {
    this.#answers = answers
    const { showInputBox, showQuickPick, showInformationMessage, showWarningMessage, showErrorMessage, withProgress } =
      this.#window
    const { showOpenDialog, showSaveDialog } = this.#window
    this.#before = {
      ...{ showInputBox, showQuickPick, showInformationMessage, showWarningMessage, showErrorMessage, withProgress },
      ...{ showOpenDialog, showSaveDialog },
    }
    const ask = async (text: string, ...rest: unknown[]) => this.#ask(text, rest)
    Object.assign(this.#window, {
      showInputBox: async ({ title = '' }: { title?: string }) => {
        this.boxes.push(title)
        return this.#of(this.#answers.typed, title)
      },
      showQuickPick: async (items: readonly { label: string }[]) =>
        [this.#answers.picked ?? other, other].flatMap(
          part => items.find(({ label }) => label.includes(part)) ?? [],
        )[0],
      // Nobody chooses a file.
      showOpenDialog: async () => undefined,
      showSaveDialog: async () => undefined,
      showInformationMessage: ask,
      showWarningMessage: ask,
      showErrorMessage: ask,
      withProgress: ((options, task) => {
        const show = (text: string) => {
          this.#progressTexts.push(text)
          this.#progress.fire(text)
        }
        const report = ({ message }: { message?: string }) =>
          show([options.title, message].filter(part => part).join(': '))
        show(options.title ?? '')
        return withProgress(options, (_, token) => task({ report }, token))
      }) satisfies typeof withProgress,
    })
    const open = async (target: Uri | string) => {
      this.opened.push(String(target))
      this.#openings.fire(String(target))
      return true
    }
    Object.defineProperty(this.#env, 'openExternal', { configurable: true, writable: true, value: open })
  }

  /** What is opened next in a browser. */
  nextOpened(): Promise<string> {
    return first(this.#openings, () => true)
  }

  /** The first text of a notification of something under way that has this in it, drawn already or later. */
  async progressText(part: string): Promise<string> {
    return this.#progressTexts.find(text => text.includes(part)) ?? first(this.#progress, text => text.includes(part))
  }

  set answers(answers: Answers) {
    this.#answers = answers
  }

  #ask(text: string, rest: readonly unknown[]): unknown {
    const [options] = rest
    const detail = typeof options === 'object' && options !== null ? String(Reflect.get(options, 'detail') ?? '') : ''
    const buttons = rest.flatMap(item => {
      const title = typeof item === 'object' && item !== null ? Reflect.get(item, 'title') : item
      return typeof title === 'string' ? [title] : []
    })
    const one = { text, detail, buttons }
    this.asked.push(one)
    this.#waiting = this.#waiting.filter(({ start, resolve }) => !text.startsWith(start) || resolve(one) !== undefined)
    const wanted = this.#of(this.#answers.buttons, text)
    if (wanted === undefined) return undefined
    return rest.find(item => item === wanted || (item as { title?: unknown } | undefined)?.title === wanted)
  }

  #of(answers: Readonly<Record<string, string>> | undefined, text: string): string | undefined {
    const start = Object.keys(answers ?? {}).find(one => text.startsWith(one))
    return start === undefined ? undefined : answers?.[start]
  }

  [Symbol.dispose](): void {
    Object.assign(this.#window, this.#before)
    if (this.#opener) Object.defineProperty(this.#env, 'openExternal', this.#opener)
  }
}

function first(emitter: Emitter<string>, isMet: (text: string) => boolean): Promise<string> {
  return new Promise(resolve => {
    const listening = emitter.event(text => {
      if (!isMet(text)) return
      listening.dispose()
      resolve(text)
    })
  })
}
