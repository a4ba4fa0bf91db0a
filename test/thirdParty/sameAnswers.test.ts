// Our client and the official packages read the same bytes: the same text, the same calls, the same usage.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { systemClock } from '../../src/base/clock.ts'
import { collect } from '../../src/core/model/collect.ts'
import type { ModelRequest } from '../../src/core/model/modelClient.ts'
import { type SurfaceId, surfaceIds } from '../../src/core/model/surfaceIds.ts'
import { surfaces } from '../../src/core/model/surfaces.ts'
import { composedStreams } from '../fixtures/composedStreams.ts'
import type { Reply } from '../localService/replies.ts'
import { serviceWithKey } from '../service/caller.ts'
import { userMessage } from '../support/messages.ts'
import { surfaceClient } from '../support/surfaceClient.ts'
import { never, type Peer, peer, Wire } from '../support/wire.ts'
import { type ParsedAnswer, readOfficially, type Way } from './officialReading.ts'

/** An answer as it came over the wire. */
interface Recorded {
  readonly type: string
  readonly body: string
}

/** Gives the same answer to every request. */
const replaying = ({ type, body }: Recorded): Promise<Peer> =>
  peer((incoming, outgoing) => {
    incoming.resume()
    outgoing.writeHead(200, { 'content-type': type }).end(body)
  })

async function ourReading(surface: SurfaceId, origin: string): Promise<ParsedAnswer> {
  using wire = new Wire()
  const request: ModelRequest = { model: 'm', messages: [userMessage('Hello')], lane: 'chat' }
  const collected = await collect(surfaceClient(wire.send, origin, systemClock, surface).stream(request, never))
  return {
    text: collected.text,
    calls: collected.calls.map(({ name, input }) => [name, input] as const),
    usage: collected.usage,
  }
}

/** The service's answer to a bare question, as bytes. */
async function recorded(surface: SurfaceId, reply: Reply, isStream: boolean): Promise<Recorded> {
  const { service, key } = await serviceWithKey()
  service.replies.add(reply)
  const asked = { model: service.model, stream: isStream, ...questions[surface] }
  const options = isStream && surface === 'chat-completions' ? { stream_options: { include_usage: true } } : {}
  const answer = await fetch(service.baseUrl + surfaces[surface].path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ ...asked, ...options }),
  })
  const body = await answer.text()
  await service.close()
  assert.equal(answer.status, 200, body)
  return { type: answer.headers.get('content-type') ?? '', body }
}

const messages = [{ role: 'user', content: 'Hello' }]
const questions = {
  'chat-completions': { messages },
  responses: { input: 'Hello' },
  messages: { messages, max_tokens: 1_000 },
} as const satisfies Record<SurfaceId, object>

const replies: Readonly<Record<string, Reply>> = {
  'a text': { text: 'Grüße 🎈 to you, and to “all”.' },
  'a text after thinking': { reasoning: 'Hm, ä.', text: 'Good day.' },
  'a text and calls side by side': {
    text: 'Let me see.',
    toolCalls: [
      { name: 'weather', arguments: { city: 'Malmö', days: [1, 2], at: { '🌍': null } } },
      { name: 'weather', arguments: { city: 'Rome' } },
      { name: 'now', arguments: {} },
    ],
  },
  'a call alone': { toolCalls: [{ name: 'now', arguments: {} }] },
}

for (const surface of surfaceIds)
  describe(`${surface}, as the service writes it`, () => {
    for (const [name, reply] of Object.entries(replies))
      for (const ways of [['whole'], ['helper', 'loop']] as const satisfies Way[][]) {
        const isStream = ways[0] !== 'whole'
        it(`${name}, ${isStream ? 'streamed' : 'whole'}`, async () => {
          await using server = await replaying(await recorded(surface, reply, isStream))
          const ours = await ourReading(surface, server.origin)
          assert.equal(ours.text, reply.text ?? '')
          assert.equal(ours.calls.length, reply.toolCalls?.length ?? 0)
          assert.ok(ours.usage && ours.usage.input > 0 && ours.usage.output > 0)
          for (const way of ways) assert.deepEqual(await readOfficially(surface, server.origin, way), ours, way)
        })
      }
  })

/** What the packages' plain loops make something else of: they throw, lose a part, or take a half for a whole. */
const beyond: ReadonlySet<string> = new Set([
  'an event name without data',
  'usage with a zero at the end, where a gateway counts nothing any more',
  'the stream’s end without the answer’s',
  'calls without index, distinguished by id',
  'two calls that both count as number 0',
  'a call whose pieces have neither index nor id',
  'two whole calls as number 0, without ids',
  'the name in full with each piece',
  'arguments as an object',
  'a call that the limit has cut',
  'a refusal in words',
  'frames without choices, before, between and after',
  'the whole so far, and never a delta',
  'other choices, and an unknown reason',
  'content in parts, reasoning among them',
  'reasoning between tags in the text',
  'reasoning between tags, and no text',
  'an event name that contradicts the data',
  'text without a delta: as a part',
  'text without a delta: as an item',
  'nothing but the end, which holds it all',
  'a call that only the whole response has',
  'arguments only at the end, and an item without text',
  'two texts in one answer',
  'a refusal',
  'a refusal that is only its end',
  'the limit',
  'a cut call in a response that counts as complete',
  'a call that begins whole',
  'a beginning without its message',
  'no event names at all',
  'the limit, in the middle of a call without its end',
  'members that mean failures elsewhere, beside an answer',
  'a tool of the service that failed, and unknown events',
])
/** Of these one has a call that is not whole; the others of the same name have none. */
const beyondOn: Readonly<Record<string, SurfaceId>> = { 'the stream’s end without the answer’s': 'chat-completions' }

describe('streams composed by hand', () => {
  for (const { surface, name, body, expected } of composedStreams) {
    if (typeof expected.ends !== 'string') continue
    const isBeyond = beyond.has(name) && (beyondOn[name] ?? surface) === surface
    it(`${surface}: ${name}${isBeyond ? ', of which only we make what it says' : ''}`, async () => {
      await using server = await replaying({ type: 'text/event-stream', body })
      const ours = await ourReading(surface, server.origin)
      const theirs = await readOfficially(surface, server.origin, 'loop').catch(() => undefined)
      if (isBeyond) assert.notDeepEqual(theirs, ours)
      else assert.deepEqual(theirs, ours, String(expected.ends))
    })
  }
})
