// Whether a pasted key is kept: by what the service answers to it, and only if it could be asked.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isKeyAccepted } from '../../../src/core/account/keyCheck.ts'
import { ContractError, ProblemError, TransportError } from '../../../src/core/http/errors.ts'
import { madeOf } from '../../support/credential.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { type Scripted, ScriptedHttp } from '../../support/scriptedHttp.ts'
import { someService } from '../../support/signIn.ts'
import { faultOf, never } from '../../support/wire.ts'

const check = (answer: Scripted) => {
  const http = new ScriptedHttp(answer)
  return { http, accepted: isKeyAccepted(http.send, someService, madeOf('sk-bf-0123456789'), new FakeClock(), never) }
}

test('asks for the models, with the key in its header and nowhere else', async () => {
  const { http, accepted } = check({ body: { data: [] } })
  assert.equal(await accepted, true)
  const [request] = http.requests
  assert.equal(request?.url, `${someService.baseUrl}/v1/models`)
  assert.equal(request?.headers?.['authorization'], 'Bearer sk-bf-0123456789')
  assert.equal(request?.body, undefined)
})

test('a refused key is refused, whichever status says so', async () => {
  const refusals: Scripted[] = [
    { status: 401 },
    { status: 401, body: { type: 'virtual_key_not_found', error: { message: 'x' } } },
    { status: 403, body: { type: 'virtual_key_blocked', error: { message: 'is inactive' } } },
    { status: 403, body: { type: 'access_blocked', error: { message: 'is inactive' } } },
    { status: 400, body: { error: { message: 'Incorrect API key provided', type: 'invalid_request_error' } } },
    { status: 400, body: { error: { message: 'API key not valid.', status: 'INVALID_ARGUMENT' } } },
    { status: 403, body: { error: { message: 'No.', code: 'invalid_api_key' } } },
    { status: 200, body: { error: { message: 'No.', code: 'invalid_api_key' } } },
    { status: 200, body: { error: 'invalid key' } },
  ]
  for (const refusal of refusals) assert.equal(await check(refusal).accepted, false, JSON.stringify(refusal))
})

test('a list that is not there, or not for this plan, is no refusal', async () => {
  for (const status of [404, 405, 402, 403, 400]) assert.equal(await check({ status }).accepted, true, `${status}`)
})

test('a list with a remark beside it is a list', async () => {
  const lists = [{ error: null }, { data: [], error: 'one provider is missing' }, [{ id: 'a' }]]
  for (const body of lists)
    assert.equal(await check({ body: JSON.stringify(body) }).accepted, true, JSON.stringify(body))
})

test('what stands between here and the service has not accepted anything', async () => {
  const page = { body: '<html>Blocked', headers: { 'content-type': 'text/html; charset=utf-8' } }
  for (const status of [400, 402, 403, 404, 405, 451]) {
    const fault = await faultOf(check({ status, ...page }).accepted)
    assert.ok(fault instanceof ContractError && fault.what === 'html', `${status}`)
  }
  const fault = await faultOf(check({ status: 407 }).accepted)
  assert.ok(fault instanceof TransportError && fault.why === 'proxy sign-in')
})

test('a success that holds nothing but a complaint is not taken for a list', async () => {
  const fault = await faultOf(check({ body: { error: { message: 'The database is away' } } }).accepted)
  assert.ok(fault instanceof ProblemError && fault.problem.text === 'The database is away')
})

test('the login page of a network is let go of, for it may never end', async () => {
  const { http, accepted } = check({ body: '<html>', headers: { 'content-type': 'text/html' } })
  assert.ok((await faultOf(accepted)) instanceof ContractError)
  assert.equal(http.closed, 1)
})

test('a service that could not be asked has not accepted anything', async () => {
  for (const status of [429, 500, 502, 503]) {
    assert.ok((await faultOf(check({ status }).accepted)) instanceof ProblemError, `${status}`)
  }
  const pages: Scripted[] = [
    { body: 'hello', headers: { 'content-type': 'application/json' } },
    { body: '"hello"', headers: { 'content-type': 'application/json' } },
    { body: '' },
    { status: 204, body: '' },
    { body: '<html>', headers: { 'content-type': 'text/html' } },
    { status: 302, headers: { location: 'https://login.test' } },
  ]
  for (const page of pages) assert.ok((await faultOf(check(page).accepted)) instanceof ContractError)
})
