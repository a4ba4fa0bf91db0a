// The key of the environment, as this editor keeps in mind where it may go.
import { type Memento, window } from 'vscode'
import * as z from 'zod/mini'
import { ENVIRONMENT_NAME, EnvironmentKey } from '../../core/auth/environmentKey.ts'
import { inert } from '../inert.ts'

const PLACES = 'kourier.environmentKeyOrigins'
const origins = z.array(z.url())

export function spareKey(value: string | undefined, memory: Memento): EnvironmentKey {
  return new EnvironmentKey(value, {
    read: () => origins.safeParse(memory.get(PLACES)).data ?? [],
    write: places => void memory.update(PLACES, places),
  })
}

/** See `AskForKey`. Whoever closes it says no; the key stays where it is. */
export async function askForSpareKey(has: string, wants: string): Promise<boolean> {
  const text = `The key of the environment variable ${ENVIRONMENT_NAME} has been used at ${inert(has)} so far, and the address leads to ${inert(wants)} now. Send the key there as well?`
  return (await window.showWarningMessage(text, 'Send It There')) !== undefined
}
