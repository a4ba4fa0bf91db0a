// Warns once that the browser stores the key unencrypted, because the editor's page was loaded over plain http.
import { env, l10n, type Memento, UIKind, Uri, window } from 'vscode'
import { isLoopbackHost } from '../../core/http/loopbackHost.ts'
import { runCommand } from '../ui/commands.ts'
import { sanitized } from '../ui/sanitize.ts'

const WARNED_KEY = 'kourier.openStorageTold'

/** A browser offers encryption (Web Crypto) in secure contexts only: https, or this machine. */
export async function warnOfOpenStorage(memory: Memento): Promise<void> {
  const host = memory.get(WARNED_KEY) ? undefined : await insecureHost()
  if (!host) return
  await memory.update(WARNED_KEY, true)
  const text = l10n.t(
    'This editor came over plain http from {host}, so your browser keeps the key unsealed. Open the editor by https or on localhost; sign out here to revoke the key.',
    sanitized({ host }),
  )
  if (await window.showWarningMessage(text, l10n.t('Sign Out'))) runCommand('kourier.signOut')
}

/** The API does not give the page's own address, but `asExternalUri` translates a local address by it. */
async function insecureHost(): Promise<string | undefined> {
  if (env.uiKind !== UIKind.Web) return undefined
  try {
    const page = new URL((await env.asExternalUri(Uri.parse('http://localhost:1/'))).toString(true))
    return page.protocol === 'http:' && !isLoopbackHost(page.hostname) ? page.host : undefined
  } catch {
    return undefined
  }
}
