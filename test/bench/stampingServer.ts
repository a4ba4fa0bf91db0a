// A server in a process of its own that writes into each token when it was sent, so that a reader knows how old it is.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { lastStreamFrames, streamFrame } from './streamFrame.ts'

const tokens = 100
/** Long enough for a token to be read before the next one comes. */
const everyMs = 2

/** Milliseconds since 1970 with their fractions; the same clock in every process of a machine. */
export const stamp = (): number => performance.timeOrigin + performance.now()

if (import.meta.main) {
  const server = createServer(async (incoming, outgoing) => {
    for await (const _ of incoming);
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let at = 0; at < tokens; at++) {
      outgoing.write(streamFrame({ content: `${stamp()} ` }))
      await sleep(everyMs)
    }
    outgoing.end(lastStreamFrames)
  })
  server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  process.on('disconnect', () => process.exit(0))
}
