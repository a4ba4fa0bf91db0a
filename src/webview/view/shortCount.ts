// `shortCount`: a count of tokens in few characters: `950`, `1.2k`, `34k`; `longCount`: all its digits.

export function shortCount(count: number): string {
  if (count < 1_000) return String(count)
  const digits = count < 9_950 ? 1 : 0
  return `${inLanguage(count / 1_000, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false })}k`
}

export function longCount(count: number): string {
  return inLanguage(count)
}

const inLanguage = (count: number, options?: Intl.NumberFormatOptions) =>
  count.toLocaleString(document.documentElement.lang || undefined, options)
