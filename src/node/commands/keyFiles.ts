// `KeyFiles`: which files hold a private key, whatever their names; each version of a file is read once.
import { lstat, open } from 'node:fs/promises'
import { hasSecretHead } from '../../core/workspace/exclude.ts'

/** A longer file is no private key. */
const MOST_BYTES = 64_000
const HEAD_BYTES = 4_096
const MOST_REMEMBERED = 100_000

export class KeyFiles {
  readonly #known = new Map<string, { readonly version: string; readonly isKey: boolean }>()

  async has(path: string): Promise<boolean> {
    const facts = await lstat(path).catch(() => undefined)
    if (!facts?.isFile() || facts.size > MOST_BYTES) return false
    const version = `${facts.ino} ${facts.size} ${facts.mtimeMs} ${facts.ctimeMs}`
    const known = this.#known.get(path)
    if (known?.version === version) return known.isKey
    const isKey = hasSecretHead(path, await headOf(path))
    if (this.#known.size >= MOST_REMEMBERED) this.#known.clear()
    this.#known.set(path, { version, isKey })
    return isKey
  }
}

/** Empty where it cannot be read. */
async function headOf(path: string): Promise<string> {
  const file = await open(path).catch(() => undefined)
  try {
    const { buffer, bytesRead } = (await file?.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)) ?? {}
    return buffer?.toString('utf8', 0, bytesRead) ?? ''
  } catch {
    return ''
  } finally {
    await file?.close()
  }
}
