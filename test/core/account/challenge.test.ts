// What a 401 reports about where to sign in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readResourceMetadata } from '../../../src/core/account/challenge.ts'

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

/** Challenges as RFC 9110 11.6.1 writes them: a scheme alone, with a token of base64, or with parameters. */
const scheme = fc.constantFrom('Bearer', 'bearer', 'Basic', 'Digest', 'Negotiate', 'DPoP', 'x-unknown')
const token68 = fc.stringMatching(/^[A-Za-z0-9._~+/-]{1,20}={0,2}$/)
const parameters = fc
  .array(
    fc.tuple(
      token,
      fc.oneof(value.map(quote), fc.stringMatching(/^[A-Za-z0-9._~-]{1,9}$/)),
      fc.constantFrom('=', ' = '),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map(list => list.map(([name, text, equals]) => `${name}${equals}${text}`).join(', '))
const otherChallenge = fc
  .tuple(scheme, fc.option(fc.oneof(token68, parameters), { nil: undefined }))
  .map(([name, rest]) => (rest === undefined ? name : `${name} ${rest}`))
const otherChallenges = fc.array(otherChallenge, { maxLength: 3 })

test('among challenges of every kind, in one header or in several, it is the one that carries the address', () => {
  const own = fc.tuple(fc.constantFrom('Bearer', 'bearer', 'BEARER', 'DPoP'), fc.option(parameters, { nil: undefined }))
  const name = fc.constantFrom('resource_metadata', 'Resource_Metadata', 'RESOURCE_METADATA')
  fc.assert(
    fc.property(otherChallenges, own, name, otherChallenges, (before, [scheme, more], wanted, after) => {
      const carrying = `${scheme} ${more === undefined ? '' : `${more}, `}${wanted}="${url}"`
      // Several headers of one name arrive joined by a comma.
      assert.equal(readResourceMetadata([...before, carrying, ...after].join(', ')), url)
      assert.equal(readResourceMetadata([...before, ...after].join(', ')), undefined)
    }),
    { numRuns: 500 },
  )
})

test('a hostile header is read in a straight line', () => {
  for (const header of ['a'.repeat(32_000), 'a="'.repeat(10_000), 'a '.repeat(16_000), `a${' '.repeat(32_000)}`]) {
    assert.equal(readResourceMetadata(header), undefined)
  }
})
