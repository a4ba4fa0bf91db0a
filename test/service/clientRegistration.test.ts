// Dynamic client registration (RFC 7591): a program makes itself known, and then signs its user in.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { clientRegistrationResponse } from '../localService/schema/clientRegistration.ts'
import { type Service, startService } from '../localService/server.ts'
import { postJson } from './caller.ts'
import { attemptAt, codeFor, exchange, signedIn } from './codeFlow.ts'

const redirect_uri = 'http://127.0.0.1:7/back'

const register = (service: Service, body: unknown) => postJson(`${service.baseUrl}/oauth2/register`, body)

const open = () => startService({ plan: 'pro', dialect: { clientRegistration: 'open' } })

describe('client registration', () => {
  it('[authorize.registration] is refused where it is off', async () => {
    await using service = await startService()
    const { status, json } = await register(service, { redirect_uris: [redirect_uri] })
    assert.equal(`${status} ${json.error}`, '404 not_found')
  })

  it('[authorize.registration] gives a client that can sign its user in, under a name that nobody has checked', async () => {
    await using service = await open()
    const { status, json, headers } = await register(service, {
      client_name: 'Other <b>editor</b>',
      redirect_uris: [redirect_uri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
      software_id: 'unknown to the service',
    })
    assert.equal(status, 201)
    assert.equal(headers.get('cache-control'), 'no-store')
    clientRegistrationResponse.parse(json)
    const { client_id, client_id_issued_at, ...others } = json
    assert.ok(Math.abs(client_id_issued_at - Date.now() / 1000) < 60)
    assert.deepEqual(others, {
      client_name: 'Other <b>editor</b>',
      redirect_uris: [redirect_uri],
      // What it gets, not what it asked for (RFC 7591 3.2.1).
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    })

    const browser = await signedIn(service)
    await browser.open(attemptAt(service).url({ client_id, redirect_uri }))
    assert.match(browser.page.words, /Who asks Other <b>editor<\/b> \(client_\w+\) It gave itself this name/)
    const fields = await codeFor(service, { client_id, redirect_uri })
    const granted = await exchange(service, { ...fields, client_id, redirect_uri })
    assert.equal(granted.status, 200)
    assert.equal(service.state.keys.all[0]?.client, 'Other <b>editor</b>')
  })

  it('[authorize.loopback] holds a client to what it registered, but for the port', async () => {
    await using service = await open()
    const { client_id } = (await register(service, { redirect_uris: [redirect_uri, 'http://[::1]/other?a=1'] })).json
    const browser = await signedIn(service)
    const statusFor = async (uri: string) =>
      (await browser.open(attemptAt(service).url({ client_id, redirect_uri: uri }))).status
    assert.equal(await statusFor('http://127.0.0.1:8/back'), 200)
    assert.equal(await statusFor('http://[::1]:8/other?a=1'), 200)
    assert.equal(await statusFor('http://[::1]:8/back'), 400)
    assert.equal(await statusFor('http://127.0.0.1:8/callback'), 400)
    assert.equal(await statusFor('http://[::1]:8/other?a=2'), 400)
  })

  it('gives each client its own codes', async () => {
    await using service = await open()
    const [one, other] = [
      await register(service, { redirect_uris: [redirect_uri] }),
      await register(service, { redirect_uris: [redirect_uri] }),
    ]
    const fields = await codeFor(service, { client_id: one.json.client_id, redirect_uri })
    const stolen = await exchange(service, { ...fields, client_id: other.json.client_id, redirect_uri })
    assert.equal(stolen.json.error, 'invalid_grant')
    assert.match(stolen.json.error_description, /another client/)
  })

  it('may give a secret, and then wants it', async () => {
    await using service = await startService({ plan: 'pro', dialect: { clientRegistration: 'secret' } })
    const { json } = await register(service, { redirect_uris: [redirect_uri] })
    const { client_id, client_secret, client_secret_expires_at, token_endpoint_auth_method } = json
    assert.deepEqual([client_secret_expires_at, token_endpoint_auth_method], [0, 'client_secret_post'])
    const fields = { ...(await codeFor(service, { client_id, redirect_uri })), client_id, redirect_uri }
    const without = await exchange(service, fields)
    assert.equal(`${without.status} ${without.json.error}`, '401 invalid_client')
    assert.equal((await exchange(service, { ...fields, client_secret: 'wrong' })).status, 401)
    assert.equal((await exchange(service, { ...fields, client_secret })).status, 200)
    assert.equal(JSON.stringify(service.log.calls).includes(client_secret), false)
  })

  const good = { redirect_uris: [redirect_uri] }
  const refused: readonly (readonly [string, unknown, error: string])[] = [
    ['no addresses', {}, 'invalid_redirect_uri'],
    ['an empty list of addresses', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['an address that is a number', { redirect_uris: [7] }, 'invalid_redirect_uri'],
    ['an address elsewhere', { redirect_uris: [redirect_uri, 'https://evil.example/back'] }, 'invalid_redirect_uri'],
    ['loopback by name', { redirect_uris: ['http://localhost/back'] }, 'invalid_redirect_uri'],
    ['an address with a fragment', { redirect_uris: [`${redirect_uri}#x`] }, 'invalid_redirect_uri'],
    ['a name on two lines', { ...good, client_name: 'a\nb' }, 'invalid_client_metadata'],
    ['grants without the one there is', { ...good, grant_types: ['implicit'] }, 'invalid_client_metadata'],
    ['answers without the one there is', { ...good, response_types: ['token'] }, 'invalid_client_metadata'],
    ['a list', [good], 'invalid_client_metadata'],
    ['nothing', null, 'invalid_client_metadata'],
  ]
  for (const [name, body, error] of refused)
    it(`[authorize.registration] refuses ${name}`, async () => {
      await using service = await open()
      const { status, json } = await register(service, body)
      assert.equal(`${status} ${json.error}`, `400 ${error}`)
      assert.match(json.error_description, /^.+\.$/)
    })
})
