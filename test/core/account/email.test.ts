// Which text is an address that a service could know.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emailChoices, isEmail, isNoReply } from '../../../src/core/account/email.ts'

test('addresses of people', () => {
  for (const text of ['ada@example.com', "o'brien+x@mail.example.co.uk", 'jürgen@müller.example']) {
    assert.ok(isEmail(text), text)
  }
})

test('what cannot be one', () => {
  const wrong = [
    '',
    'ada',
    'ada@',
    '@example.com',
    'ada@host',
    'a b@example.com',
    'ada@exa mple.com',
    'a@b@example.com',
  ]
  const hostile = ['ada@example.com\n', '<ada@example.com>', 'ada@example.', `${'a'.repeat(250)}@b.cd`, 'a@b.c;d']
  for (const text of [...wrong, ...hostile]) assert.ok(!isEmail(text), text)
})

test('addresses nobody reads', () => {
  const unread = ['1+ada@users.noreply.github.com', 'noreply@example.com', 'no-reply@x.test', 'DoNotReply@x.test']
  for (const text of unread) assert.ok(isNoReply(text), text)
  assert.ok(!isNoReply('replyall@example.com'))
})

test('choices come once each, in order, without what is of no use', () => {
  const found = ['Ada@example.com', 'ada@example.com', 'junk', 'x@users.noreply.github.com', 'bob@example.com']
  const choices = emailChoices(found.map((email, index) => ({ email, source: `source ${index}` })))
  assert.deepEqual(choices, [
    { email: 'Ada@example.com', source: 'source 0' },
    { email: 'bob@example.com', source: 'source 4' },
  ])
})
