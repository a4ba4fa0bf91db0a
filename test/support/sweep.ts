// Looks for secrets where they do not belong: in files, in the service's call log, in what the browser keeps.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Call } from '../localService/callLog.ts'
import { fingerprint } from '../localService/fingerprint.ts'

/** Shapes of the service's secrets; a value that a test knows is looked for in every form as well. */
const shapes = [/sk-bf-[A-Za-z0-9_-]{8,}/g, /clm_[A-Za-z0-9_-]{8,}/g, /cla_[A-Za-z0-9_-]{8,}/g]

/** What could be a secret without a shape of its own: a code verifier (RFC 7636 4.1), a code, a state. */
const longWord = /[A-Za-z0-9._~-]{20,128}/g

export interface Find {
  readonly where: string
  /** The beginning of what was found: enough to know it, too little to spread it. */
  readonly what: string
}

/**
 * What a service has received that belongs to one sign-in only: the states as they are, and by their fingerprints what its
 * log does not hold in clear.
 */
export function secretsIn(calls: readonly Call[]): string[] {
  const paths = calls.map(({ path }) => path).join('\n')
  const states = [...paths.matchAll(/[?&]state=([^&\s]{8,})/g)].map(([, state = '']) => decodeURIComponent(state))
  const links = [...paths.matchAll(/claim_attempt_token=(sha256:\w+)/g)].map(([, print = '']) => print)
  const fields = calls.flatMap(({ body }) =>
    oneTimeFields.map(name => (body as Record<string, unknown> | undefined)?.[name]),
  )
  const prints = fields.filter(value => typeof value === 'string' && value.startsWith('sha256:')) as string[]
  return [...new Set([...states, ...links, ...prints])]
}

const oneTimeFields = ['claim_token', 'claim_attempt_token', 'code', 'code_verifier', 'client_secret']

/** Secrets by shape, and `values` plainly, URL-encoded and as base64; of a fingerprint, whatever word has it. */
export function findSecrets(where: string, text: string, values: readonly string[] = []): Find[] {
  const byShape = shapes.flatMap(shape => [...text.matchAll(shape)].map(([found]) => found))
  const prints = new Set(values.filter(value => value.startsWith('sha256:')))
  const byValue = values.filter(value => !prints.has(value)).flatMap(formsOf)
  const isKnown = (word: string) => prints.has(fingerprint(word))
  const byPrint = prints.size > 0 ? [...text.matchAll(longWord)].map(([word]) => word).filter(isKnown) : []
  return [...new Set([...byShape, ...byValue.filter(form => text.includes(form)), ...byPrint])].map(found => ({
    where,
    what: `${found.slice(0, 10)}…`,
  }))
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
