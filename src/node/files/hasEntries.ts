// `hasEntries`: whether there is anything in a folder.
import { readdir } from 'node:fs/promises'

/** False too where there is no such folder. */
export async function hasEntries(folder: string): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).length > 0
}
