// A credential shows whose it is, and its text to nobody.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { Credential, credentialText } from '../../../src/core/http/credential.ts'
import { Redactor } from '../../../src/core/log/redact.ts'

const text = 'made-by-hand-without-a-known-shape'
const facts = {
  resource: 'https://api.example.com',
  service: 'Example',
  email: 'ada@example.com',
  origin: 'registration',
} as const

test('[T10] no way to write a credential down shows its text or its email', () => {
  const credential = new Credential(text, facts, new Redactor())
  const written = [
    String(credential),
    `${credential}`,
    JSON.stringify(credential),
    JSON.stringify({ deep: [credential] }),
    inspect(credential, { showHidden: true, depth: 9 }),
    inspect({ deep: [credential] }, { showHidden: true, depth: 9 }),
    JSON.stringify({ ...credential, email: '' }),
    JSON.stringify(Reflect.ownKeys(credential).map(name => [String(name), Reflect.get(credential, name)])).replace(
      facts.email,
      '',
    ),
  ]
  for (const one of written) assert.doesNotMatch(one, /made-by-hand|ada@/, one)
  assert.equal(credentialText(credential), text)
})

test('[T10] a credential is known to the redactor from the moment it is made', () => {
  const redactor = new Redactor()
  assert.ok(redactor.redact(`x ${text}`).includes(text))
  new Credential(text, facts, redactor)
  assert.ok(!redactor.redact(`x ${text} ${encodeURIComponent(text)}`).includes(text))
})

test('two credentials are the same by text and by the API they are for', () => {
  const redactor = new Redactor()
  const one = new Credential(text, facts, redactor)
  const again = new Credential(text, { ...facts, id: 'another sign-in' }, redactor)
  const elsewhere = new Credential(text, { ...facts, resource: 'https://other.example.com' }, redactor)
  const other = new Credential('sk-bf-another-key', facts, redactor)
  assert.deepEqual(
    [again, elsewhere, other, undefined].map(it => one.hasTextOf(it)),
    [true, true, false, false],
  )
  assert.deepEqual(
    [again, elsewhere, other, undefined].map(it => one.isSame(it)),
    [true, false, false, false],
  )
})

test('[T12] every copy of the key in a text is masked, but not a key that could be a part of ordinary words', () => {
  const credential = new Credential(text, facts, new Redactor())
  assert.equal(credential.maskIn(`${text}, ${text}${text}`, '…'), '…, ……')
  assert.equal(credential.maskIn('no key', '…'), 'no key')
  assert.equal(new Credential('example', facts, new Redactor()).maskIn('for example', '…'), 'for example')
})
