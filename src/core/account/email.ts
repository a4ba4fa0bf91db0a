// Email addresses: which text is one, and which of those found are offered for a sign-in.

/** Deliberately loose, because the service decides. It refuses only what cannot be an address. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@<>"(),:;\\[\]]+@[^\s@<>"(),:;\\[\]]+\.[^\s@.<>"(),:;\\[\]]+$/.test(text)
}

/** Addresses that no one reads; git hosts give them out for commits. */
export function isNoReply(text: string): boolean {
  return /^(no-?reply|do-?not-?reply)@|[@.]users\.noreply\.|@noreply\./i.test(text)
}

export interface EmailSource {
  readonly email: string
  /** Where it was found, as the user reads it. */
  readonly source: string
}

/** Usable addresses, each once, in the order in which they came. */
export function emailChoices(found: readonly EmailSource[]): EmailSource[] {
  const seen = new Set<string>()
  return found.filter(({ email }) => {
    const key = email.toLowerCase()
    if (!isEmail(email) || isNoReply(email) || seen.has(key)) return false
    seen.add(key)
    return true
  })
}
