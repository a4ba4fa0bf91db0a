// `realPath`: the file on the disk that a path leads to, through all links.
import { realpath } from 'node:fs/promises'

/** Undefined where there is none. */
export async function realPath(path: string): Promise<string | undefined> {
  try {
    return await realpath(path)
  } catch {
    return undefined
  }
}
