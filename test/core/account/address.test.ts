// Which addresses may carry a secret or be opened.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type Judged,
  judgeAddress,
  judgeBaseUrl,
  judgeEndpoint,
  judgeVerificationUri,
  plainAddress,
} from '../../../src/core/account/address.ts'
import { isLoopbackHost } from '../../../src/core/http/loopbackHost.ts'

const outcomeOf = (judged: Judged) => ('url' in judged ? judged.url.href : judged.fault)
const issuer = new URL('https://auth.example.com:8443/base')

test('a base address as a person types it', () => {
  const table: readonly [string, string][] = [
    ['https://api.example.com', 'https://api.example.com/'],
    ['  api.example.com  ', 'https://api.example.com/'],
    ['api.example.com/v1', 'https://api.example.com/'],
    ['https://api.example.com/v1/', 'https://api.example.com/'],
    ['https://api.example.com/anthropic', 'https://api.example.com/'],
    ['https://api.example.com/anthropic/v1/', 'https://api.example.com/'],
    ['https://example.com/team/v1', 'https://example.com/team'],
    ['https://example.com/team//', 'https://example.com/team'],
    ['https://example.com/v1beta', 'https://example.com/v1beta'],
    ['https://example.com/?key=1#x', 'https://example.com/'],
    ['HTTPS://API.EXAMPLE.COM', 'https://api.example.com/'],
    ['localhost:3000', 'http://localhost:3000/'],
    ['127.0.0.1:3000/v1', 'http://127.0.0.1:3000/'],
    ['auth.localhost', 'http://auth.localhost/'],
    ['http://[::1]:80', 'http://[::1]/'],
    ['http://api.example.com', 'not https'],
    ['http://0.0.0.0', 'not https'],
    ['http://169.254.169.254', 'not https'],
    ['https://user:pass@example.com', 'has a user name'],
    ['good.example.com@evil.test', 'has a user name'],
    ['user@localhost', 'has a user name'],
    ['https://exa mple.com', 'odd characters'],
    ['https://example.com\\@evil.test', 'odd characters'],
    ['https://example.com/\u0000', 'odd characters'],
    [`https://example.com/${'x'.repeat(2_048)}`, 'odd characters'],
    ['ftp://example.com', 'not an address'],
    ['file:///etc/passwd', 'not an address'],
    ['javascript:alert(1)', 'not an address'],
    ['https://', 'not an address'],
    ['', 'not an address'],
  ]
  for (const [typed, expected] of table) assert.equal(outcomeOf(judgeBaseUrl(typed)), expected, typed)
})

test('an endpoint stands on the issuer’s own origin', () => {
  const table: readonly [string, string][] = [
    ['https://auth.example.com:8443/oauth2/token', 'https://auth.example.com:8443/oauth2/token'],
    ['https://auth.example.com/oauth2/token', 'elsewhere'],
    ['https://auth.example.com.:8443/oauth2/token', 'elsewhere'],
    ['https://evil.test:8443/oauth2/token', 'elsewhere'],
    ['http://auth.example.com:8443/oauth2/token', 'not https'],
    ['http://127.0.0.1:8443/oauth2/token', 'elsewhere'],
    ['https://x@auth.example.com:8443/oauth2/token', 'has a user name'],
    ['/oauth2/token', 'not an address'],
  ]
  for (const [endpoint, expected] of table) assert.equal(outcomeOf(judgeEndpoint(endpoint, issuer)), expected, endpoint)
})

test('[T21] the page for the code is on the issuer’s host, and a relative one is completed', () => {
  const page = 'https://auth.example.com:8443/claim?claim_attempt_token=x#login_hint=a'
  const table: readonly [string, string][] = [
    [page, page],
    ['/claim?x=1', 'https://auth.example.com:8443/claim?x=1'],
    ['claim', 'https://auth.example.com:8443/claim'],
    ['//evil.test/claim', 'elsewhere'],
    ['https://good@evil.test/claim', 'has a user name'],
    ['https://auth.example.com:8443@evil.test/', 'has a user name'],
    ['https://evil.test\\@auth.example.com:8443/', 'odd characters'],
    ['https:/\n/evil.test', 'odd characters'],
    ['javascript:alert(1)', 'not an address'],
    ['vscode://kourier.kourier/x', 'not an address'],
    ['command:workbench.action.quit', 'not an address'],
    ['blob:https://auth.example.com:8443/1', 'not an address'],
    ['https://auth.example.com:8443/\u009b2J', 'odd characters'],
    ['https://auth.example.com.:8443/claim', 'elsewhere'],
    ['https://auth.example.com/claim', 'elsewhere'],
    ['https://auth.example.com:8443\u3002evil.test/claim', 'not an address'],
    ['data:text/html,x', 'not an address'],
    ['file:///c:/windows/system32/calc.exe', 'not an address'],
    ['http://auth.example.com:8443/claim', 'not https'],
    [`${page}${'x'.repeat(2_048)}`, 'odd characters'],
  ]
  for (const [uri, expected] of table) assert.equal(outcomeOf(judgeVerificationUri(uri, issuer)), expected, uri)
})

const fragment = fc.constantFrom(
  ...[
    'https:',
    'http:',
    'javascript:',
    'file:',
    '//',
    '/',
    '\\',
    '@',
    ':',
    '.',
    '#',
    '?',
    '%40',
    '%2f',
    ' ',
    '\t',
    '\n',
  ],
  ...[
    'auth.example.com',
    '8443',
    'evil.test',
    'localhost',
    '127.0.0.1',
    '[::1]',
    'user',
    '\u0000',
    '\u202e',
    'ａ',
    'xn--',
  ],
)
const home = fc
  .array(fc.constantFrom('a', '/b', '%2f', '/../', ';c=1', '?d=e&f', '#g', '@h', ':1', '//evil.test'), { maxLength: 6 })
  .map(parts => `https://auth.example.com:8443/${parts.join('')}`)
const hostile = fc.oneof(
  home,
  fc.array(fragment, { maxLength: 10 }).map(fragments => fragments.join('')),
  fc.webUrl(),
  fc.string(),
)

test('[T09] whatever passes is https or this machine, without a user name', () => {
  fc.assert(
    fc.property(hostile, text => {
      for (const judge of [judgeAddress, judgeBaseUrl]) {
        const judged = judge(text)
        if ('fault' in judged) continue
        assert.ok(judged.url.protocol === 'https:' || isLoopbackHost(judged.url.hostname), text)
        assert.deepEqual([judged.url.username, judged.url.password], ['', ''])
        assert.notEqual(judged.url.hostname, '')
      }
    }),
    { numRuns: 500 },
  )
})

test('[T20] whatever endpoint passes is on the issuer’s own origin, and its own ones do', () => {
  fc.assert(
    fc.property(hostile, text => {
      const judged = judgeEndpoint(text, issuer)
      if ('fault' in judged) return
      assert.deepEqual([judged.url.origin, judged.url.username, judged.url.password], [issuer.origin, '', ''])
    }),
    { numRuns: 500 },
  )
  fc.assert(fc.property(home, text => assert.equal(outcomeOf(judgeEndpoint(text, issuer)), new URL(text).href)))
})

test('[T21] whatever page passes is on the issuer’s host', () => {
  fc.assert(
    fc.property(hostile, text => {
      const judged = judgeVerificationUri(text, issuer)
      if ('url' in judged) {
        assert.equal(judged.url.origin, issuer.origin)
        assert.equal(judged.url.username, '')
        // What is opened is parsed in the same way by everything that opens it.
        assert.equal(new URL(judged.url.href).href, judged.url.href)
      }
    }),
    { numRuns: 500 },
  )
})

test('an address that was taken is taken again and means the same', () => {
  const path = fc
    .array(fc.constantFrom('v1', 'anthropic', 'a', '', 'v2'), { maxLength: 6 })
    .map(parts => parts.join('/'))
  fc.assert(
    fc.property(path, text => {
      const once = judgeBaseUrl(`https://h.test/${text}`)
      assert.ok('url' in once)
      const address = plainAddress(once.url)
      assert.doesNotMatch(address, /\/$|\/(v1|anthropic)$/)
      const twice = judgeBaseUrl(address)
      assert.ok('url' in twice && plainAddress(twice.url) === address)
    }),
  )
})
