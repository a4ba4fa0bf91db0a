// Keys of other services are found by their shape, and what is written about them is not taken for one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { otherKeysIn, withoutOtherKeys } from '../../src/base/otherKeys.ts'

/** Random characters, the same in each run. */
const body = (length: number) => 'a8Kd03mZq71xWcR5tYpLb9NvE2hUsJ6gF4oGiQ'.repeat(4).slice(0, length)
const base64 = `${`${body(64)}\n`.repeat(6)}`

const keys: readonly (readonly [owner: string, text: string, mask: string])[] = [
  ['OpenAI', `sk-proj-${body(40)}`, 'sk-proj-…'],
  ['OpenAI', `sk-${body(48)}`, 'sk-…'],
  ['Anthropic', `sk-ant-api03-${body(80)}`, 'sk-ant-…'],
  ['OpenRouter', `sk-or-v1-${body(64)}`, 'sk-or-…'],
  ['GitHub', `ghp_${body(36)}`, 'ghp_…'],
  ['GitHub', `github_pat_${body(22)}_${body(59)}`, 'github_pat_…'],
  ['GitLab', `glpat-${body(20)}`, 'glpat-…'],
  ['Amazon Web Services', `AKIA${body(60).toUpperCase().slice(0, 16)}`, 'AKIA…'],
  ['Google', `AIza${body(35)}`, 'AIza…'],
  ['Slack', `xoxb-1234567890-${body(24)}`, 'xoxb-…'],
  ['Stripe', `sk_live_${body(24)}`, 'sk_live_…'],
  ['npm', `npm_${body(36)}`, 'npm_…'],
  ['PyPI', `pypi-AgE${body(80)}`, 'pypi-AgE…'],
  ['Hugging Face', `hf_${body(34)}`, 'hf_…'],
  ['SendGrid', `SG.${body(22)}.${body(43)}`, 'SG.…'],
  ['', `-----BEGIN RSA PRIVATE KEY-----\n${base64}-----END RSA PRIVATE KEY-----`, '-----BEGIN RSA PRIVATE KEY-----…'],
  ['', `-----BEGIN PRIVATE KEY-----\\n${body(64)}\\n${body(64)}`, '-----BEGIN PRIVATE KEY-----…'],
  [
    '',
    `-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n${base64}`,
    '-----BEGIN EC PRIVATE KEY-----…',
  ],
]

for (const [owner, key, mask] of keys)
  test(`[T12] ${owner === '' ? 'a private key' : `a key of ${owner}`} is found and masked: ${mask}`, () => {
    for (const text of [key, `KEY="${key}"`, `a ${key}, b`, `${key.trimEnd()}"; ${key}`]) {
      assert.equal(otherKeysIn(text)[0]?.owner, owner, text)
      assert.deepEqual(otherKeysIn(withoutOtherKeys(text)), [])
    }
    assert.equal(withoutOtherKeys(`is ${key.trimEnd()}.`), `is ${mask}.`)
  })

test('what is written about keys, and what only looks like one, is left as it is', () => {
  const texts = [
    '',
    'sk-proj-…',
    'A key begins with ghp_ or github_pat_, and one of AWS with AKIA.',
    `ghp_${'x'.repeat(36)}`,
    `sk-proj-${'X'.repeat(40)}`,
    'The header -----BEGIN PRIVATE KEY----- marks it; see RFC 7468.',
    '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAuuvK3Jx7w0a\n-----END PUBLIC KEY-----',
    `task-${body(60)}`,
    'npm_config_registry and hf_transfer',
    `sha512-${body(86)}==`,
  ]
  for (const text of texts) {
    assert.deepEqual(otherKeysIn(text), [], text)
    assert.equal(withoutOtherKeys(text), text)
  }
})
