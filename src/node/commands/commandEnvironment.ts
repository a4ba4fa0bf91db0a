// `commandEnvironment`, `sandboxEnvironment`: the environment of the agent's commands: nothing that waits for a key, nothing of the editor.
import { SecretValues } from '../../core/tools/secretValues.ts'
import { childEnvironment } from '../childEnvironment.ts'

const removed = /^(?:VSCODE_.*|ELECTRON_RUN_AS_NODE)$/i

const added = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  TERM: 'dumb',
  KOURIER_AGENT: '1',
} as const

/** Without our key as well. */
export function commandEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const kept = Object.entries(childEnvironment(environment)).filter(([name]) => !removed.test(name))
  return { ...Object.fromEntries(kept), ...added }
}

/** Of commands that nobody is asked about: without secrets, because what a command makes of a value cannot be masked. */
export function sandboxEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const secret = new Set(new SecretValues(environment).names)
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !secret.has(name)))
}
