// The typing replay's table: one line for each setting, so that the tables of two commits can be compared line by line.
import type { Estimate } from './bootstrap.ts'
import type { Spread, Summary } from './summary.ts'

interface Column {
  readonly head: string
  /** Room for its cells; wider than the head where they are. */
  readonly width?: number
  readonly cell: (summary: Summary) => string
}

type Columns = readonly Column[]

/** Room for the name of a setting. */
export const NAME_WIDTH = 42

/** They stand in every table: much that is visible is easy where much of it may be wrong. */
const common: Columns = [
  { head: 'surprise, pairs, first token', width: NAME_WIDTH, cell: ({ name }) => name },
  { head: 'V/V*', width: 5, cell: ({ figures }) => fixed(figures.visibleRatio, 3) },
  { head: 'p10-p90', width: 11, cell: ({ figures }) => range(figures.visibleRatio, 3) },
  { head: 'wrong', width: 5, cell: ({ figures }) => percent(figures.wrong) },
]

/** What a user sees. */
export const seen: Columns = [
  ...common,
  { head: 'V', width: 5, cell: ({ figures }) => fixed(figures.visible, 3) },
  { head: 'V200', width: 5, cell: ({ figures }) => fixed(figures.visible200, 3) },
  { head: 'VT', width: 5, cell: ({ figures }) => fixed(figures.visibleTime, 3) },
  {
    head: 'lenient',
    width: 17,
    cell: ({ figures: { helpful, helpful200, helpfulTime } }) =>
      [helpful, helpful200, helpfulTime].map(figure => fixed(figure, 3)).join(' '),
  },
  { head: 'flicker', cell: ({ figures }) => fixed(figures.flicker, 3) },
  { head: 'floor+', width: 9, cell: ({ floorLatency }) => spread(floorLatency) },
  { head: 'asked+', width: 8, cell: ({ latency }) => spread(latency) },
  { head: 'saved', width: 5, cell: ({ reading }) => percentOf(reading?.accepted) },
  { head: 'of limit', cell: ({ reading }) => reading?.acceptedRatio.toFixed(2) ?? '-' },
  { head: 'next', width: 5, cell: ({ reading }) => reading?.nextTextP50.toFixed(0) ?? '-' },
  { head: 'at once', cell: ({ reading }) => percentOf(reading?.nextTextAtOnce) },
]

/** What it costs. */
export const cost: Columns = [
  ...common,
  { head: 'req', width: 5, cell: ({ figures }) => fixed(figures.requests, 2) },
  { head: 'p10-p90', width: 8, cell: ({ figures }) => range(figures.requests, 1) },
  {
    head: 'req/min',
    cell: ({ figures, isSurprised }) => (isSurprised ? fixed(figures.requestRatio, 2) : '-'),
  },
  { head: 'planned', cell: ({ figures }) => fixed(figures.plannedStops, 2) },
  { head: 'discarded', cell: ({ figures }) => percent(figures.discarded) },
  { head: 'tokens/min', cell: ({ figures }) => fixed(figures.tokenRatio, 2) },
  { head: 'late', width: 5, cell: ({ figures }) => fixed(figures.lateTokenRatio, 2) },
  { head: 'wasted', cell: ({ figures }) => percent(figures.wastedTokens) },
  { head: 'prompt', cell: ({ figures }) => fixed(figures.promptTokens, 0) },
  { head: 'uncached', cell: ({ figures }) => fixed(figures.uncachedTokens, 0) },
  { head: 'peak', cell: ({ peak, serverPeak }) => `${peak}/${serverPeak}` },
  { head: '429', width: 5, cell: ({ figures }) => fixed(figures.refused, 2) },
  { head: 'keys', width: 6, cell: ({ keys }) => String(keys) },
]

/** What the columns mean, and where the figures cannot be compared with others of the same names. */
export const legend = `V/V*      part of the keys after which text is worth showing that had correct text before the next key, by the part
          for which that was possible; p10-p90 over samples of the files.
wrong     part of those keys with other text for more than 60 ms; where nothing surprises the model, we have spoilt it.
          Half of the lines hold a surprise, and the model's wrong text ends its line soon, so it is complete and shown
          soon: a model that rambles scores lower.
V         the same without the limit; V200: for 200 ms or more; VT: part of the time. lenient: the three with text that
          begins the rest of the line, four characters or more or all of it.
flicker   per 100 keys: correct text vanished or was replaced without need.
floor+    ms from key to text where there was none, beyond 50 ms of the editor and the model's time, p50/p95; negative
          where the text was asked for before the key. asked+: beyond the model's time, if asked for at the key or later.
saved     characters that a reader accepts, by all and by what the reader accepts of a model that takes no time. next:
          ms from accepting to the next true text; at once: within 100 ms.
req       requests per 100 keys; req/min by the least that serve the text, where the model is surprised. planned: ended
          by the client because the text was complete, per 100 keys.
discarded requests of which no character was ever visible and true. tokens/min: tokens that the client read, by those of
          the typed text; late: those sent after the client's end, by the same. wasted: part of the read ones of which
          no character was ever visible and true.
prompt    tokens of a prompt; uncached: those behind the part that it shares with one of the eight prompts before.
peak      most requests open, client/server. 429: refused per 100 keys.
A prompt that ends with a mistake is answered from the place before the mistake, so text is read that nobody wants: about
0.8 tokens for each typed token, and with it a larger part of wasted ones than with a model that gives no answer there.
`

export function tableOf(columns: Columns, summaries: readonly Summary[]): string {
  return headLine(columns) + summaries.map(summary => lineOf(columns, summary)).join('')
}

export function headLine(columns: Columns): string {
  return line(
    columns,
    columns.map(({ head }) => head),
  )
}

/** Of the same shape in every table. */
export function lineOf(columns: Columns, summary: Summary): string {
  return line(
    columns,
    columns.map(({ cell }) => cell(summary)),
  )
}

function line(columns: Columns, cells: readonly string[]): string {
  const aligned = columns.map(({ head, width = head.length }, at) => {
    const cell = cells[at] ?? ''
    return at === 0 ? cell.padEnd(width) : cell.padStart(width)
  })
  return `${aligned.join('  ')}\n`
}

const fixed = ({ mean }: Estimate, digits: number) => mean.toFixed(digits)

const range = ({ p10, p90 }: Estimate, digits: number) => `${p10.toFixed(digits)}-${p90.toFixed(digits)}`

const percent = ({ mean }: Estimate) => percentOf(mean)

function percentOf(part: number | undefined): string {
  return part === undefined ? '-' : `${(part * 100).toFixed(1)}%`
}

function spread(latency: Spread | undefined): string {
  return latency ? `${latency.p50.toFixed(0)}/${latency.p95.toFixed(0)}` : '-'
}
