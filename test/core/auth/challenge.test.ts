// What a 401 says about where to sign in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readResourceMetadata } from '../../../src/core/auth/challenge.ts'

const url = 'https://h/.well-known/oauth-protected-resource'

test('the parameter is found however it is written', () => {
  const headers = [
    `Bearer resource_metadata="${url}"`,
    `bearer RESOURCE_METADATA="${url}"`,
    `Bearer resource_metadata=${url}`,
    `Bearer resource_metadata = "${url}"`,
    `Bearer realm="a, b", error="invalid_token", resource_metadata="${url}", scope="x"`,
    `Basic realm="x", Bearer resource_metadata="${url}"`,
    `Negotiate abc==, Bearer error_description="resource_metadata=no", resource_metadata="${url}"`,
    `DPoP algs="ES256", Bearer realm="q\\"q", resource_metadata="${url}"`,
  ]
  for (const header of headers) assert.equal(readResourceMetadata(header), url, header)
})

test('what only looks like it is not taken', () => {
  const headers = [
    undefined,
    '',
    'Bearer',
    'Bearer realm="resource_metadata=https://evil.test"',
    `Bearer x_resource_metadata="${url}"`,
    `Bearer error_description="say \\"resource_metadata=https://evil.test\\" now"`,
  ]
  for (const header of headers) assert.equal(readResourceMetadata(header), undefined, header)
})

const token = fc.stringMatching(/^[a-z_-]{1,12}$/).filter(name => name !== 'resource_metadata')
const value = fc.string({ unit: fc.constantFrom('a', '"', '\\', ',', '=', ' ', ':', '/', 'resource_metadata=') })
const quote = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`

test('any parameters around it change nothing', () => {
  const parameter = fc.tuple(token, value).map(([name, text]) => `${name}=${quote(text)}`)
  const some = fc.array(parameter, { maxLength: 3 })
  fc.assert(
    fc.property(some, value, some, fc.constantFrom(', ', ',', ' , '), (before, wanted, after, comma) => {
      const header = `Bearer ${[...before, `resource_metadata=${quote(wanted)}`, ...after].join(comma)}`
      assert.equal(readResourceMetadata(header), wanted)
      assert.equal(readResourceMetadata(`Bearer ${[...before, ...after].join(comma)}`), undefined)
    }),
  )
})

test('a hostile header is read in a straight line', () => {
  for (const header of ['a'.repeat(32_000), 'a="'.repeat(10_000), 'a '.repeat(16_000), `a${' '.repeat(32_000)}`]) {
    assert.equal(readResourceMetadata(header), undefined)
  }
})
