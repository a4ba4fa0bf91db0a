// `AddressOpener`: opens the addresses of links, once the user has seen the whole of one of each host.
import { l10n, window } from 'vscode'
import { isLoopbackHost } from '../../core/http/loopbackHost.ts'
import { openExactly } from '../ui/openExactly.ts'

export class AddressOpener {
  /** The origins that the user has agreed to. */
  readonly #agreed = new Set<string>()

  /**
   * Opens only schemes of a browser or a mail program. The editor itself asks as well, but opens the domains that its
   * settings trust, this machine and mail addresses unasked.
   */
  async open(url: string): Promise<void> {
    if (!URL.canParse(url) || !['https:', 'http:', 'mailto:'].includes(new URL(url).protocol)) return
    const { host, hostname, origin, href, protocol } = new URL(url)
    if (protocol === 'mailto:') {
      const effect = l10n.t('Your mail program opens and may take recipients, subject and text from this address.')
      if (await mayOpen(l10n.t('Open this mail address?'), href, effect)) await openExactly(href)
      return
    }
    if (!this.#agreed.has(origin)) {
      const isHere = isLoopbackHost(hostname)
      const effect = isHere && l10n.t('The address is on this machine. A program that listens there may act on it.')
      if (!(await mayOpen(l10n.t('Open this page of {host}?', { host }), href, effect || undefined))) return
      this.#agreed.add(origin)
    }
    await openExactly(href)
  }
}

/** `href`: as `URL` writes it, in which every character that is not seen or turns text is percent-encoded; whole. */
async function mayOpen(question: string, href: string, effect?: string): Promise<boolean> {
  const open = l10n.t('Open')
  const detail = effect === undefined ? href : `${href}\n\n${effect}`
  return (await window.showWarningMessage(question, { modal: true, detail }, open)) === open
}
