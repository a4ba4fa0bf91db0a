// Giving a key up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRevoked, revocationRequest } from '../../../src/core/account/revocation.ts'
import { madeOf } from '../../support/credential.ts'
import { answerOf, ScriptedHttp } from '../../support/scriptedHttp.ts'
import { never } from '../../support/wire.ts'

test('the key goes in a form and nowhere else', async () => {
  const http = new ScriptedHttp({})
  await revocationRequest(http.send, 'https://auth.example.com/oauth2/revoke', madeOf('sk-bf-1'), never)
  const [request] = http.requests
  assert.equal(request?.body, 'token=sk-bf-1')
  assert.deepEqual(request?.headers, { 'content-type': 'application/x-www-form-urlencoded' })
  assert.equal(request?.url, 'https://auth.example.com/oauth2/revoke')
})

test('any success confirms, whatever its body; nothing else does', () => {
  let closed = 0
  const judged = (status: number, body: unknown) => isRevoked(answerOf({ status, body }, 'h', () => void closed++))
  assert.ok(
    [judged(200, ''), judged(200, {}), judged(200, 'null'), judged(204, ''), judged(202, '<html>')].every(Boolean),
  )
  assert.ok([judged(302, ''), judged(400, ''), judged(401, ''), judged(503, '')].every(confirmed => !confirmed))
  assert.equal(closed, 9)
})

test('the login page of a network confirms nothing', () => {
  const page = { status: 200, body: '<html>', headers: { 'content-type': 'text/html; charset=utf-8' } }
  assert.equal(isRevoked(answerOf(page, 'h')), false)
  const empty = { status: 200, body: '', headers: { ...page.headers, 'content-length': '0' } }
  assert.equal(isRevoked(answerOf(empty, 'h')), true, 'an empty body is no page, whatever it is called')
})
