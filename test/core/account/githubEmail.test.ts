// The verified primary address of a GitHub session.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { githubEmail } from '../../../src/core/account/githubEmail.ts'
import { ContractError, ProblemError } from '../../../src/core/http/errors.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { type Scripted, ScriptedHttp } from '../../support/scriptedHttp.ts'
import { faultOf, never } from '../../support/wire.ts'

const entry = (email: string, primary: boolean, verified: boolean) => ({ email, primary, verified, visibility: null })
const ask = (scripted: Scripted, http = new ScriptedHttp(scripted)) =>
  githubEmail(http.send, 'gho_token', new FakeClock(), never)

test('takes the primary one when it is verified', async () => {
  const http = new ScriptedHttp({
    body: [JSON.stringify([entry('b@x.test', false, true), entry('a@x.test', true, true)])],
  })
  assert.equal(await ask({}, http), 'a@x.test')
  assert.equal(http.requests[0]?.url, 'https://api.github.com/user/emails')
  assert.equal(http.requests[0]?.headers?.['authorization'], 'Bearer gho_token')
})

test('takes no other', async () => {
  assert.equal(
    await ask({ body: [JSON.stringify([entry('a@x.test', true, false), entry('b@x.test', false, true)])] }),
    undefined,
  )
  assert.equal(await ask({ body: ['[]'] }), undefined)
})

test('a refusal and an odd answer are faults', async () => {
  assert.ok((await faultOf(ask({ status: 403, body: { message: 'no' } }))) instanceof ProblemError)
  assert.ok((await faultOf(ask({ body: { email: 'a@x.test' } }))) instanceof ContractError)
})
