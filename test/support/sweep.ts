// Looks for secrets where they do not belong: in files, in the service's call log, in what the browser keeps.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Shapes of the service's secrets; a value that a test knows is looked for in every form as well. */
const shapes = [/sk-bf-[A-Za-z0-9_-]{8,}/g, /clm_[A-Za-z0-9_-]{8,}/g]

export interface Find {
  readonly where: string
  /** The beginning of what was found: enough to know it, too little to spread it. */
  readonly what: string
}

/** Secrets by shape, and `values` plainly, URL-encoded and as base64. */
export function findSecrets(where: string, text: string, values: readonly string[] = []): Find[] {
  const byShape = shapes.flatMap(shape => [...text.matchAll(shape)].map(([found]) => found))
  const byValue = values.flatMap(formsOf).filter(form => text.includes(form))
  return [...new Set([...byShape, ...byValue])].map(found => ({ where, what: `${found.slice(0, 10)}…` }))
}

/** Every file below a folder, read as bytes: databases and logs as well. */
export function sweepFolder(folder: string, values: readonly string[] = []): Find[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .flatMap(entry => {
      const path = join(entry.parentPath, entry.name)
      return findSecrets(path, readIfThere(path), values)
    })
}

/** A running editor takes its lock files away at any moment; what is gone holds nothing. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch (fault) {
    if (fault instanceof Error && 'code' in fault && fault.code === 'ENOENT') return ''
    throw fault
  }
}

function formsOf(value: string): string[] {
  const base64 = Buffer.from(value).toString('base64').replace(/=+$/, '').slice(0, -1)
  return [value, encodeURIComponent(value), base64]
}
