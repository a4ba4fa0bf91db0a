// `certificateText`: why no secure connection could be made, and what to do.
import { l10n } from 'vscode'
import type { TransportError } from '../../core/http/errors.ts'
import { sanitized } from './sanitize.ts'

/** A sentence on what is wrong with the certificate of the service or of the proxy, and one on what to do. */
export function certificateText(fault: TransportError): string {
  return fault.isProxyFault ? textOfProxy(fault) : textOfHost(fault)
}

function textOfHost({ certificate, host }: TransportError): string {
  const values = sanitized({ host })
  switch (certificate) {
    case 'expired':
      return l10n.t(
        "The certificate of {host} has expired, so nothing was sent to it. Check this machine's clock, or tell whoever runs the service.",
        values,
      )
    case 'not yet valid':
      return l10n.t(
        "The certificate of {host} is not valid yet, so nothing was sent to it. Check this machine's clock.",
        values,
      )
    case 'other host':
      return l10n.t(
        '{host} shows the certificate of another host, so nothing was sent to it. Check the address.',
        values,
      )
    case 'no agreement':
      return l10n.t(
        'No secure connection to {host} could be agreed on, so nothing was sent to it. Check the address and the proxy.',
        values,
      )
    case 'untrusted':
      return l10n.t(
        "{host} shows a certificate that this machine does not trust, so nothing was sent to it. In a company's network, have the company's certificate added to this machine.",
        values,
      )
  }
}

function textOfProxy({ certificate, proxy = '' }: TransportError): string {
  const values = sanitized({ proxy })
  switch (certificate) {
    case 'expired':
      return l10n.t(
        "The certificate of the proxy {proxy} has expired, so nothing was sent to it. Check this machine's clock, or tell whoever runs the proxy.",
        values,
      )
    case 'not yet valid':
      return l10n.t(
        "The certificate of the proxy {proxy} is not valid yet, so nothing was sent to it. Check this machine's clock.",
        values,
      )
    case 'other host':
      return l10n.t(
        "The proxy {proxy} shows the certificate of another host, so nothing was sent to it. Check the editor's proxy settings.",
        values,
      )
    case 'no agreement':
      return l10n.t(
        "No secure connection to the proxy {proxy} could be agreed on, so nothing was sent to it. Check the editor's proxy settings.",
        values,
      )
    case 'untrusted':
      return l10n.t(
        "The proxy {proxy} shows a certificate that this machine does not trust, so nothing was sent to it. In a company's network, have the company's certificate added to this machine.",
        values,
      )
  }
}
