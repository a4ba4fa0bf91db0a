// `shortCount`: a count of tokens in few characters: `950`, `1.2k`, `34k`; `longCount`: all its digits.

export function shortCount(count: number): string {
  if (count < 1_000) return String(count)
  return count < 9_950 ? `${(count / 1_000).toFixed(1)}k` : `${Math.round(count / 1_000)}k`
}

export function longCount(count: number): string {
  return count.toLocaleString(document.documentElement.lang || undefined)
}
