// `relativeTime`: how long ago something was, in the language of the page.

const units: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, ms: number, below: number])[] = [
  ['minute', 60_000, 60],
  ['hour', 3_600_000, 24],
  ['day', 86_400_000, 7],
]

/** Such as `5m ago`; the date if it is a week or more. */
export function relativeTime(time: number, now: number, language: string): string {
  const passed = Math.max(0, now - time)
  // The shortest form of other languages can be a riddle: in German `vor 5 m`, which are metres.
  const style = /^en\b/.test(language) ? 'narrow' : 'short'
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style })
  if (passed < 60_000) return format.format(0, 'second')
  for (const [unit, ms, below] of units) {
    const count = Math.floor(passed / ms)
    if (count < below) return format.format(-count, unit)
  }
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear()
  const form = { day: 'numeric', month: 'short', ...(!isThisYear && { year: 'numeric' as const }) } as const
  return new Intl.DateTimeFormat(language, form).format(time)
}
