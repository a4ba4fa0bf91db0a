// What the local service answers, judged by our schemas and readers: both were written from the description, neither from the other.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type * as z from 'zod/mini'
import { readText } from '../src/core/http/body.ts'
import { Log } from '../src/core/log/log.ts'
import { collect } from '../src/core/model/collect.ts'
import { readResponse } from '../src/core/model/responseReader.ts'
import { surfaces } from '../src/core/model/surfaces.ts'
import { newCode } from '../src/protocol/wire/claim.ts'
import { resourceMetadata, serverMetadata } from '../src/protocol/wire/metadata.ts'
import { modelList } from '../src/protocol/wire/models.ts'
import { readProblem } from '../src/protocol/wire/problem.ts'
import { registration } from '../src/protocol/wire/registration.ts'
import { tokenGranted } from '../src/protocol/wire/token.ts'
import { startService } from './localService/server.ts'
import { never, Wire } from './support/wire.ts'

const email = 'ada@example.com'
type Local = Awaited<ReturnType<typeof startService>>

const wire = new Wire()
after(() => wire[Symbol.dispose]())

async function ask(
  url: string,
  body?: object | URLSearchParams,
  key?: string,
): Promise<{ status: number; text: string }> {
  const isForm = body instanceof URLSearchParams
  const headers = {
    ...(body && { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }),
    ...(key && { authorization: `Bearer ${key}` }),
  }
  const sent = body && { method: 'POST' as const, body: isForm ? body.toString() : JSON.stringify(body) }
  const answer = await wire.send({ method: 'GET', url, headers, signal: never, ...sent })
  return { status: answer.status, text: await readText(answer, 1_000_000) }
}

function judged<S extends z.ZodMiniType>(schema: S, { status, text }: { status: number; text: string }): z.output<S> {
  assert.equal(status, 200, text)
  return schema.parse(JSON.parse(text))
}

async function register(local: Local) {
  const server = judged(serverMetadata, await ask(`${local.authUrl}/.well-known/oauth-authorization-server`))
  const body = { type: 'service_auth', login_hint: email, client_name: 'Kourier' }
  const registered = judged(registration, await ask(server.agent_auth?.identity_endpoint ?? '', body))
  const grant_type = server.grant_types_supported?.find(grant => grant.endsWith(':agent-auth:grant-type:claim')) ?? ''
  const form = new URLSearchParams({ grant_type, claim_token: registered.claim_token ?? '' })
  return { server, registered, poll: () => ask(server.token_endpoint ?? '', form) }
}

const asJson = (key: string) => ({ 'content-type': 'application/json', authorization: `Bearer ${key}` })

const wordOf = ({ text }: { text: string }) => readProblem(JSON.parse(text)).code

test('both documents, and that they belong together', async () => {
  await using local = await startService()
  const resource = judged(resourceMetadata, await ask(`${local.baseUrl}/.well-known/oauth-protected-resource`))
  assert.equal(resource.resource, local.baseUrl)
  assert.deepEqual(resource.authorization_servers, [local.authUrl])
  const { server } = await register(local)
  assert.equal(server.issuer, local.authUrl)
  assert.ok(server.revocation_endpoint && server.agent_auth?.claim_endpoint)
})

test('registration, polls, a new code, the key, and its end', async () => {
  await using local = await startService({ plan: 'pro' })
  const { server, registered, poll } = await register(local)
  assert.match(registered.claim_token ?? '', /^clm_/)
  assert.match(registered.registration_id ?? '', /^reg_/)
  assert.match(registered.claim.user_code ?? '', /^\d+$/)
  assert.match(registered.claim.verification_uri ?? '', /\/claim\?claim_attempt_token=cla_/)
  assert.deepEqual([registered.claim.expires_in, registered.claim.interval], [600, 5])
  assert.ok(Date.parse(registered.claim_token_expires ?? '') > local.clock.now())
  assert.equal(wordOf(await poll()), 'authorization_pending')
  assert.equal(wordOf(await poll()), 'slow_down')
  local.clock.advance(600_000)
  assert.equal(wordOf(await poll()), 'expired_token')
  const claim = { claim_token: registered.claim_token, email }
  const { attempt } = judged(newCode, await ask(server.agent_auth?.claim_endpoint ?? '', claim))
  const [known] = local.state.registrations.all
  assert.ok(known && attempt?.user_code)
  assert.equal(local.state.registrations.approve(known, known.attempt, email, attempt.user_code), 'done')
  const { access_token, token_type, scope } = judged(tokenGranted, await poll())
  assert.match(access_token, /^sk-bf-/)
  assert.deepEqual([token_type, scope], ['Bearer', 'inference'])
  assert.equal(wordOf(await poll()), 'invalid_grant')
  assert.equal((await ask(server.revocation_endpoint ?? '', new URLSearchParams({ token: access_token }))).status, 200)
  assert.equal((await ask(`${local.baseUrl}/v1/models`, undefined, access_token)).status, 401)
})

test('denied, with a reason', async () => {
  await using local = await startService({ plan: 'pro' })
  const { poll } = await register(local)
  const [known] = local.state.registrations.all
  assert.ok(known)
  local.state.registrations.deny(known, known.attempt, email)
  const problem = readProblem(JSON.parse((await poll()).text))
  assert.equal(problem.code, 'access_denied')
  assert.notEqual(problem.text ?? '', '')
})

test('the model list', async () => {
  await using local = await startService({ plan: 'pro' })
  const key = local.state.issueKey(email, 'x')
  const { data } = judged(modelList, await ask(`${local.baseUrl}/v1/models`, undefined, key))
  assert.deepEqual(
    data.map(({ id, max_input_tokens }) => [id, max_input_tokens]),
    [[local.model, 262_144]],
  )
})

test('chunks, a whole answer, and refusals', async () => {
  await using local = await startService({ plan: 'pro' })
  const key = local.state.issueKey(email, 'x')
  const url = `${local.baseUrl}/v1/chat/completions`
  const request = { model: local.model, messages: [{ role: 'user', content: 'hi' }] }
  const reply = { text: 'Let me see.', toolCalls: [{ name: 'f', arguments: { a: 1 } }] }
  local.replies.add(reply, reply)
  for (const body of [{ ...request, stream: true, stream_options: { include_usage: true } }, request]) {
    const answer = await wire.send({
      method: 'POST',
      url,
      headers: asJson(key),
      body: JSON.stringify(body),
      signal: never,
    })
    const options = { clock: wire.clock, log: new Log(), mayBeEmpty: false }
    const collected = await collect(readResponse(answer, surfaces['chat-completions'].reader, options))
    assert.equal(collected.text, 'Let me see.')
    assert.deepEqual(
      collected.calls.map(({ name, input }) => [name, input]),
      [['f', { a: 1 }]],
    )
    assert.equal(collected.why, 'tools')
    assert.ok((collected.usage?.output ?? 0) > 0)
  }
  const blocked = await ask(url, { ...request, model: 'other' }, key)
  assert.equal(readProblem(JSON.parse(blocked.text)).type, 'model_blocked')
  const nobody = await ask(url, request)
  assert.ok(nobody.status === 401 && readProblem(JSON.parse(nobody.text)).code)
})
