// Why a secure connection could not be had, in words.
import { faultCode } from '../../base/fault.ts'
import type { TransportError } from '../../core/http/errors.ts'

/** A sentence on what is wrong with the certificate of the service or of the proxy, and one on what to do. */
export function certificateText(fault: TransportError): string {
  const { host, proxy, isProxyFault } = fault
  const whose = isProxyFault ? `the proxy ${proxy}` : host
  const who = isProxyFault ? `The proxy ${proxy}` : host
  const code = faultCode(fault) ?? ''
  if (code === 'CERT_HAS_EXPIRED')
    return `The certificate of ${whose} has expired, so nothing was sent to it. Check this machine’s clock, or tell whoever runs the ${isProxyFault ? 'proxy' : 'service'}.`
  if (code === 'CERT_NOT_YET_VALID')
    return `The certificate of ${whose} is not valid yet, so nothing was sent to it. Check this machine’s clock.`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'HOSTNAME_MISMATCH')
    return `${who} shows the certificate of another host, so nothing was sent to it. Check ${isProxyFault ? 'the editor’s proxy settings' : 'the address'}.`
  if (/^(EPROTO|ERR_SSL_|ERR_TLS_)/.test(code))
    return `No secure connection to ${whose} could be agreed on, so nothing was sent to it. Check ${isProxyFault ? 'the editor’s proxy settings' : 'the address and the proxy'}.`
  return `${who} shows a certificate that this machine does not trust, so nothing was sent to it. In a company’s network, have the company’s certificate added to this machine.`
}
