// This machine, as a sign-in needs it.
import { hostname } from 'node:os'
import type { Machine } from '../../core/account/machine.ts'
import { globalGitEmail } from './globalGitEmail.ts'
import { LoopbackListener } from './loopbackListener.ts'

export const thisMachine: Machine = {
  name: hostname(),
  gitEmail: globalGitEmail,
  listen: () => LoopbackListener.open(),
}
