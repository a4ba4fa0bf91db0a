// `addProviderGroup`: adds this extension's group to the editor's list of model providers.
import type { Log } from '../../core/log/log.ts'

export interface ProviderGroup {
  readonly name: string
  readonly vendor: string
}

/**
 * Whether the group is in the list now. `add` runs the editor's command, which also fails where the group exists already;
 * that failure can be recognized by its message only.
 */
export async function addProviderGroup(
  add: (group: ProviderGroup) => PromiseLike<unknown>,
  group: ProviderGroup,
  log: Log,
): Promise<boolean> {
  try {
    await add(group)
    return true
  } catch (fault) {
    if (fault instanceof Error && /already exists/i.test(fault.message)) return true
    log.warn('The editor did not take the group of models', { fault: String(fault) })
    return false
  }
}
