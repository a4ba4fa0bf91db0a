// What the website publishes: the API catalog, the setup skill, and what an unknown client can do with them alone.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { startService } from '../localService/server.ts'
import { email, type Json } from './caller.ts'

test('[discovery.api-catalog] the catalog is a link set that leads to every description', async () => {
  await using service = await startService()
  const { baseUrl, siteUrl } = service
  const answer = await fetch(`${baseUrl}/.well-known/api-catalog`)
  assert.equal(answer.status, 200)
  assert.equal(
    answer.headers.get('content-type'),
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  )
  const { linkset } = (await answer.json()) as Json
  const [catalog, ...apis] = linkset
  assert.equal(catalog.anchor, `${siteUrl}/.well-known/api-catalog`)
  assert.deepEqual(
    catalog.item.map(({ href }: { href: string }) => href),
    apis.map(({ anchor }: { anchor: string }) => anchor),
  )
  assert.deepEqual(
    apis.map(({ anchor }: { anchor: string }) => anchor),
    [`${baseUrl}/v1`, `${baseUrl}/anthropic`, service.authUrl],
  )
  for (const api of apis)
    for (const relation of ['service-desc', 'service-doc', 'service-meta'])
      for (const { href, type } of api[relation]) {
        const found = await fetch(onLoopback(href, baseUrl))
        assert.equal(found.status, 200, href)
        assert.ok(found.headers.get('content-type')?.startsWith(type), href)
      }

  const head = await fetch(`${baseUrl}/.well-known/api-catalog`, { method: 'HEAD' })
  assert.equal(head.headers.get('link'), `<${siteUrl}/.well-known/api-catalog>; rel="api-catalog"`)
  const home = await fetch(`${baseUrl}/`, { redirect: 'manual' })
  assert.equal(home.headers.get('link'), '</.well-known/api-catalog>; rel="api-catalog"')
})

test('[discovery.skill] an agent that reads nothing but the skill gets a key, uses it and gives it up', async () => {
  await using service = await startService({ plan: 'pro', interval: 0 })
  const { baseUrl, siteUrl, state } = service
  const answer = await fetch(onLoopback(`${siteUrl}/.well-known/agent-skills/kourier-setup/SKILL.md`, baseUrl))
  assert.match(answer.headers.get('content-type') ?? '', /^text\/markdown/)
  const text = await answer.text()
  const [, front = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? []
  assert.match(front, /^name: kourier-setup$/m)
  const description = /^description: (.+)$/m.exec(front)?.[1] ?? ''
  assert.ok(description.length > 40 && description.length <= 1024, 'as agents want it')
  for (const word of ['authorization_pending', 'slow_down', 'expired_token', 'access_denied', 'can use their plan'])
    assert.ok(text.includes(word), word)

  const commands = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, command = '']) => command)
  const [resource, server, register, poll, newCode, models, chat, revoke] = commands
  const environment: Record<string, string> = { EMAIL: email, CLIENT_NAME: 'Agent on a test machine' }
  const run = async (command = ''): Promise<Record<string, never>> => {
    const { stdout } = await promisify(execFile)('sh', ['-ec', command], { env: { ...process.env, ...environment } })
    return stdout === '' ? {} : JSON.parse(stdout)
  }
  assert.deepEqual((await run(resource))['authorization_servers'], [service.authUrl])
  assert.equal((await run(server))['issuer'], service.authUrl)
  environment['CLAIM_TOKEN'] = (await run(register))['claim_token'] ?? ''
  assert.equal((await run(poll))['error'], 'authorization_pending')
  service.clock.advance(600_000)
  assert.equal((await run(poll))['error'], 'expired_token')
  const { user_code: code } = (await run(newCode))['claim_attempt'] ?? assert.fail()
  const [registration = assert.fail()] = state.registrations.all
  assert.equal(registration.clientName, 'Agent on a test machine')
  state.registrations.approve(registration, registration.attempt, email, code)
  environment['KOURIER_API_KEY'] = (await run(poll))['access_token'] ?? ''
  assert.match(JSON.stringify(await run(models)), new RegExp(service.model))
  assert.match(JSON.stringify(await run(chat)), /"assistant"/)
  await run(revoke)
  assert.match(JSON.stringify(await run(models)), /revoked/)
})

/** Node does not know that every name under localhost is this machine. */
const onLoopback = (url: string, baseUrl: string) => new URL(new URL(url).pathname, baseUrl)
