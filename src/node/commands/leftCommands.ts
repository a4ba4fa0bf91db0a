// `endLeftCommands`: ends what commands of a window that crashed have left running; looks into one folder where there is nothing.
import { readdir } from 'node:fs/promises'
import type { Clock } from '../../base/clock.ts'
import type { TakenFile } from '../../core/tools/commandPorts.ts'

/** Resolves with the protected files that were taken away. `folder`: that of the commands of all windows. */
export async function endLeftCommands(folder: string, clock: Clock): Promise<readonly TakenFile[]> {
  const windows = await readdir(folder).catch(() => [])
  if (windows.length === 0) return []
  const { endLeftGroups } = await import('./groupRecord.ts')
  return endLeftGroups(folder, clock)
}
