// `HistoryList`: what the history screen shows: rows by their number, of which only some have arrived, in groups of days.
import type { HistoryRow, HistoryScope, HistoryToPage } from '../../protocol/historyPanel.ts'

export type GroupName = 'pinned' | 'today' | 'yesterday' | 'week' | 'earlier' | 'found'

/** The rows from number `from` on. */
export interface Group {
  readonly name: GroupName
  readonly from: number
  readonly count: number
}

export interface HistoryList {
  readonly query: number
  /** What was searched for; empty for the list of all. */
  readonly text: string
  readonly scope: HistoryScope
  readonly pinnedCount: number
  readonly times: readonly number[]
  readonly rows: ReadonlyMap<number, HistoryRow>
  readonly laterCount: number
}

type ListMessage = Extract<HistoryToPage, { is: 'list' }>
type RowsMessage = Extract<HistoryToPage, { is: 'rows' }>

export function listOf(message: ListMessage, text: string, scope: HistoryScope): HistoryList {
  const { query, pinnedCount, times, rows, laterCount } = message
  return { query, text: text.trim(), scope, pinnedCount, times, rows: new Map(rows.entries()), laterCount }
}

export function withRows(list: HistoryList, { query, from, rows }: RowsMessage): HistoryList {
  if (query !== list.query) return list
  return { ...list, rows: new Map([...list.rows, ...rows.map((row, at) => [from + at, row] as const)]) }
}

/** With a change in the row of the conversation. */
export function withChange(list: HistoryList, conversation: string, change: Partial<HistoryRow>): HistoryList {
  const changed = [...list.rows].map(
    ([at, row]) => [at, row.conversation === conversation ? { ...row, ...change } : row] as const,
  )
  return { ...list, rows: new Map(changed) }
}

export function without(list: HistoryList, conversation: string): HistoryList {
  const at = numberOf(list, conversation)
  if (at === undefined) return list
  const rows = [...list.rows].flatMap(([number, row]) =>
    number === at ? [] : [[number > at ? number - 1 : number, row] as const],
  )
  const pinnedCount = at < list.pinnedCount ? list.pinnedCount - 1 : list.pinnedCount
  return { ...list, pinnedCount, times: list.times.toSpliced(at, 1), rows: new Map(rows) }
}

export function numberOf({ rows }: HistoryList, conversation: string | undefined): number | undefined {
  for (const [at, row] of rows) if (row.conversation === conversation) return at
  return undefined
}

/** In the time zone of the page. What a search has found is one group. */
export function groupsOf({ text, times, pinnedCount }: HistoryList, now: number): readonly Group[] {
  if (text !== '') return times.length > 0 ? [{ name: 'found', from: 0, count: times.length }] : []
  const begins = [pinnedCount, ...[0, 1, 6].map(days => countSince(times, pinnedCount, daysBefore(now, days)))]
  const ends: readonly (readonly [GroupName, number])[] = [
    ['pinned', begins[0] ?? 0],
    ['today', begins[1] ?? 0],
    ['yesterday', begins[2] ?? 0],
    ['week', begins[3] ?? 0],
    ['earlier', times.length],
  ]
  return ends
    .map(([name, end], at) => ({ name, from: ends[at - 1]?.[1] ?? 0, end }))
    .map(({ name, from, end }) => ({ name, from, count: end - from }))
    .filter(({ count }) => count > 0)
}

/** Midnight at the beginning of the day so many days before. */
function daysBefore(now: number, days: number): number {
  const day = new Date(now)
  day.setHours(0, 0, 0, 0)
  day.setDate(day.getDate() - days)
  return day.getTime()
}

/** The number of the first row after `from` that is older. */
function countSince(times: readonly number[], from: number, time: number): number {
  const at = times.findIndex((changed, number) => number >= from && changed < time)
  return at < 0 ? times.length : at
}
