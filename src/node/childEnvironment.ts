// `childEnvironment`: the environment for programs that the extension starts, without the API key.
import { ENVIRONMENT_NAME } from '../core/account/environmentKey.ts'

/** Compares names without regard to case, because Windows does so. */
export function childEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => name.toUpperCase() !== ENVIRONMENT_NAME))
}
