// `thisMachine`: the port `Machine` for this computer: its name, the global git email, a redirect listener.
import { hostname } from 'node:os'
import type { Machine } from '../../core/account/machine.ts'
import { globalGitEmail } from './globalGitEmail.ts'

export const thisMachine: Machine = {
  name: hostname(),
  gitEmail: globalGitEmail,
  listen: async () => {
    const { LoopbackListener } = await import('./loopbackListener.ts')
    return LoopbackListener.open()
  },
}
