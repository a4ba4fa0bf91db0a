// `usageText`: the figures of completions as a Markdown page.
import { l10n } from 'vscode'
import { type FigureCounts, sumOf, timeBuckets } from '../../core/complete/completionFigures.ts'
import { type DayFigures, dayOf } from '../../core/complete/usageRecorder.ts'
import { textLanguage } from '../ui/textLanguage.ts'

const DAY_MS = 24 * 60 * 60_000
const PLOTTED_DAYS = 14
const BAR_CHARS = 30

export function usageText(days: readonly DayFigures[], now: number): string {
  const since = (count: number) => {
    const first = dayOf(now - (count - 1) * DAY_MS)
    return sumOf(days.filter(({ day }) => day >= first).map(({ counts }) => counts))
  }
  const columns = [since(1), since(7), since(30)]
  const row = (name: string, value: (counts: FigureCounts) => string) => cells(name, ...columns.map(value))
  return [
    heading(1, l10n.t('Completions')),
    '',
    cells('', l10n.t('Today'), l10n.t('7 days'), l10n.t('30 days')),
    '|---|--:|--:|--:|',
    row(l10n.t('Shown'), ({ shown }) => number(shown)),
    row(l10n.t('Accepted as a whole'), ({ taken, shown }) => withShare(taken, shown)),
    row(l10n.t('Words accepted'), ({ words }) => number(words)),
    row(l10n.t('Lines accepted'), ({ lines }) => number(lines)),
    row(l10n.t('Refused'), ({ refused, shown }) => withShare(refused, shown)),
    row(l10n.t('Unchanged after 30 seconds, of the accepted characters'), one =>
      share(one.soonKeptChars, one.soonChars),
    ),
    row(l10n.t('Unchanged after 5 minutes, of the accepted characters'), one =>
      share(one.laterKeptChars, one.laterChars),
    ),
    row(l10n.t('Half of them shown within'), counts => timeOf(counts, 0.5)),
    row(l10n.t('95 of 100 shown within'), counts => timeOf(counts, 0.95)),
    row(l10n.t('Requests'), ({ requests }) => number(requests)),
    row(l10n.t('Tokens received'), ({ tokens }) => number(tokens)),
    row(l10n.t('Tokens of answers that were never shown'), one => withShare(one.tokens - one.shownTokens, one.tokens)),
    '',
    heading(2, l10n.t('Accepted, day by day')),
    '',
    '```text',
    ...plot(days, now),
    '```',
    '',
    l10n.t(
      'These figures are counts without any text. They are kept on this machine, for 90 days, and are sent nowhere.',
    ),
    '',
  ].join('\n')
}

const heading = (level: number, text: string) => `${'#'.repeat(level)} ${text}`

const cells = (...texts: readonly string[]) => `|${texts.map(text => ` ${text} |`).join('')}`

const number = (value: number) => value.toLocaleString(textLanguage())

function share(part: number, whole: number): string {
  if (whole === 0) return '–'
  return new Intl.NumberFormat(textLanguage(), { style: 'percent' }).format(part / whole)
}

const withShare = (part: number, whole: number) =>
  whole === 0 ? number(part) : `${number(part)} (${share(part, whole)})`

/** The upper end of the bucket below which this part of all is. */
function timeOf(counts: FigureCounts, part: number): string {
  const all = timeBuckets.reduce((sum, [name]) => sum + counts[name], 0)
  if (all === 0) return '–'
  const within = (at: number) => timeBuckets.slice(0, at + 1).reduce((sum, [name]) => sum + counts[name], 0)
  const end = timeBuckets.find((_, at) => within(at) >= all * part)?.[1] ?? Number.POSITIVE_INFINITY
  return Number.isFinite(end) ? milliseconds(end) : `> ${milliseconds(1_600)}`
}

const milliseconds = (value: number) =>
  new Intl.NumberFormat(textLanguage(), { style: 'unit', unit: 'millisecond' }).format(value)

function plot(days: readonly DayFigures[], now: number): string[] {
  const shown = Array.from({ length: PLOTTED_DAYS }, (_, at) => {
    const day = dayOf(now - (PLOTTED_DAYS - 1 - at) * DAY_MS)
    const { taken, words, lines } = sumOf(days.filter(one => one.day === day).map(({ counts }) => counts))
    return { day, count: taken + words + lines }
  })
  const most = Math.max(1, ...shown.map(({ count }) => count))
  return shown.map(({ day, count }) => `${day}  ${'█'.repeat(Math.ceil((count / most) * BAR_CHARS))} ${number(count)}`)
}
