// Checks addresses: a secret is sent to, and a page is opened at, https or loopback addresses only.
import { isLoopbackHost } from '../http/loopbackHost.ts'

/** Why an address is not used. */
export type AddressFault = 'not an address' | 'not https' | 'has a user name' | 'elsewhere' | 'odd characters'

export type Judged = { readonly url: URL } | { readonly fault: AddressFault }

/** No service that is set up properly has a longer one. */
const MAX_LENGTH = 2_048
/** White space, control characters and backslashes are read differently by different parsers. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the purpose
const odd = /[\s\\\u0000-\u001f\u007f-\u009f]/

/**
 * An address that may be asked at all: https, or http to this very machine; without user name. `https://` is assumed
 * where a person left the scheme out (`http://` for loopback).
 */
export function judgeAddress(text: string): Judged {
  if (text.length > MAX_LENGTH || odd.test(text)) return { fault: 'odd characters' }
  if (!URL.canParse(text)) return { fault: 'not an address' }
  const url = new URL(text)
  if (url.username || url.password) return { fault: 'has a user name' }
  if (url.protocol === 'https:' && url.hostname) return { url }
  if (url.protocol === 'http:' && isLoopbackHost(url.hostname)) return { url }
  return { fault: url.protocol === 'http:' ? 'not https' : 'not an address' }
}

/**
 * The service's address as a person types it: with or without scheme, with a trailing `/`, `/v1` or `/anthropic` that
 * belongs to a client's setting and not to the service. Answers the address without a trailing slash.
 */
export function judgeBaseUrl(typed: string): Judged {
  const text = typed.trim()
  const judged = judgeAddress(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : withScheme(text))
  if ('fault' in judged) return judged
  const { url } = judged
  url.search = ''
  url.hash = ''
  url.pathname = url.pathname.replace(/(?:\/+(?:v1|anthropic))*\/*$/, '')
  return { url }
}

function withScheme(text: string): string {
  const guess = `http://${text}`
  return URL.canParse(guess) && isLoopbackHost(new URL(guess).hostname) ? guess : `https://${text}`
}

/** An endpoint that metadata names: it is used only if it has the issuer's own origin. */
export function judgeEndpoint(text: string, issuer: URL): Judged {
  const judged = judgeAddress(text)
  return 'url' in judged && judged.url.origin !== issuer.origin ? { fault: 'elsewhere' } : judged
}

/** The page where the code is typed: on the issuer's host exactly. A relative address is resolved against the issuer. */
export function judgeVerificationUri(text: string, issuer: URL): Judged {
  if (text.length > MAX_LENGTH || odd.test(text)) return { fault: 'odd characters' }
  const absolute = URL.canParse(text) ? text : URL.parse(text, issuer.href)?.href
  return absolute === undefined ? { fault: 'not an address' } : judgeEndpoint(absolute, issuer)
}

/** `url` without the slash that a bare host gets. */
export function plainAddress(url: URL): string {
  return url.href.replace(/\/$/, '')
}
