// `serviceAtHost`: the name of a service with its host, for a sentence.
import { l10n } from 'vscode'
import { sanitize, sanitized } from './sanitize.ts'

/** `name at host`; the host alone where the name is not known yet and is the host itself. */
export function serviceAtHost(service: string, host: string): string {
  if (service === host || /^[^\s]+(\.[^\s]+|:\d+)$/.test(service)) return sanitize(host)
  return l10n.t('{service} at {host}', sanitized({ service, host }))
}
