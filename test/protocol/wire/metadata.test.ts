// Both metadata documents: what has the wrong type counts as absent, what must be there is demanded.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resourceMetadata, serverMetadata } from '../../../src/protocol/wire/metadata.ts'

test('unknown members pass and unusable ones count as absent', () => {
  const resource = { resource: 'https://h', authorization_servers: ['https://a'], resource_name: 7, more: [] }
  assert.deepEqual(resourceMetadata.parse(resource), {
    resource: 'https://h',
    authorization_servers: ['https://a'],
    resource_name: undefined,
  })
  const server = serverMetadata.parse({
    issuer: 'https://a',
    token_endpoint: ['https://a/token'],
    grant_types_supported: 'authorization_code',
    agent_auth: 'yes',
  })
  assert.equal(server.token_endpoint, undefined)
  assert.equal(server.grant_types_supported, undefined)
  assert.equal(server.agent_auth, undefined)
})

test('the agent block is read under its current and its older names', () => {
  const { agent_auth } = serverMetadata.parse({
    issuer: 'https://a',
    agent_auth: { register_uri: null, claim_uri: 'https://a/claim', identity_endpoint: 'https://a/i', skill: 'x' },
  })
  assert.deepEqual(agent_auth, {
    identity_endpoint: 'https://a/i',
    register_uri: null,
    claim_uri: 'https://a/claim',
  })
})

test('without its identifiers a document says nothing', () => {
  for (const document of [{}, { resource: 'https://h', authorization_servers: [] }, { resource: 5 }, null, [], 'x']) {
    assert.ok(!resourceMetadata.safeParse(document).success)
  }
  for (const document of [{}, { issuer: 1 }, null]) assert.ok(!serverMetadata.safeParse(document).success)
})

test('a member named __proto__ changes nothing', () => {
  const document = JSON.parse('{"issuer":"https://a","__proto__":{"polluted":true},"agent_auth":{"__proto__":{"x":1}}}')
  const server = serverMetadata.parse(document)
  assert.equal((server as { polluted?: unknown }).polluted, undefined)
  assert.equal(({} as { polluted?: unknown }).polluted, undefined)
})
