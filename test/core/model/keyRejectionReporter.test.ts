// A refusal is about the key that the request had, and about no other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Account } from '../../../src/core/account/account.ts'
import { MemoryCredentialStore } from '../../../src/core/account/credentialStore.ts'
import { bearer } from '../../../src/core/http/bearer.ts'
import { Log } from '../../../src/core/log/log.ts'
import { collect } from '../../../src/core/model/collect.ts'
import { KeyRejectionReporter } from '../../../src/core/model/keyRejectionReporter.ts'
import { SurfaceClient } from '../../../src/core/model/surfaceClient.ts'
import { made } from '../../support/credential.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { userMessage } from '../../support/messages.ts'
import { type Scripted, ScriptedHttp } from '../../support/scriptedHttp.ts'
import { faultOf, never } from '../../support/wire.ts'

const a = 'https://a.example.com'
const b = 'https://b.example.com'
const credential = (resource: string, key: string) =>
  made({ version: 1, key, resource, service: 'Example', origin: 'registration' })
const frame = `data: ${JSON.stringify({ error: { message: 'gone', code: 401 }, status: 401 })}\n\n`
const refusals: Readonly<Record<string, Scripted>> = {
  'a 401': { status: 401 },
  'a 403 about the key': { status: 403, body: { type: 'virtual_key_blocked', error: { message: 'blocked' } } },
  'an error in the stream': { headers: { 'content-type': 'text/event-stream' }, body: frame },
}

/** A window signed in at A that has asked there; the answer comes when `answer` is resolved. */
async function asking(refusal: Scripted) {
  const answer = Promise.withResolvers<Scripted>()
  const place = { origin: a }
  const http = new ScriptedHttp(() => answer.promise)
  const log = new Log()
  const account = new Account(http.send, new MemoryCredentialStore(), () => place.origin, log)
  const refused: string[] = []
  account.onDidRefuse(({ resource }) => refused.push(resource))
  await account.accept(credential(a, 'sk-bf-key-of-a'))
  const surface = () => 'chat-completions' as const
  const baseUrl = () => place.origin
  const asks = new SurfaceClient({ http: bearer(http.send, account), baseUrl, surface, clock: new FakeClock(), log })
  const client = new KeyRejectionReporter(asks, {
    credential: () => account.credential(place.origin),
    onFault: (fault, sent) => account.handleFault(fault, sent),
  })
  const request = { lane: 'chat', model: 'm', messages: [userMessage('hi')], maxTokens: 9 } as const
  const failing = faultOf(collect(client.stream(request, never)))
  await settled()
  assert.equal(http.requests[0]?.headers?.['authorization'], 'Bearer sk-bf-key-of-a')
  const refuse = () => {
    answer.resolve(refusal)
    return failing
  }
  return { account, place, refused, refuse }
}

for (const [what, refusal] of Object.entries(refusals)) {
  test(`${what} refuses the key that was sent`, async () => {
    const { account, refused, refuse } = await asking(refusal)
    await refuse()
    assert.deepEqual([account.state.is, refused], ['refused', [a]])
  })

  test(`${what} that comes after a sign-in elsewhere, or here again, refuses nobody`, async () => {
    const elsewhere = await asking(refusal)
    elsewhere.place.origin = b
    await elsewhere.account.restore()
    await elsewhere.account.accept(credential(b, 'sk-bf-key-of-b'))
    await elsewhere.refuse()
    assert.deepEqual([elsewhere.account.state.is, elsewhere.refused], ['in', []])
    const again = await asking(what === 'a 401' ? { status: 403, body: { type: 'virtual_key_blocked' } } : refusal)
    await again.account.signOut(false, never)
    await again.account.accept(credential(a, 'sk-bf-key-of-a-again'))
    await again.refuse()
    assert.deepEqual([again.account.state.is, again.refused], ['in', []])
  })
}
