// Opens an address in the browser, byte for byte.
import { env } from 'vscode'

/**
 * The editor re-encodes the query of a `Uri`, and a server then reads another one. At run time it takes the text as it
 * is; only the typing does not know it.
 */
export async function openExactly(url: string): Promise<void> {
  await env.openExternal(url as unknown as Parameters<typeof env.openExternal>[0])
}
