// KnownServers in the editor's global state: the sign-in servers that the user has agreed to.
import type { Memento } from 'vscode'
import type { KnownServers } from '../../core/account/knownServers.ts'
import { listOf, objectOf, textOf } from '../../protocol/json.ts'

const SERVERS_KEY = 'kourier.signInServers'
const MAX_PAIRS = 32

/** Stores pairs of hosts. */
export function rememberedServers(memory: Memento): KnownServers {
  const read = () =>
    listOf(memory.get(SERVERS_KEY)).map(pair => ({
      api: textOf(objectOf(pair)?.['api']),
      server: textOf(objectOf(pair)?.['server']),
    }))
  return {
    has: (api, server) => read().some(pair => pair.api === api && pair.server === server),
    add: (api, server) => void memory.update(SERVERS_KEY, [...read(), { api, server }].slice(-MAX_PAIRS)),
  }
}
