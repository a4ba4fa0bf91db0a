// `leadsElsewhere`: whether the text of a link is an address that its target is not.
import { percentDecoded } from '../../base/text.ts'

const address = /(?:https?:\/\/)?(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?=[/:?#\s]|$)/giu

/** The host of the target if the text names another one. */
export function leadsElsewhere(text: string, url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { hostname, host, protocol, pathname } = new URL(url)
  const target = protocol === 'mailto:' ? (percentDecoded(pathname).split('@').at(-1) ?? '') : hostname
  const shown = (text.match(address) ?? []).map(hostOf)
  const isSame = shown.every(one => one === target || `www.${one}` === target || one === `www.${target}`)
  return isSame ? undefined : host || target
}

function hostOf(text: string): string {
  const url = /^https?:/i.test(text) ? text : `https://${text}`
  return URL.canParse(url) ? new URL(url).hostname : text
}
