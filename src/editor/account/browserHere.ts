// Whether a browser that the editor opens runs on the machine of this extension host, so that a loopback redirect arrives.
import { type ExtensionContext, ExtensionKind, env, UIKind } from 'vscode'
import { isLoopbackHost } from '../../core/http/loopbackHost.ts'

/**
 * On the desktop unless the extension host is remote. In a browser only where the editor itself is served from this very
 * machine: then its remote authority is a loopback address, which a tunnel is as well. That of an SSH session is known;
 * whoever comes through another one is told when the browser has not led back.
 */
export function isBrowserHere({ extension }: ExtensionContext): boolean {
  if (extension.extensionKind === ExtensionKind.UI) return true
  if (env.uiKind === UIKind.Desktop) return env.remoteName === undefined
  if (process.env['SSH_CONNECTION']) return false
  const place = URL.parse(`http://${env.remoteName ?? ''}`)
  return place !== null && isLoopbackHost(place.hostname)
}
