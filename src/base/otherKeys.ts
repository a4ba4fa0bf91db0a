// `otherKeysIn`, `withoutOtherKeys`: keys of other services and private keys, by their shape, in text that the user writes.

/** Whose key it is, as the service spells its name; `''` for a private key. */
export type KeyOwner = string

/**
 * By the prefixes that the services document, each with the least length of what follows. Only shapes that hardly occur
 * in other text, because each asks the user.
 */
const shapes: readonly (readonly [owner: KeyOwner, shape: RegExp])[] = [
  ['OpenAI', /(?<![A-Za-z0-9])(sk-(?:proj|svcacct|admin)-)[A-Za-z0-9_-]{20,512}/g],
  ['OpenAI', /(?<![A-Za-z0-9_-])(sk-)[A-Za-z0-9]{40,64}(?![A-Za-z0-9_-])/g],
  ['Anthropic', /(?<![A-Za-z0-9])(sk-ant-)[A-Za-z0-9_-]{20,512}/g],
  ['OpenRouter', /(?<![A-Za-z0-9])(sk-or-)[A-Za-z0-9_-]{20,512}/g],
  ['GitHub', /(?<![A-Za-z0-9])(gh[pousr]_)[A-Za-z0-9]{30,255}/g],
  ['GitHub', /(?<![A-Za-z0-9])(github_pat_)[A-Za-z0-9_]{30,255}/g],
  ['GitLab', /(?<![A-Za-z0-9])(glpat-)[A-Za-z0-9_-]{20,255}(?:\.[A-Za-z0-9]{1,64}){0,3}/g],
  ['Amazon Web Services', /(?<![A-Za-z0-9])(AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g],
  ['Google', /(?<![A-Za-z0-9])(AIza)[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g],
  ['Slack', /(?<![A-Za-z0-9])(xox[abeprs]-|xapp-)[A-Za-z0-9-]{20,255}/g],
  ['Stripe', /(?<![A-Za-z0-9])([sr]k_live_)[A-Za-z0-9]{16,255}/g],
  ['npm', /(?<![A-Za-z0-9])(npm_)[A-Za-z0-9]{36}(?![A-Za-z0-9])/g],
  ['PyPI', /(?<![A-Za-z0-9])(pypi-AgE)[A-Za-z0-9_-]{50,512}/g],
  ['Hugging Face', /(?<![A-Za-z0-9])(hf_)[A-Za-z0-9]{30,64}(?![A-Za-z0-9])/g],
  ['SendGrid', /(?<![A-Za-z0-9])(SG\.)[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}/g],
  [
    '',
    // PEM (RFC 7468), also as one JSON string; the header alone is talked about more often than it is pasted.
    /(-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY-----)(?:\s|\\[nr])+(?:[A-Za-z-]+: [^\n]*\n\s*)*(?:[A-Za-z0-9+/=\s]|\\[nr]){64,}(?:-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY-----)?/g,
  ],
]

/** How each of them begins: one look for text without any, which is nearly all, at each key and each time the page is scrolled. */
const STARTS =
  /sk-|gh[pousr]_|github_pat_|glpat-|A(?:KIA|SIA|Iza)|xox|xapp-|[sr]k_live_|npm_|pypi-|hf_|SG\.|PRIVATE KEY/

/** Characters that differ. A key is random, and what is in its place in documentation is mostly not: `ghp_xxxxxxxx…`. */
const LEAST_DIFFERENT = 11

export interface OtherKey {
  readonly owner: KeyOwner
  /** The key itself. */
  readonly text: string
}

/** In the order of the shapes. */
export function otherKeysIn(text: string): readonly OtherKey[] {
  if (!STARTS.test(text)) return []
  return shapes.flatMap(([owner, shape]) =>
    [...text.matchAll(shape)].flatMap(([key]) => (isRandom(key) ? [{ owner, text: key }] : [])),
  )
}

/** With each masked as the start of it and `…`; the same text where there is none. */
export function withoutOtherKeys(text: string): string {
  if (!STARTS.test(text)) return text
  const masked = (key: string, start: string) => (isRandom(key) ? `${start}…` : key)
  return shapes.reduce((rest, [, shape]) => rest.replace(shape, masked), text)
}

const isRandom = (key: string) => new Set(key).size >= LEAST_DIFFERENT
