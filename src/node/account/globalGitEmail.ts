// Reads the user's global git email, for windows without a repository.
import { execFile } from 'node:child_process'
import { homedir } from 'node:os'
import { childEnvironment } from '../childEnvironment.ts'

const TIMEOUT_MS = 1_500

/** Empty when there is no git or no email. Runs outside the workspace, because its git configuration is untrusted. */
export function globalGitEmail(): Promise<string> {
  return new Promise(resolve => {
    const options = { cwd: homedir(), env: childEnvironment(), timeout: TIMEOUT_MS, windowsHide: true }
    execFile('git', ['config', '--global', 'user.email'], options, (fault, stdout) =>
      resolve(fault ? '' : stdout.trim()),
    )
  })
}
