// `HistoryScreen`: searches and lists all chats, above the conversation, which stays as it is.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { sanitizeLine } from '../../base/text.ts'
import { type HistoryScope, isHistoryScope } from '../../protocol/historyPanel.ts'
import type { HistoryList } from '../state/historyList.ts'
import type { HistoryStore } from '../state/historyStore.ts'
import type { Store } from '../state/store.ts'
import { DeletedChat } from './deletedChat.tsx'
import { HistoryRows } from './historyRows.tsx'
import { Icon } from './icon.tsx'
import { useWords } from './wordsContext.ts'

interface Props {
  readonly history: HistoryStore
  readonly store: Store
}

export function HistoryScreen({ history, store }: Props) {
  const words = useWords()
  const box = useRef<HTMLInputElement>(null)
  useReturn(history)
  useLayoutEffect(() => box.current?.focus(), [])
  useAnnouncedCount(history.list.value, store)
  const toRows = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const first = document.querySelector<HTMLElement>('.history-row[tabindex="0"]')
    if (event.key === 'ArrowDown' && first) {
      event.preventDefault()
      first.focus()
    } else if (event.key === 'Enter') first?.click()
  }
  return (
    <section class="history" aria-label={words.of('history')}>
      <h1 class="unseen">{words.of('history')}</h1>
      <div class="history-bar">
        <button
          type="button"
          class="icon-button"
          aria-label={words.of('back')}
          title={words.of('backByEscape')}
          onClick={() => history.hide()}
        >
          <Icon name="previous" />
        </button>
        <input
          ref={box}
          type="search"
          class="history-search"
          aria-label={words.of('searchChats')}
          placeholder={words.of('searchChats')}
          maxLength={1_000}
          value={history.text.value}
          onInput={event => history.search(event.currentTarget.value)}
          onKeyDown={toRows}
        />
        <ScopeBox history={history} />
      </div>
      <Body history={history} />
      <div class="history-foot">
        <Later list={history.list.value} />
        <DeletedChat history={history} />
      </div>
    </section>
  )
}

function ScopeBox({ history }: { readonly history: HistoryStore }) {
  const words = useWords()
  const names: readonly (readonly [HistoryScope, string])[] = [
    ...(history.head.value.hasWorkspace ? ([['workspace', words.of('scopeWorkspace')]] as const) : []),
    ['all', words.of('scopeAll')],
    ['archived', words.of('scopeArchived')],
    ['deleted', words.of('scopeDeleted')],
  ]
  return (
    <select
      class="history-scope"
      aria-label={words.of('scope')}
      value={history.scope.value}
      onChange={event => isHistoryScope(event.currentTarget.value) && history.setScope(event.currentTarget.value)}
    >
      {names.map(([scope, name]) => (
        <option key={scope} value={scope}>
          {name}
        </option>
      ))}
    </select>
  )
}

function Body({ history }: { readonly history: HistoryStore }) {
  const list = history.list.value
  if (!list) return <div class="history-rows" aria-busy="true" />
  if (list.times.length > 0) return <HistoryRows list={list} history={history} />
  return list.text === '' ? (
    <Empty scope={list.scope} history={history} />
  ) : (
    <NothingFound list={list} history={history} />
  )
}

function Empty({ scope, history }: { readonly scope: HistoryScope; readonly history: HistoryStore }) {
  const words = useWords()
  return (
    <div class="history-empty">
      <p>{words.of(emptyText(scope))}</p>
      {(scope === 'workspace' || scope === 'all') && (
        <button type="button" class="secondary" onClick={() => history.importChat()}>
          {words.of('importChat')}
        </button>
      )}
      {scope === 'workspace' && (
        <button type="button" class="quiet" onClick={() => history.setScope('all')}>
          {words.of('showAllWorkspaces')}
        </button>
      )}
    </div>
  )
}

function emptyText(scope: HistoryScope) {
  if (scope === 'archived') return 'noneArchived'
  return scope === 'deleted' ? 'noneDeleted' : 'noChats'
}

function NothingFound({ list, history }: { readonly list: HistoryList; readonly history: HistoryStore }) {
  const words = useWords()
  return (
    <div class="history-empty">
      <p>{words.of('nothingFound', { text: sanitizeLine(list.text, 100) })}</p>
      <p class="muted">{words.of('nothingFoundHint')}</p>
      {list.scope === 'workspace' && (
        <button type="button" class="secondary" onClick={() => history.setScope('all')}>
          {words.of('searchAllWorkspaces')}
        </button>
      )}
    </div>
  )
}

function Later({ list }: { readonly list: HistoryList | undefined }) {
  const words = useWords()
  const count = list?.laterCount ?? 0
  if (count === 0) return null
  return <p class="note">{count === 1 ? words.of('laterChatsOne') : words.of('laterChats', { count })}</p>
}

/** Escape returns to the conversation, whatever has the focus, and stops no answer. The focus returns to where it was. */
function useReturn(history: HistoryStore): void {
  const [before] = useState(document.activeElement)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing) return
      event.stopPropagation()
      event.preventDefault()
      history.hide()
    }
    document.body.addEventListener('keydown', onKeyDown)
    return () => document.body.removeEventListener('keydown', onKeyDown)
  }, [])
  useEffect(
    () => () => {
      // The conversation can have the focus when it is drawn again.
      requestAnimationFrame(() => before instanceof HTMLElement && before.isConnected && before.focus())
    },
    [],
  )
}

/** A screen reader announces how many chats a search has found. */
function useAnnouncedCount(list: HistoryList | undefined, store: Store): void {
  const words = useWords()
  useEffect(() => {
    if (!list || list.text === '') return
    const count = list.times.length
    store.announce(count === 1 ? words.of('foundCountOne') : words.of('foundCount', { count }))
  }, [list?.query])
}
