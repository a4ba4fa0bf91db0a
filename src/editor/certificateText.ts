// Why a secure connection could not be had, in words.
import { faultCode } from '../base/fault.ts'

/** A sentence on what is wrong with the certificate of `host`, and one on what to do; `fault` is what the connection threw. */
export function certificateText(host: string, fault: unknown): string {
  const code = faultCode(fault) ?? ''
  if (code === 'CERT_HAS_EXPIRED')
    return `The certificate of ${host} has expired, so nothing was sent to it. Check this machine’s clock, or tell whoever runs the service.`
  if (code === 'CERT_NOT_YET_VALID')
    return `The certificate of ${host} is not valid yet, so nothing was sent to it. Check this machine’s clock.`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'HOSTNAME_MISMATCH')
    return `${host} shows the certificate of another host, so nothing was sent to it. Check the address.`
  if (/^(EPROTO|ERR_SSL_|ERR_TLS_)/.test(code))
    return `No secure connection to ${host} could be agreed on, so nothing was sent to it. Check the address and the proxy.`
  return `${host} shows a certificate that this machine does not trust, so nothing was sent to it. In a company’s network, have the company’s certificate added to this machine.`
}
