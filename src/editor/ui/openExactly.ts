// `openExactly`: opens an address in the browser without re-encoding it.
import { env } from 'vscode'

/**
 * The editor re-encodes the query of a `Uri`, so that the server gets another one, and cuts it where it asks the user.
 * `openExternal` accepts a string at run time, although its type does not.
 */
export async function openExactly(url: string): Promise<void> {
  await env.openExternal(url as unknown as Parameters<typeof env.openExternal>[0])
}
