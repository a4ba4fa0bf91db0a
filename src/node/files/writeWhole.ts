// `writeWhole`: writes a file as a whole or not at all, because another window may read it at any moment.
import { mkdir, rename, unlink, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Clock } from '../../base/clock.ts'

/** The errors with which Windows refuses to replace a file that another process has open, which it has only briefly. */
const BUSY = ['EPERM', 'EBUSY']
const BUSY_PAUSE_MS = 50
const BUSY_TRIES = 5

/**
 * Writes the text to `draft`, in the same folder, and renames it to `file`. Makes the folder where there is none; only
 * this user may read the file. Rejects with the error of the system, and leaves no draft then.
 */
export async function writeWhole(
  clock: Clock,
  file: string,
  text: string,
  draft = `${file}.${crypto.randomUUID()}`,
): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(draft, text, { mode: 0o600 })
    await replace(clock, file, draft)
  } catch (fault) {
    await unlink(draft).catch(() => {})
    throw fault
  }
}

async function replace(clock: Clock, file: string, draft: string): Promise<void> {
  for (let left = BUSY_TRIES; ; left--) {
    try {
      return await rename(draft, file)
    } catch (fault) {
      const isBusy = fault instanceof Error && 'code' in fault && BUSY.includes(String(fault.code))
      if (!isBusy || left === 0) throw fault
    }
    await new Promise<void>(resolve => clock.later(BUSY_PAUSE_MS, resolve))
  }
}
