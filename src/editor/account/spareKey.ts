// The key of the environment, as this editor keeps in mind where it may go.
import { type Memento, window } from 'vscode'
import * as z from 'zod/mini'
import { ENVIRONMENT_NAME, EnvironmentKey } from '../../core/account/environmentKey.ts'
import type { Redactor } from '../../core/log/redact.ts'
import { sanitize } from '../ui/sanitize.ts'

const PLACES = 'kourier.environmentKeyOrigins'
const origins = z.array(z.url())

export function rememberedEnvironmentKey(
  value: string | undefined,
  memory: Memento,
  redactor: Redactor,
): EnvironmentKey {
  const allowed = {
    read: () => origins.safeParse(memory.get(PLACES)).data ?? [],
    write: (places: readonly string[]) => void memory.update(PLACES, places),
  }
  return new EnvironmentKey(value, allowed, redactor)
}

/** See `AskForKey`. Whoever closes it says no; the key stays where it is. */
export async function askForEnvironmentKey(has: string, wants: string): Promise<boolean> {
  const text = `The key of the environment variable ${ENVIRONMENT_NAME} has been used at ${sanitize(has)} so far, and the address leads to ${sanitize(wants)} now. Send the key there as well?`
  return (await window.showWarningMessage(text, 'Send It There')) !== undefined
}
