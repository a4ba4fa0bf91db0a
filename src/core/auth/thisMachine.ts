// This machine, as a sign-in needs it.
import { hostname } from 'node:os'
import { globalGitEmail } from './gitEmail.ts'
import { LoopbackListener } from './loopback.ts'
import type { Machine } from './machine.ts'

export const thisMachine: Machine = {
  name: hostname(),
  gitEmail: globalGitEmail,
  listen: () => LoopbackListener.open(),
}
