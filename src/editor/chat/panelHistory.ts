// `PanelHistory`: answers the history screen and the head of one page.
import { l10n, window } from 'vscode'
import { isAbort, type LinkedAbort, linkedAbort } from '../../base/abort.ts'
import { coalesced } from '../../base/coalesced.ts'
import { type Disposable, DisposableStore, onEnd } from '../../base/disposable.ts'
import { percentDecoded } from '../../base/text.ts'
import type { Session } from '../../core/agent/session.ts'
import type { Sessions } from '../../core/agent/sessions.ts'
import type { ShownSession } from '../../core/agent/shownSession.ts'
import {
  type ConversationFilter,
  type ConversationList,
  type ConversationSummary,
  inListOrder,
} from '../../core/conversation/conversationList.ts'
import type { JournalTrouble } from '../../core/conversation/journal.ts'
import type { KeyText } from '../../core/log/keyText.ts'
import type {
  ChatHead,
  HistoryFlag,
  HistoryFromPage,
  HistoryRow,
  HistoryScope,
  HistoryToPage,
} from '../../protocol/historyPanel.ts'
import { titleOf } from './conversationTitle.ts'
import { showAnsweredElsewhere } from './showAnsweredElsewhere.ts'
import type { UnsentMessages } from './unsentMessages.ts'

/** The panel whose page it is. */
export interface HistoryPanel {
  readonly shown: ShownSession
  sendHistory(message: HistoryToPage): void
}

export type OpenRequest = Extract<HistoryFromPage, { is: 'open' }>

/** What all pages share. */
export interface HistoryServices {
  readonly sessions: Sessions
  readonly list: () => Promise<ConversationList>
  readonly unsent: Pick<UnsentMessages, 'find' | 'take' | 'setDeleted'>
  /** That of this window, as a URI. */
  readonly workspace: string | undefined
  readonly keys: KeyText
  readonly report: (fault: unknown) => void
}

export interface PanelHistoryOptions extends HistoryServices {
  readonly open: (request: OpenRequest, from: HistoryPanel) => Promise<void>
  /** No panel shows the conversation any more, and its turn is stopped. */
  readonly leave: (conversation: string) => void
  readonly move: (from: HistoryPanel) => Promise<void>
  readonly placeOf: (panel: HistoryPanel) => ChatHead['place']
  readonly exportChat: (conversation: string) => Promise<void>
  readonly importChat: (from: HistoryPanel) => Promise<void>
}

/** So many rows fill the tallest page; the page requests the others when they come into view. */
const FIRST_ROWS = 100
const TITLE_CHARS = 200

interface Listed {
  readonly query: number
  readonly scope: HistoryScope
  readonly found: readonly Found[]
}

type Found = { readonly summary: ConversationSummary; readonly excerpt?: string; readonly turn?: string }

export class PanelHistory implements Disposable {
  readonly #panel: HistoryPanel
  readonly #options: PanelHistoryOptions
  readonly #disposables = new DisposableStore()
  readonly #sendHeadSoon = coalesced(() => this.sendHead())
  #listed: Listed = { query: 0, scope: 'workspace', found: [] }
  #querying: LinkedAbort | undefined
  #followed: ConversationList | undefined
  #session: Disposable | undefined
  #isDisposed = false
  /** Until the page requests the list. */
  #wantsScreen = false

  constructor(panel: HistoryPanel, options: PanelHistoryOptions) {
    this.#panel = panel
    this.#options = options
    this.#disposables.add(options.sessions.onDidChangeState(this.#sendHeadSoon))
    this.#disposables.add(options.sessions.onDidChangeFacts(this.#sendHeadSoon))
    this.#disposables.add(panel.shown.onDidOpen(() => this.#follow()))
    this.#disposables.add(onEnd(() => this.#session?.dispose()))
    this.#follow()
  }

  /** Shows the screen, as soon as the page is ready. */
  show(): void {
    this.#wantsScreen = true
    this.#panel.sendHistory({ is: 'show' })
  }

  /** The page can receive messages. */
  onReady(): void {
    if (this.#wantsScreen) this.#panel.sendHistory({ is: 'show' })
  }

  sendHead(): void {
    if (this.#isDisposed) return
    const { sessions, workspace, placeOf } = this.#options
    const { current } = this.#panel.shown
    const used = sessions.all.filter(session => session.length > 0 && !session.conversation.isDeleted)
    this.#panel.sendHistory({
      is: 'head',
      conversation: current.id,
      title: titleOf(current.conversation, TITLE_CHARS),
      place: placeOf(this.#panel),
      hasWorkspace: workspace !== undefined,
      sessions: used.map(session => ({
        conversation: session.id,
        title: titleOf(session.conversation, TITLE_CHARS),
        state: stateOf(session),
      })),
      notices: noticesOf(current),
    })
  }

  onMessage(message: HistoryFromPage): void {
    this.#answer(message).catch(fault => {
      if (!isAbort(fault)) this.#options.report(fault)
    })
  }

  #answer(message: HistoryFromPage): Promise<void> {
    const { open, exportChat, importChat, move } = this.#options
    switch (message.is) {
      case 'list':
        return this.#list(message)
      case 'rows':
        return this.#sendRows(message)
      case 'open':
        return this.#open(message, open)
      case 'rename':
        return this.#rename(message)
      case 'flag':
        return this.#setFlag(message)
      case 'export':
        return exportChat(message.conversation)
      case 'import':
        return importChat(this.#panel)
      case 'move':
        return move(this.#panel)
    }
  }

  async #list({ query, text, scope }: Extract<HistoryFromPage, { is: 'list' }>): Promise<void> {
    this.#wantsScreen = false
    this.#querying?.stop()
    const querying = linkedAbort()
    this.#querying = querying
    const list = await this.#options.list()
    this.#followList(list)
    const found = await this.#find(list, text, scope, querying.signal)
    if (this.#isDisposed || querying.signal.aborted) return
    this.#listed = { query, scope, found }
    this.#panel.sendHistory({
      is: 'list',
      query,
      pinnedCount: found.findLastIndex(({ summary }) => summary.isPinned) + 1,
      times: found.map(({ summary }) => summary.updatedAt),
      rows: this.#rows(0, FIRST_ROWS),
      laterCount: list.laterCount,
    })
  }

  /** What was never sent is listed by its time, and found before everything else. */
  async #find(list: ConversationList, text: string, scope: HistoryScope, signal: AbortSignal): Promise<Found[]> {
    const isSearch = text.trim() !== ''
    const filter = this.#filterOf(scope, isSearch)
    const isHere = scope === 'workspace' || scope === 'all'
    const unsent = isHere ? await this.#options.unsent.find(text) : []
    if (isSearch) return [...unsent.map(summary => ({ summary })), ...(await list.search(text, filter, signal))]
    const listed = await list.list(filter, signal)
    const all = unsent.length === 0 ? listed : [...listed, ...unsent].sort(inListOrder)
    return all.map(summary => ({ summary }))
  }

  async #sendRows({ query, from, count }: Extract<HistoryFromPage, { is: 'rows' }>): Promise<void> {
    if (query === this.#listed.query)
      this.#panel.sendHistory({ is: 'rows', query, from, rows: this.#rows(from, count) })
  }

  #rows(from: number, count: number): HistoryRow[] {
    return this.#listed.found.slice(from, from + count).map(({ summary, excerpt, turn }) => {
      const { conversation, title, updatedAt, isPinned, isArchived, turnCount } = summary
      const workspace = this.#listed.scope === 'workspace' ? undefined : nameOf(summary.workspace)
      return {
        ...{ conversation, title, updatedAt, isPinned, isArchived },
        ...(turnCount === 0 && { isUnsent: true }),
        ...(workspace !== undefined && { workspace }),
        ...(excerpt !== undefined && { excerpt }),
        ...(turn && { turn }),
      }
    })
  }

  #filterOf(scope: HistoryScope, isSearch: boolean): ConversationFilter {
    const { workspace } = this.#options
    if (scope === 'deleted') return { isDeleted: true }
    if (scope === 'all' && isSearch) return {}
    const isHere = scope === 'workspace' && workspace !== undefined
    return { ...(isHere && { workspace }), isArchived: scope === 'archived' }
  }

  async #open(request: OpenRequest, open: PanelHistoryOptions['open']): Promise<void> {
    const row = this.#listed.found.find(({ summary }) => summary.conversation === request.conversation)
    if (row?.summary.turnCount === 0 && !(await this.#options.unsent.take(request.conversation)))
      return this.#showTaken()
    await open(request, this.#panel)
    this.#panel.sendHistory({ is: 'hide' })
  }

  #showTaken(): void {
    void window.showInformationMessage(l10n.t('Another window has this message already.'))
    this.#panel.sendHistory({ is: 'changed' })
  }

  #rename({ conversation, title }: Extract<HistoryFromPage, { is: 'rename' }>): Promise<void> {
    const text = this.#options.keys.without(title.trim())
    return this.#change(conversation, session => session.rename(text))
  }

  async #setFlag({ conversation, flag, value }: { conversation: string; flag: HistoryFlag; value: boolean }) {
    if (flag === 'deleted') await this.#options.unsent.setDeleted(conversation, value)
    await this.#change(conversation, session => session.setFlag(flag, value))
    const isGone = this.#options.sessions.all.find(({ id }) => id === conversation)?.conversation.isDeleted
    if (isGone) this.#options.leave(conversation)
  }

  /** Another window that runs a turn writes the conversation, until that has ended. */
  async #change(conversation: string, change: (session: Session) => Promise<boolean>): Promise<void> {
    const { sessions, list } = this.#options
    const signal = new AbortController().signal
    const isChanged = await sessions.use(
      conversation,
      async session => session.length === 0 || (await change(session)),
      signal,
    )
    if (!isChanged) showAnsweredElsewhere()
    const shared = await list()
    await shared.refreshOne(conversation, signal)
  }

  #followList(list: ConversationList): void {
    if (this.#followed) return
    this.#followed = list
    this.#disposables.add(list.onDidChange(() => this.#panel.sendHistory({ is: 'changed' })))
  }

  /** What may change about the shown conversation beside its state. */
  #follow(): void {
    this.#session?.dispose()
    this.#session = this.#panel.shown.current.onDidChangeTrouble(this.#sendHeadSoon)
    this.#sendHeadSoon()
  }

  dispose(): void {
    this.#isDisposed = true
    this.#querying?.stop()
    this.#disposables.dispose()
  }
}

/** The last part of its path; undefined for a window without a folder. */
const nameOf = (workspace: string | undefined) =>
  workspace === undefined ? undefined : percentDecoded(workspace.replace(/\/+$/, '').split('/').at(-1) ?? '')

function stateOf({ state }: Session): ChatHead['sessions'][number]['state'] {
  return state.is === 'held' ? 'waiting' : state.is
}

function noticesOf({ trouble, damagedLines }: Session): string[] {
  const damaged =
    damagedLines === 1
      ? l10n.t("One line of this chat's file could not be read and is left out; the log names the file.")
      : l10n.t("{count} lines of this chat's file could not be read and are left out; the log names the file.", {
          count: damagedLines,
        })
  return [...(trouble ? [unkeptText(trouble)] : []), ...(damagedLines > 0 ? [damaged] : [])]
}

function unkeptText(trouble: JournalTrouble): string {
  switch (trouble) {
    case 'no space':
      return l10n.t(
        'This chat cannot be saved, because the disk is full. It goes on in memory, and is saved as soon as there is room again.',
      )
    case 'no access':
      return l10n.t(
        'This chat cannot be saved, because Kourier may not write its file, which the log names. It goes on in memory, and is saved as soon as your account on this machine has write access there.',
      )
    case 'unknown':
      return l10n.t(
        'This chat cannot be saved at the moment; it goes on in memory and is saved when that works again. The log says why.',
      )
  }
}
