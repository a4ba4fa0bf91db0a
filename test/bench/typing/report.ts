// The typing replay's table: one line for each setting, so that the tables of two commits can be compared line by line.
import type { Estimate } from './bootstrap.ts'
import type { ReaderStats, Spread, Summary } from './summary.ts'

interface Column {
  readonly head: string
  /** Room for its cells; wider than the head where they are. */
  readonly width?: number
  readonly cell: (summary: Summary) => string
}

const columns: readonly Column[] = [
  { head: 'surprise, pairs, first token', width: 30, cell: ({ name }) => name },
  { head: 'V/V*', width: 5, cell: ({ figures }) => fixed(figures.visibleRatio, 3) },
  { head: 'p10-p90', width: 11, cell: ({ figures }) => range(figures.visibleRatio, 3) },
  { head: 'V', width: 5, cell: ({ figures }) => fixed(figures.visible, 3) },
  { head: 'V time', cell: ({ figures }) => fixed(figures.visibleTime, 3) },
  { head: 'req', width: 5, cell: ({ figures }) => fixed(figures.requests, 2) },
  { head: 'p10-p90', width: 8, cell: ({ figures }) => range(figures.requests, 1) },
  { head: 'req/min', cell: ({ figures }) => fixed(figures.requestRatio, 2) },
  { head: 'discarded', cell: ({ figures }) => percent(figures.discarded.mean) },
  { head: 'tokens/min', cell: ({ figures }) => fixed(figures.tokenRatio, 2) },
  { head: 'wasted', cell: ({ figures }) => percent(figures.wastedTokens.mean) },
  { head: 'wrong', width: 5, cell: ({ figures }) => percent(figures.wrong.mean) },
  { head: 'flicker', cell: ({ figures }) => fixed(figures.flicker, 3) },
  { head: 'peak', cell: ({ peak, serverPeak }) => `${peak}/${serverPeak}` },
  { head: '429', width: 5, cell: ({ figures }) => fixed(figures.refused, 2) },
  { head: 'latency', width: 9, cell: ({ latency }) => spread(latency) },
  { head: 'saved', width: 5, cell: ({ reading }) => percentOf(reading, 'accepted') },
  { head: 'of limit', cell: ({ reading }) => reading?.acceptedRatio.toFixed(2) ?? '-' },
  { head: 'next', width: 5, cell: ({ reading }) => reading?.nextTextP50.toFixed(0) ?? '-' },
  { head: 'at once', cell: ({ reading }) => percentOf(reading, 'nextTextAtOnce') },
]

/** What the columns mean, and where the figures cannot be compared with others of the same names. */
export const legend = `V/V*      part of the keys after which text is worth showing that had correct text before the next key, by the part
          for which that was possible; p10-p90 over samples of the files. V time: the same part of the time.
req       requests per 100 keys; req/min by the least that serve the text.
discarded requests of which no line was ever visible and correct. tokens/min: tokens that the client read, by those of
          the typed text. wasted: part of them of which no character was ever visible and true.
wrong     part of those keys with other text for more than 60 ms. Half of the lines hold a surprise, and the model's
          wrong text ends its line soon, so it is complete and shown soon: a model that rambles scores lower.
flicker   per 100 keys: correct text vanished or was replaced without need.
peak      most requests open, client/server. 429: refused per 100 keys. latency: ms from key to text beyond what the
          model took, p50/p95, where the request began at the key or later.
saved     characters that a reader accepts, by all and by what the reader accepts of a model that takes no time. next:
          ms from accepting to the next true text; at once: within 100 ms.
A prompt that ends with a mistake is answered from the place before the mistake, so text is read that nobody wants: about
0.8 tokens for each typed token, and with it a larger part of wasted ones than with a model that gives no answer there.
`

export function tableOf(summaries: readonly Summary[]): string {
  return headLine() + summaries.map(lineOf).join('')
}

export function headLine(): string {
  return line(columns.map(({ head }) => head))
}

/** Of the same shape in every table. */
export function lineOf(summary: Summary): string {
  return line(columns.map(({ cell }) => cell(summary)))
}

function line(cells: readonly string[]): string {
  const aligned = columns.map(({ head, width = head.length }, at) => {
    const cell = cells[at] ?? ''
    return at === 0 ? cell.padEnd(width) : cell.padStart(width)
  })
  return `${aligned.join('  ')}\n`
}

const fixed = ({ mean }: Estimate, digits: number) => mean.toFixed(digits)

const range = ({ p10, p90 }: Estimate, digits: number) => `${p10.toFixed(digits)}-${p90.toFixed(digits)}`

const percent = (part: number) => `${(part * 100).toFixed(1)}%`

function percentOf(reading: ReaderStats | undefined, figure: 'accepted' | 'nextTextAtOnce'): string {
  return reading ? percent(reading[figure]) : '-'
}

function spread(latency: Spread | undefined): string {
  return latency ? `${latency.p50.toFixed(0)}/${latency.p95.toFixed(0)}` : '-'
}
