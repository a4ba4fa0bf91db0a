// Puts the authority's certificate where other programs can be pointed at it, as by NODE_EXTRA_CA_CERTS.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

export interface CaFile {
  readonly path: string
  /** Takes away what was made without a wish; a file that was asked for stays. */
  remove(): void
}

/** @param wished without it the file gets a folder of its own that nobody else can look into */
export function writeCaFile(pem: string, wished: string | undefined): CaFile {
  const path = wished === undefined ? join(mkdtempSync(join(tmpdir(), 'kourier-ca-')), 'ca.pem') : resolve(wished)
  try {
    writeFileSync(path, pem)
  } catch (cause) {
    throw new Error(`'${path}' cannot be written; choose another place with --ca-file.`, { cause })
  }
  return { path, remove: () => wished === undefined && rmSync(dirname(path), { recursive: true, force: true }) }
}
