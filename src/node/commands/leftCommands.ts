// `endLeftCommands`: ends what commands of a window that crashed have left running; looks into one folder where there is nothing.
import { readdir } from 'node:fs/promises'
import type { Clock } from '../../base/clock.ts'

/** `folder`: that of the commands of all windows. */
export async function endLeftCommands(folder: string, clock: Clock): Promise<void> {
  const windows = await readdir(folder).catch(() => [])
  if (windows.length === 0) return
  const { endLeftGroups } = await import('./groupRecord.ts')
  await endLeftGroups(folder, clock)
}
