// Finding the sign-in service: from a refused call to both metadata documents.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { resourceMetadata, serverMetadata } from '../localService/schema/metadata.ts'
import { startService } from '../localService/server.ts'
import { bearer, get, postForm, postJson, serviceWithKey } from './caller.ts'

test('[discovery.challenge] a call without a key is told where the document is', async () => {
  await using service = await startService()
  const refused = await get(`${service.baseUrl}/v1/models`)
  assert.equal(refused.status, 401)
  const challenge = refused.headers.get('www-authenticate') ?? ''
  assert.equal(challenge, `Bearer resource_metadata="${service.baseUrl}/.well-known/oauth-protected-resource"`)
  assert.deepEqual(Object.keys(refused.json.error).sort(), ['code', 'message', 'param', 'type'])
  const named = await get(/"(.*)"/.exec(challenge)?.[1] ?? '')
  assert.equal(named.json.resource, service.baseUrl)
})

test('[discovery.resource] the document of the resource names the sign-in service', async () => {
  await using service = await startService()
  const { status, headers, json } = await get(`${service.baseUrl}/.well-known/oauth-protected-resource`)
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'application/json')
  assert.deepEqual(resourceMetadata.parse(json), json)
  assert.deepEqual(json, {
    resource: service.baseUrl,
    resource_name: 'Kourier (local)',
    authorization_servers: [service.authUrl],
    scopes_supported: ['inference'],
    bearer_methods_supported: ['header'],
  })
})

test('[discovery.authorization-server] [discovery.agent-auth] the document of the sign-in service names its endpoints', async () => {
  await using service = await startService()
  const { authUrl } = service
  const { status, headers, json } = await get(`${service.baseUrl}/.well-known/oauth-authorization-server`)
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'application/json')
  assert.deepEqual(serverMetadata.parse(json), json)
  assert.deepEqual(json, {
    issuer: authUrl,
    authorization_endpoint: `${authUrl}/oauth2/authorize`,
    token_endpoint: `${authUrl}/oauth2/token`,
    revocation_endpoint: `${authUrl}/oauth2/revoke`,
    grant_types_supported: ['authorization_code', 'urn:kourier:agent-auth:grant-type:claim'],
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    scopes_supported: ['inference'],
    agent_auth: {
      identity_endpoint: `${authUrl}/agent/identity`,
      claim_endpoint: `${authUrl}/agent/identity/claim`,
      identity_types_supported: ['service_auth'],
    },
  })
})

test('[discovery.authorization-server] every endpoint that it names is there', async () => {
  await using service = await startService({ dialect: { clientRegistration: 'open' } })
  const { json } = await get(`${service.baseUrl}/.well-known/oauth-authorization-server`)
  const named: string[] = [json, json.agent_auth].flatMap(document =>
    Object.entries(document).flatMap(([name, value]) => (name.endsWith('_endpoint') ? [String(value)] : [])),
  )
  assert.equal(named.length, 6)
  for (const endpoint of named) {
    const answer = await postForm(endpoint.replace(service.authUrl, service.baseUrl), {})
    assert.ok([400, 403].includes(answer.status), `${endpoint} answers ${answer.status}`)
  }
})

test('[discovery.challenge-every-route] every API path asks for a key, known or not, whatever the method', async () => {
  await using service = await startService()
  const paths = [
    '/v1',
    '/v1/models',
    '/v1/chat/completions',
    '/v1/responses',
    '/v1/nowhere',
    '/anthropic',
    '/anthropic/v1/messages',
    '/anthropic/x',
  ]
  for (const path of paths)
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const challengeFor = async (headers: Record<string, string>) => {
        const { status, headers: answered } = await fetch(service.baseUrl + path, { method, headers })
        assert.equal(status, 401, `${method} ${path}`)
        return answered.get('www-authenticate') ?? ''
      }
      assert.match(await challengeFor({}), /^Bearer resource_metadata="[^"]+"$/)
      assert.match(
        await challengeFor(bearer('sk-bf-wrong')),
        /^Bearer resource_metadata="[^"]+", error="invalid_token"$/,
      )
    }
})

test('the messages surface takes the key in its own header too, the chat surface does not', async () => {
  const { service, key } = await serviceWithKey()
  await using _ = service
  const messages = await postJson(`${service.baseUrl}/anthropic/v1/messages`, {}, { 'x-api-key': key })
  assert.equal(messages.status, 400, 'let in, and read')
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
