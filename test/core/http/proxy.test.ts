// Which proxy a request goes through.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TransportError } from '../../../src/core/http/errors.ts'
import { type Environment, type ProxySettings, routeOf } from '../../../src/core/http/proxy.ts'

const none: ProxySettings = {
  url: '',
  authorization: undefined,
  except: [],
  isOff: false,
  strictTls: true,
  systemCertificates: true,
}
const editor = 'http://editor.proxy:1'
const other = 'http://env.proxy:2'

const table: readonly [string, string, Partial<ProxySettings>, Environment, string | undefined][] = [
  ['nothing is set', 'https://h.test', {}, {}, undefined],
  ['the editor has one', 'https://h.test', { url: editor }, {}, editor],
  ['the way many write it', 'https://h.test', { url: 'editor.proxy:1' }, {}, 'http://editor.proxy:1'],
  ['with spaces around it', 'https://h.test', { url: ` ${editor} ` }, {}, editor],
  ['with a percent sign that is spelled', 'https://h.test', { url: 'http://a:%25@p:1' }, {}, 'http://a:%25@p:1'],
  ['the editor outranks the environment', 'https://h.test', { url: editor }, { https_proxy: other }, editor],
  ['the environment has one', 'https://h.test', {}, { https_proxy: other }, other],
  ['in upper case', 'https://h.test', {}, { HTTPS_PROXY: other }, other],
  ['lower case outranks upper case', 'https://h.test', {}, { https_proxy: other, HTTPS_PROXY: 'http://no:1' }, other],
  ['for all', 'https://h.test', {}, { ALL_PROXY: other }, other],
  ['for https only', 'http://h.test', {}, { https_proxy: other }, undefined],
  ['for http', 'http://h.test', {}, { http_proxy: other }, other],
  ['a request header could have set HTTP_PROXY', 'http://h.test', {}, { HTTP_PROXY: other }, undefined],
  ['for http, which the editor takes for https too', 'https://h.test', {}, { http_proxy: other }, other],
  ['the same in upper case', 'https://h.test', {}, { HTTP_PROXY: other, ALL_PROXY: 'http://no:1' }, other],
  ['one for https outranks it', 'https://h.test', {}, { HTTPS_PROXY: other, http_proxy: 'http://no:1' }, other],
  ['a SOCKS proxy', 'https://h.test', {}, { all_proxy: 'socks5h://ada:x@s.test:1080' }, 'socks5h://ada:x@s.test:1080'],
  [
    'a SOCKS proxy, the name looked up here',
    'https://h.test',
    {},
    { all_proxy: 'socks5://s.test:1' },
    'socks5://s.test:1',
  ],
  ['all are off', 'https://h.test', { url: editor, isOff: true }, { https_proxy: other }, undefined],
  ['loopback by number', 'http://127.0.0.1:3', { url: editor }, { http_proxy: other }, undefined],
  ['loopback by name', 'http://auth.localhost:3', { url: editor }, { ALL_PROXY: other }, undefined],
  ['the editor’s exception', 'https://h.test', { url: editor, except: ['h.test'] }, { https_proxy: other }, undefined],
  ['an exception of all below', 'https://a.h.test', { url: editor, except: ['.h.test'] }, {}, undefined],
  ['an exception with a star', 'https://a.h.test', { url: editor, except: ['*.h.test'] }, {}, undefined],
  ['a name that only ends alike', 'https://ah.test', { url: editor, except: ['h.test'] }, {}, editor],
  ['an exception of everything', 'https://h.test', { url: editor, except: [' * '] }, {}, undefined],
  ['an exception of this port', 'https://h.test', { url: editor, except: ['h.test:443'] }, {}, undefined],
  ['an exception of another port', 'https://h.test', { url: editor, except: ['h.test:80'] }, {}, editor],
  ['an empty exception', 'https://h.test', { url: editor, except: ['', ' '] }, {}, editor],
  ['no_proxy of the environment', 'https://h.test', {}, { https_proxy: other, NO_PROXY: 'x.test, H.TEST' }, undefined],
  ['no_proxy speaks for the editor too', 'https://h.test', { url: editor }, { no_proxy: 'h.test' }, undefined],
  ['but not where the editor has its own', 'https://h.test', { url: editor, except: ['x'] }, { no_proxy: '*' }, editor],
  ['which speaks for all', 'https://h.test', { except: ['h.test'] }, { https_proxy: other }, undefined],
]

for (const [name, url, settings, environment, proxy] of table) {
  test(name, () => assert.equal(routeOf(new URL(url), { ...none, ...settings }, environment).proxy, proxy))
}

const broken = [
  'http://',
  'my proxy:8080',
  'proxy.example:99999',
  'ftp://proxy.example',
  'pac+http://proxy.example/x',
  'socks4://proxy.example',
  'http://ada:100%25%@proxy.example',
]

for (const value of broken) {
  test(`${value} is no proxy: nothing goes around it, and the setting is named`, () => {
    const url = new URL('https://h.test')
    const named = (setting: string) => (fault: unknown) => {
      assert.ok(fault instanceof TransportError)
      assert.deepEqual([fault.host, fault.where, fault.why], ['h.test', 'before sending', 'proxy address'])
      assert.equal(fault.setting, setting)
      assert.ok(!fault.message.includes(value), 'it may hold a password')
      return true
    }
    assert.throws(() => routeOf(url, { ...none, url: value }, { https_proxy: other }), named('http.proxy'))
    assert.throws(() => routeOf(url, none, { HTTPS_PROXY: value }), named('HTTPS_PROXY'))
    assert.equal(routeOf(url, { ...none, url: value, except: ['h.test'] }, {}).proxy, undefined)
    assert.equal(routeOf(new URL('http://127.0.0.1:1'), { ...none, url: value }, {}).proxy, undefined)
  })
}

test("the editor's proxy password goes to the editor's proxy only", () => {
  const settings = { ...none, authorization: 'Basic abc' }
  const url = new URL('https://h.test')
  assert.equal(routeOf(url, { ...settings, url: editor }, {}).authorization, 'Basic abc')
  assert.equal(routeOf(url, settings, { https_proxy: other }).authorization, undefined)
  assert.equal(routeOf(url, settings, {}).authorization, undefined)
})

test('what is said about certificates holds on every way', () => {
  const route = routeOf(new URL('https://h.test'), { ...none, strictTls: false, systemCertificates: false }, {})
  assert.deepEqual([route.strictTls, route.systemCertificates], [false, false])
})
