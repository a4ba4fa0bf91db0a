// Whether a browser that the editor opens runs on the machine of this extension host, so that a loopback redirect arrives.
import { type ExtensionContext, ExtensionKind, env, UIKind } from 'vscode'
import { isLoopbackHost } from '../../core/http/loopbackHost.ts'

/**
 * On the desktop unless the extension host is remote. In a browser only where the editor itself is served from this
 * machine, so that its remote authority is a loopback address. A tunnel has such an address too: that of an SSH session
 * is recognized by `SSH_CONNECTION`; through any other one the browser sign-in times out, with a notice.
 */
export function isBrowserHere({ extension }: ExtensionContext): boolean {
  if (extension.extensionKind === ExtensionKind.UI) return true
  if (env.uiKind === UIKind.Desktop) return env.remoteName === undefined
  if (process.env['SSH_CONNECTION']) return false
  const place = URL.parse(`http://${env.remoteName ?? ''}`)
  return place !== null && isLoopbackHost(place.hostname)
}
