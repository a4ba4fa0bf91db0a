// The address of a coordinator's socket: makes a new one, and removes those that no process uses any more.
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

/** The folder for temporary files, if a socket's path in it is short enough; see `newAddress`. */
const socketRoot = () => (Buffer.byteLength(tmpdir()) <= LONGEST_ROOT_BYTES ? tmpdir() : '/tmp')
const LONGEST_ROOT_BYTES = 75

/** With a hash of the machine's name, because several machines may share a temporary folder on the network. */
const folderPrefix = () => `${FOLDER}${createHash('sha256').update(hostname()).digest('hex').slice(0, 6)}-`

/** A file name in a new folder that only this user can read; on Windows the name of a pipe. */
export function newAddress(): string {
  if (process.platform === 'win32') return `${PIPES}${FOLDER}${randomBytes(16).toString('hex')}`
  // A socket's path may have 104 bytes on macOS, and that of the extension's own folder can be longer.
  return join(mkdtempSync(join(socketRoot(), folderPrefix())), SOCKET)
}

/** Removes the socket of a coordinator, which may have crashed, and its folder. Ignores any other path. */
export function clearAddress(address: string): void {
  const folder = dirname(address)
  if (isPipe(address) || !address.endsWith(`/${SOCKET}`) || !folder.startsWith(join(socketRoot(), FOLDER))) return
  rmSync(address, { force: true })
  try {
    rmdirSync(folder)
  } catch {
    // It is gone already, or not empty and so not ours.
  }
}

/** Sockets younger than this are kept, because one that is being made does not answer either. */
const YOUNG_MS = 60_000

/**
 * Removes the sockets of this user on this machine whose processes were killed and which no later coordinator replaces,
 * such as those of an editor's profile that was deleted.
 */
export async function clearDeadAddresses(clock: Clock): Promise<void> {
  if (process.platform === 'win32') return
  const root = socketRoot()
  const names = (await readdir(root)).filter(name => name.startsWith(folderPrefix()))
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

/** Whether no process has the socket open: then the system refuses the connection, but not for a process that hangs. */
function isDead(address: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(address, () => {
      socket.destroy()
      resolve(false)
    })
    socket.on('error', fault => resolve(faultCode(fault) === 'ECONNREFUSED'))
  })
}
