// `HistoryStore`: the state of the history screen and of the head, and what the user does there.
import { type ReadonlySignal, signal } from '@preact/signals'
import { never } from '../../base/fault.ts'
import type {
  ChatHead,
  HistoryFlag,
  HistoryFromPage,
  HistoryRow,
  HistoryScope,
  HistoryToPage,
} from '../../protocol/historyPanel.ts'
import { type HistoryList, listOf, numberOf, withChange, without, withRows } from './historyList.ts'

export interface HistoryHost {
  send(message: HistoryFromPage): void
  /** Scrolls the conversation to this turn, when it is shown. */
  showTurn(conversation: string, turn: string): void
}

/** `wasShown`: the page showed it when it was deleted, and shows it again if that is undone. */
export interface DeletedChat {
  readonly conversation: string
  readonly title: string
  readonly wasShown: boolean
}

const ROWS_PER_REQUEST = 100
const noHead: ChatHead = {
  ...{ is: 'head', conversation: '', title: '', place: 'side-bar' },
  ...{ hasWorkspace: false, sessions: [], notices: [] },
}

export class HistoryStore {
  readonly #host: HistoryHost
  readonly #isShown = signal(false)
  readonly #text = signal('')
  readonly #scope = signal<HistoryScope>('workspace')
  readonly #list = signal<HistoryList | undefined>(undefined)
  readonly #head = signal(noHead)
  readonly #deleted = signal<readonly DeletedChat[]>([])
  readonly #active = signal(0)
  #query = 0
  /** The first rows of the requests that are not answered. */
  #asked = new Set<number>()

  constructor(host: HistoryHost) {
    this.#host = host
  }

  get isShown(): ReadonlySignal<boolean> {
    return this.#isShown
  }

  get text(): ReadonlySignal<string> {
    return this.#text
  }

  get scope(): ReadonlySignal<HistoryScope> {
    return this.#scope
  }

  /** Undefined until the first list has arrived. */
  get list(): ReadonlySignal<HistoryList | undefined> {
    return this.#list
  }

  get head(): ReadonlySignal<ChatHead> {
    return this.#head
  }

  /** For as long as that can be undone here. */
  get deleted(): ReadonlySignal<readonly DeletedChat[]> {
    return this.#deleted
  }

  /** The number of the row that has the keyboard. */
  get active(): ReadonlySignal<number> {
    return this.#active
  }

  receive(message: HistoryToPage): void {
    switch (message.is) {
      case 'show':
        return this.show()
      case 'hide':
        return this.hide()
      case 'list':
        return this.#takeList(message)
      case 'rows':
        this.#asked.delete(message.from)
        if (this.#list.value) this.#list.value = withRows(this.#list.value, message)
        return
      case 'changed':
        return this.#isShown.value ? this.#request() : undefined
      case 'head':
        this.#head.value = message
        return
      case 'turn':
        return this.#host.showTurn(message.conversation, message.turn)
      default:
        return never(message)
    }
  }

  show(): void {
    if (this.#isShown.value) return
    this.#isShown.value = true
    this.#text.value = ''
    this.#scope.value = this.#head.value.hasWorkspace ? 'workspace' : 'all'
    this.#active.value = 0
    this.#list.value = undefined
    this.#request()
  }

  hide(): void {
    this.#isShown.value = false
    this.#list.value = undefined
  }

  search(text: string): void {
    this.#text.value = text
    this.#active.value = 0
    this.#request()
  }

  setScope(scope: HistoryScope): void {
    this.#scope.value = scope
    this.#active.value = 0
    this.#request()
  }

  setActive(at: number): void {
    const last = (this.#list.value?.times.length ?? 0) - 1
    this.#active.value = Math.max(0, Math.min(at, last))
  }

  /** Requests those of the rows that have not arrived. */
  want(from: number, end: number): void {
    const list = this.#list.value
    for (let at = from; list && at < Math.min(end, list.times.length); at++) {
      const first = at - (at % ROWS_PER_REQUEST)
      if (list.rows.has(at) || this.#asked.has(first)) continue
      this.#asked.add(first)
      this.#host.send({ is: 'rows', query: list.query, from: first, count: ROWS_PER_REQUEST })
    }
  }

  open({ conversation, turn }: Pick<HistoryRow, 'conversation' | 'turn'>, where: 'here' | 'editor' = 'here'): void {
    this.#host.send({ is: 'open', conversation, where, ...(turn && { turn }) })
  }

  rename(conversation: string, title: string): void {
    this.#host.send({ is: 'rename', conversation, title })
    if (title.trim()) this.#change(list => withChange(list, conversation, { title }))
  }

  setFlag(conversation: string, flag: Exclude<HistoryFlag, 'deleted'>, value: boolean): void {
    this.#host.send({ is: 'flag', conversation, flag, value })
    if (flag === 'archived') this.#change(list => without(list, conversation))
  }

  delete(deleted: DeletedChat): void {
    const { conversation } = deleted
    this.setDeleted(conversation, true)
    this.#change(list => without(list, conversation))
    this.#deleted.value = [...this.#deleted.value, deleted]
  }

  undoDelete(): void {
    const { value: deleted } = this.#deleted
    this.forgetDeleted()
    for (const { conversation } of deleted) this.setDeleted(conversation, false)
    const shown = deleted.findLast(({ wasShown }) => wasShown)
    if (shown) this.open(shown)
  }

  /** A chat that was deleted is there again, and shown. */
  restore(row: HistoryRow): void {
    this.setDeleted(row.conversation, false)
    this.open(row)
  }

  setDeleted(conversation: string, value: boolean): void {
    this.#host.send({ is: 'flag', conversation, flag: 'deleted', value })
  }

  forgetDeleted(): void {
    this.#deleted.value = []
  }

  exportChat(conversation: string): void {
    this.#host.send({ is: 'export', conversation })
  }

  importChat(): void {
    this.#host.send({ is: 'import' })
  }

  /** Between the side bar and an editor tab. */
  move(): void {
    this.#host.send({ is: 'move' })
  }

  #change(change: (list: HistoryList) => HistoryList): void {
    if (this.#list.value) this.#list.value = change(this.#list.value)
    this.setActive(this.#active.value)
  }

  #request(): void {
    this.#query++
    this.#asked = new Set()
    this.#host.send({ is: 'list', query: this.#query, text: this.#text.value, scope: this.#scope.value })
  }

  #takeList(message: Extract<HistoryToPage, { is: 'list' }>): void {
    if (message.query !== this.#query || !this.#isShown.value) return
    const before = this.#list.value?.rows.get(this.#active.value)?.conversation
    const list = listOf(message, this.#text.value, this.#scope.value)
    this.#list.value = list
    this.setActive(numberOf(list, before) ?? this.#active.value)
  }
}
