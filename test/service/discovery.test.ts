// Finding the sign-in service: from a refused call to both metadata documents.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { startService } from '../localService/server.ts'
import { bearer, get, postJson, serviceWithKey } from './caller.ts'

test('a call without a key names the document, and the document names the sign-in service', async () => {
  await using service = await startService()
  const refused = await get(`${service.baseUrl}/v1/models`)
  assert.equal(refused.status, 401)
  const challenge = refused.headers.get('www-authenticate') ?? ''
  assert.equal(challenge, `Bearer resource_metadata="${service.baseUrl}/.well-known/oauth-protected-resource"`)
  assert.deepEqual(Object.keys(refused.json.error).sort(), ['code', 'message', 'type'])

  const resource = await get(/"(.*)"/.exec(challenge)?.[1] ?? '')
  assert.deepEqual(resource.json, {
    resource: service.baseUrl,
    resource_name: 'Kourier (local)',
    authorization_servers: [service.authUrl],
    scopes_supported: ['inference'],
    bearer_methods_supported: ['header'],
  })

  const { json } = await get(`${service.baseUrl}/.well-known/oauth-authorization-server`)
  assert.equal(json.issuer, service.authUrl)
  assert.equal(json.token_endpoint, `${service.authUrl}/oauth2/token`)
  assert.equal(json.revocation_endpoint, `${service.authUrl}/oauth2/revoke`)
  assert.deepEqual(json.grant_types_supported, ['urn:kourier:agent-auth:grant-type:claim'])
  assert.deepEqual(json.agent_auth, {
    identity_endpoint: `${service.authUrl}/agent/identity`,
    claim_endpoint: `${service.authUrl}/agent/identity/claim`,
    identity_types_supported: ['service_auth'],
  })
  assert.equal(json.authorization_endpoint, undefined, 'there is no way in through the browser yet')
})

test('every API path asks for a key, whatever the method, and says so when a key is wrong', async () => {
  await using service = await startService()
  for (const path of ['/v1/chat/completions', '/v1/responses', '/anthropic/v1/messages', '/v1/nowhere']) {
    const none = await postJson(service.baseUrl + path, {})
    assert.equal(none.status, 401, path)
    assert.doesNotMatch(none.headers.get('www-authenticate') ?? '', /error=/)
    const wrong = await postJson(service.baseUrl + path, {}, bearer('sk-bf-wrong'))
    assert.equal(wrong.status, 401, path)
    assert.match(
      wrong.headers.get('www-authenticate') ?? '',
      /^Bearer resource_metadata="[^"]+", error="invalid_token"$/,
    )
  }
})

test('the messages surface takes the key in its own header too, the chat surface does not', async () => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  const messages = await postJson(`${service.baseUrl}/anthropic/v1/messages`, {}, { 'x-api-key': key })
  assert.equal(messages.status, 404, 'let in, though there is nothing there yet')
  assert.equal((await get(`${service.baseUrl}/v1/models`, { 'x-api-key': key })).status, 401)
})

test('only names of this machine are answered, and each of them everywhere', async () => {
  await using service = await startService()
  const { port } = new URL(service.baseUrl)
  const statusFor = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const path = '/.well-known/oauth-protected-resource'
      const sent = request({ host: '127.0.0.1', port, path, headers: { host } }, answer => {
        answer.resume()
        resolve(answer.statusCode)
      })
      sent.on('error', reject).end()
    })
  for (const name of ['127.0.0.1', 'localhost', 'auth.localhost', 'AUTH.localhost', '[::1]'])
    assert.equal(await statusFor(`${name}:${port}`), 200, name)
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    'localhost:1',
    '127.0.0.1',
    `localhost.evil.example:${port}`,
  ])
    assert.equal(await statusFor(host), 421, host)
})
