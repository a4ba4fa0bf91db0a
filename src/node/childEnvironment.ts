// The environment of the programs that we start: without the key.
import { ENVIRONMENT_NAME } from '../core/account/environmentKey.ts'

/** Also where the system takes names in capitals and small letters for the same. */
export function childEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => name.toUpperCase() !== ENVIRONMENT_NAME))
}
