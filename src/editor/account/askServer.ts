// Asks before a sign-in server is contacted on a host that the user has not named.
import { window } from 'vscode'
import { sanitize } from '../ui/sanitize.ts'

/** Both are hosts. */
export async function askServer(api: string, server: string): Promise<boolean> {
  const chosen = await window.showInformationMessage(
    `Sign in to ${sanitize(api)} at ${sanitize(server)}?`,
    {
      modal: true,
      detail: `${sanitize(api)} names ${sanitize(server)}, which is another host, as the server that signs you in. Nothing has been sent to ${sanitize(server)} yet. Continue only if you expect this host.`,
    },
    'Continue',
  )
  return chosen !== undefined
}
