// The sign-in servers that the user has agreed to, as this editor keeps them in mind.
import type { Memento } from 'vscode'
import * as z from 'zod/mini'
import type { KnownServers } from '../../core/account/knownServers.ts'

const PAIRS = 'kourier.signInServers'
const LONGEST = 32
const pairs = z.array(z.object({ api: z.string(), server: z.string() }))

/** Hosts alone stand in it. */
export function rememberedServers(memory: Memento): KnownServers {
  const read = () => pairs.safeParse(memory.get(PAIRS)).data ?? []
  return {
    has: (api, server) => read().some(pair => pair.api === api && pair.server === server),
    add: (api, server) => void memory.update(PAIRS, [...read(), { api, server }].slice(-LONGEST)),
  }
}
