// Where a desk's socket lies: a fresh folder for each desk, and the end of those whose desk is gone.
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmdirSync, rmSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import type { Clock } from '../../base/clock.ts'
import { faultCode } from '../../base/fault.ts'

const PIPES = '\\\\.\\pipe\\'
const FOLDER = 'kourier-'
const SOCKET = 'desk'

export const isPipe = (address: string) => address.startsWith(PIPES)

/** A temporary folder may be set to one that lies too deep as well. */
const socketRoot = () => (Buffer.byteLength(tmpdir()) <= LONGEST_ROOT_BYTES ? tmpdir() : '/tmp')
const LONGEST_ROOT_BYTES = 75

/** A temporary folder on the network belongs to many machines, and a desk to one. */
const folderHere = () => `${FOLDER}${createHash('sha256').update(hostname()).digest('hex').slice(0, 6)}-`

/** In a fresh folder that only this user may enter; Windows has names in place of files. */
export function newAddress(): string {
  if (process.platform === 'win32') return `${PIPES}${FOLDER}${randomBytes(16).toString('hex')}`
  // The folder for extensions' files may lie deeper than the 104 bytes that a socket's path may have.
  return join(mkdtempSync(join(socketRoot(), folderHere())), SOCKET)
}

/** Removes what a desk leaves behind; it may be one that crashed. Nothing else has such a name. */
export function clearAddress(address: string): void {
  const folder = dirname(address)
  if (isPipe(address) || !address.endsWith(`/${SOCKET}`) || !folder.startsWith(join(socketRoot(), FOLDER))) return
  rmSync(address, { force: true })
  try {
    rmdirSync(folder)
  } catch {
    // Gone already, or not empty and so none of ours.
  }
}

/** One that is just being made does not answer either, so the young are left alone. */
const YOUNG_MS = 60_000

/**
 * Removes what this user's desks left on this machine whose process was killed, and that no next desk knows of: that of
 * an editor's profile which is gone, say.
 */
export async function clearDeadAddresses(clock: Clock): Promise<void> {
  if (process.platform === 'win32') return
  const root = socketRoot()
  const names = (await readdir(root)).filter(name => name.startsWith(folderHere()))
  for (const name of names) {
    const address = join(root, name, SOCKET)
    if ((await isOldOne(address, clock.now())) && (await isDead(address))) clearAddress(address)
  }
}

async function isOldOne(address: string, now: number): Promise<boolean> {
  try {
    const folder = await lstat(dirname(address))
    const socket = await lstat(address)
    const isOurs = folder.isDirectory() && folder.uid === process.getuid?.() && socket.isSocket()
    return isOurs && now - socket.mtimeMs > YOUNG_MS
  } catch {
    return false
  }
}

/** The system itself refuses for a socket that no process has open; one that only hangs does not refuse. */
function isDead(address: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(address, () => {
      socket.destroy()
      resolve(false)
    })
    socket.on('error', fault => resolve(faultCode(fault) === 'ECONNREFUSED'))
  })
}
