// `HistoryRows`: the list of chats, of which only those in view are in the document.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { sanitizeLine } from '../../base/text.ts'
import type { HistoryRow } from '../../protocol/historyPanel.ts'
import { type Group, type GroupName, groupsOf, type HistoryList } from '../state/historyList.ts'
import type { HistoryStore } from '../state/historyStore.ts'
import type { Words } from '../words.ts'
import { stateText } from './chatHead.tsx'
import { Icon } from './icon.tsx'
import { Marks } from './marks.tsx'
import { Menu, type MenuItem, type MenuPlace } from './menu.tsx'
import { relativeTime } from './relativeTime.ts'
import { RenameBox } from './renameBox.tsx'
import { useWords } from './wordsContext.ts'

/** In multiples of the font's size, as the style sheet has them. */
const ROW_EM = 2.6
const TALL_ROW_EM = 4.2
const HEADING_EM = 2.2
/** Rows beyond the edges, so that scrolling shows no gap. */
const MARGIN_ROWS = 4

interface Props {
  readonly list: HistoryList
  readonly history: HistoryStore
}

interface Sizes {
  readonly row: number
  readonly heading: number
}

export function HistoryRows({ list, history }: Props) {
  const words = useWords()
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 0, em: 13 })
  const [menu, setMenu] = useState<{ readonly at: number; readonly place: MenuPlace }>()
  const [renaming, setRenaming] = useState<string>()
  const now = useRef(Date.now()).current
  const active = history.active.value
  const groups = groupsOf(list, now)
  const hasTallRows = list.text !== '' || list.scope !== 'workspace'
  const sizes = { row: (hasTallRows ? TALL_ROW_EM : ROW_EM) * view.em, heading: HEADING_EM * view.em }
  const measure = () => {
    const element = box.current
    if (!element) return
    const em = Number.parseFloat(getComputedStyle(element).fontSize) || 13
    setView({ top: element.scrollTop, height: element.clientHeight, em })
  }
  useLayoutEffect(() => {
    measure()
    const resized = new ResizeObserver(measure)
    if (box.current) resized.observe(box.current)
    return () => resized.disconnect()
  }, [])
  const layout = placed(groups, sizes)
  const [from, end] = rowsInView(layout, sizes, view.top, view.height, list.times.length)
  useLayoutEffect(() => history.want(from, end), [from, end, list.query])
  const goTo = (at: number) => {
    history.setActive(at)
    scrollToRow(box.current, layout, sizes, history.active.value)
    // When the rows of the new place are drawn.
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('.history-row[tabindex="0"]')?.focus())
  }
  const row = list.rows.get(active)
  const openMenu = (at: number, element: Element) => {
    history.setActive(at)
    setMenu({ at, place: element.getBoundingClientRect() })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target instanceof Element) || !event.target.classList.contains('history-row')) return
    const page = Math.max(1, Math.floor(view.height / sizes.row) - 1)
    const goals: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: list.times.length - 1,
    }
    const goal = goals[event.key]
    if (goal !== undefined) goTo(goal)
    else if (!row || list.scope === 'deleted') return
    else if (event.key === 'F2' && !row.isUnsent) setRenaming(row.conversation)
    else if (event.key === 'Delete' || (event.key === 'Backspace' && event.metaKey)) remove(row)
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) history.open(row, 'editor')
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) openMenu(active, event.target)
    else return
    event.preventDefault()
  }
  const remove = (row: HistoryRow) => {
    const hasFocus = box.current?.contains(document.activeElement)
    history.delete({ conversation: row.conversation, title: row.title, wasShown: false })
    if (hasFocus) goTo(history.active.value)
  }
  const menuRow = menu && list.rows.get(menu.at)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the rows in it
    <div class="history-rows" ref={box} onScroll={measure} onKeyDown={onKeyDown}>
      <div class="history-all" style={{ height: `${heightOf(layout, sizes)}px` }}>
        {layout.map(group => (
          <GroupRows
            key={group.name}
            group={group}
            {...{ list, history, sizes, from, end, now, renaming }}
            onMenu={openMenu}
            onRenamed={isByKey => {
              setRenaming(undefined)
              if (isByKey) goTo(history.active.value)
            }}
          />
        ))}
      </div>
      {menu && menuRow && (
        <Menu
          label={words.of('actionsFor', { title: sanitizeLine(menuRow.title) || words.of('untitled') })}
          items={rowActions(
            menuRow,
            history,
            words,
            () => setRenaming(menuRow.conversation),
            () => remove(menuRow),
          )}
          place={menu.place}
          onClose={() => setMenu(undefined)}
        />
      )}
    </div>
  )
}

function rowActions(row: HistoryRow, history: HistoryStore, words: Words, rename: () => void, remove: () => void) {
  const { conversation, isPinned, isArchived } = row
  if (history.scope.value === 'deleted') return [{ label: words.of('restoreChat'), run: () => history.restore(row) }]
  const opening: readonly MenuItem[] = [
    { label: words.of('openChat'), run: () => history.open(row) },
    { label: words.of('openInEditor'), run: () => history.open(row, 'editor') },
  ]
  const deleting = { label: words.of('deleteChat'), run: remove }
  if (row.isUnsent) return [...opening, deleting]
  const items: readonly MenuItem[] = [
    ...opening,
    { label: words.of('rename'), run: rename },
    { label: words.of(isPinned ? 'unpin' : 'pin'), run: () => history.setFlag(conversation, 'pinned', !isPinned) },
    {
      label: words.of(isArchived ? 'unarchive' : 'archive'),
      run: () => history.setFlag(conversation, 'archived', !isArchived),
    },
    { label: words.of('exportChat'), run: () => history.exportChat(conversation) },
    deleting,
  ]
  return items
}

interface PlacedGroup extends Group {
  /** The place of its heading, or of its first row if it has none. */
  readonly top: number
  readonly headingHeight: number
}

function placed(groups: readonly Group[], { row, heading }: Sizes): readonly PlacedGroup[] {
  let top = 0
  return groups.map(group => {
    const headingHeight = group.name === 'found' ? 0 : heading
    const at = { ...group, top, headingHeight }
    top += headingHeight + group.count * row
    return at
  })
}

function heightOf(layout: readonly PlacedGroup[], { row }: Sizes): number {
  const last = layout.at(-1)
  return last ? last.top + last.headingHeight + last.count * row : 0
}

function topOf(layout: readonly PlacedGroup[], { row }: Sizes, at: number): number {
  const group = layout.findLast(({ from }) => from <= at)
  return group ? group.top + group.headingHeight + (at - group.from) * row : 0
}

/** The numbers of the first row in view and of the first one after it. */
function rowsInView(layout: readonly PlacedGroup[], sizes: Sizes, top: number, height: number, count: number) {
  const rowAt = (y: number) => {
    const group = layout.findLast(group => group.top <= y) ?? layout[0]
    if (!group) return 0
    const within = Math.floor((y - group.top - group.headingHeight) / sizes.row)
    return group.from + Math.max(0, Math.min(within, group.count - 1))
  }
  const from = Math.max(0, rowAt(top) - MARGIN_ROWS)
  return [from, Math.min(count, rowAt(top + height) + 1 + MARGIN_ROWS)] as const
}

function scrollToRow(box: HTMLElement | null, layout: readonly PlacedGroup[], sizes: Sizes, at: number): void {
  if (!box) return
  const top = topOf(layout, sizes, at)
  // The heading above a first row comes into view with it.
  const lead = layout.some(({ from }) => from === at) ? sizes.heading : 0
  if (top - lead < box.scrollTop) box.scrollTop = top - lead
  else if (top + sizes.row > box.scrollTop + box.clientHeight) box.scrollTop = top + sizes.row - box.clientHeight
}

interface GroupProps {
  readonly group: PlacedGroup
  readonly list: HistoryList
  readonly history: HistoryStore
  readonly sizes: Sizes
  readonly from: number
  readonly end: number
  readonly now: number
  readonly renaming: string | undefined
  readonly onMenu: (at: number, element: Element) => void
  readonly onRenamed: (isByKey: boolean) => void
}

function GroupRows({ group, list, from, end, sizes, ...rest }: GroupProps) {
  const words = useWords()
  const first = Math.max(from, group.from)
  const last = Math.min(end, group.from + group.count)
  const active = rest.history.active.value
  // The row with the keyboard stays, so that scrolling does not take the focus away.
  const kept = active >= group.from && active < group.from + group.count && (active < first || active >= last)
  const numbers = Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at)
  const shown = kept ? [...numbers, active].sort((a, b) => a - b) : numbers
  if (shown.length === 0) return null
  const name = words.of(groupNames[group.name])
  return (
    <>
      {group.headingHeight > 0 && (
        <h2 class="history-heading" style={{ top: `${group.top}px`, height: `${group.headingHeight}px` }}>
          {name}
        </h2>
      )}
      <ul aria-label={name}>
        {shown.map(at => (
          <Row
            key={list.rows.get(at)?.conversation ?? at}
            at={at}
            row={list.rows.get(at)}
            top={group.top + group.headingHeight + (at - group.from) * sizes.row}
            height={sizes.row}
            place={at - group.from + 1}
            count={group.count}
            search={list.text}
            {...rest}
          />
        ))}
      </ul>
    </>
  )
}

const groupNames = {
  pinned: 'groupPinned',
  today: 'groupToday',
  yesterday: 'groupYesterday',
  week: 'groupWeek',
  earlier: 'groupEarlier',
  found: 'groupFound',
} as const satisfies Readonly<Record<GroupName, string>>

interface RowProps extends Pick<GroupProps, 'history' | 'now' | 'renaming' | 'onMenu' | 'onRenamed'> {
  readonly at: number
  /** Undefined until it has arrived. */
  readonly row: HistoryRow | undefined
  readonly top: number
  readonly height: number
  readonly place: number
  readonly count: number
  readonly search: string
}

function Row({ at, row, top, height, place, count, search, history, now, renaming, onMenu, onRenamed }: RowProps) {
  const words = useWords()
  const isActive = history.active.value === at
  const open = (row: HistoryRow) => (history.scope.value === 'deleted' ? history.restore(row) : history.open(row))
  const style = { top: `${top}px`, height: `${height}px` }
  const title = row ? sanitizeLine(row.title, 200) || words.of('untitled') : ''
  return (
    <li class="history-item" style={style} aria-setsize={count} aria-posinset={place} aria-busy={row === undefined}>
      {row && renaming === row.conversation ? (
        <RenameBox title={title} onRename={text => history.rename(row.conversation, text)} onClose={onRenamed} />
      ) : (
        <button
          type="button"
          class="history-row"
          tabIndex={isActive ? 0 : -1}
          onFocus={() => history.setActive(at)}
          onClick={() => row && open(row)}
          onContextMenu={event => {
            event.preventDefault()
            if (row) onMenu(at, event.currentTarget)
          }}
        >
          {row && <RowText row={row} title={title} search={search} now={now} history={history} />}
        </button>
      )}
      {row && renaming !== row.conversation && (
        <button
          type="button"
          class="icon-button history-more"
          tabIndex={isActive ? 0 : -1}
          aria-haspopup="menu"
          aria-label={words.of('actionsFor', { title })}
          title={words.of('chatActions')}
          onClick={event => onMenu(at, event.currentTarget)}
        >
          <Icon name="menu" />
        </button>
      )}
    </li>
  )
}

interface RowTextProps extends Pick<RowProps, 'search' | 'now' | 'history'> {
  readonly row: HistoryRow
  readonly title: string
}

function RowText({ row, title, search, now, history }: RowTextProps) {
  const words = useWords()
  const open = history.head.value.sessions.find(({ conversation }) => conversation === row.conversation)
  const state = row.isUnsent ? words.of('stateUnsent') : open && stateText(open.state, words)
  const isOfAll = history.list.value?.scope !== 'workspace'
  const workspace = row.workspace ? sanitizeLine(row.workspace, 60) : isOfAll && words.of('noFolder')
  const archived = row.isArchived && history.scope.value !== 'archived' ? words.of('scopeArchived') : ''
  const excerpt = row.excerpt && sanitizeLine(row.excerpt)
  return (
    <>
      <span class="history-line">
        <span class="history-title">
          <Marks text={title} search={search} />
        </span>
        {state ? (
          <span class={open?.state === 'failed' ? 'history-state failed' : 'history-state'}>{state}</span>
        ) : (
          <span class="history-time">{relativeTime(row.updatedAt, now, document.documentElement.lang)}</span>
        )}
      </span>
      {(workspace || archived || excerpt) && (
        <span class="history-line muted">
          {archived && <span class="history-workspace">{archived}</span>}
          {workspace && <span class="history-workspace">{workspace}</span>}
          {excerpt && (
            <span class="history-excerpt">
              <Marks text={excerpt} search={search} />
            </span>
          )}
        </span>
      )}
    </>
  )
}
