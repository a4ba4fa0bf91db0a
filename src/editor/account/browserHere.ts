// Whether a browser that the editor opens runs on the machine of this extension host, so that a loopback redirect arrives.
import { type ExtensionContext, ExtensionKind, env, UIKind } from 'vscode'
import { isLoopbackHost } from '../../core/http/loopbackHost.ts'

/**
 * On the desktop unless the extension host is remote. In a browser only where the editor itself is served from this very
 * machine: then its remote authority is a loopback address.
 */
export function isBrowserHere({ extension }: ExtensionContext): boolean {
  if (extension.extensionKind === ExtensionKind.UI) return true
  if (env.uiKind === UIKind.Desktop) return env.remoteName === undefined
  const place = URL.parse(`http://${env.remoteName ?? ''}`)
  return place !== null && isLoopbackHost(place.hostname)
}
