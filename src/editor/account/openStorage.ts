// Says once that a browser keeps the key unsealed, which it does where the editor's page came over plain http.
import { env, type Memento, UIKind, Uri, window } from 'vscode'
import { isLoopbackHost } from '../../core/http/loopbackHost.ts'
import { runCommand } from '../ui/commands.ts'
import { sanitize } from '../ui/sanitize.ts'

const TOLD = 'kourier.openStorageTold'

/** A browser has the means to seal a secret on secure origins only: https, or this very machine. */
export async function warnOfOpenStorage(memory: Memento): Promise<void> {
  const host = memory.get(TOLD) ? undefined : await insecureHost()
  if (!host) return
  await memory.update(TOLD, true)
  const text = `This editor came over plain http from ${sanitize(host)}, so your browser keeps the key unsealed. Open the editor by https or on localhost; sign out here to revoke the key.`
  if (await window.showWarningMessage(text, 'Sign Out')) runCommand('kourier.signOut')
}

/** No interface names the page's own address, but a local one is translated by it. */
async function insecureHost(): Promise<string | undefined> {
  if (env.uiKind !== UIKind.Web) return undefined
  try {
    const page = new URL((await env.asExternalUri(Uri.parse('http://localhost:1/'))).toString(true))
    return page.protocol === 'http:' && !isLoopbackHost(page.hostname) ? page.host : undefined
  } catch {
    return undefined
  }
}
