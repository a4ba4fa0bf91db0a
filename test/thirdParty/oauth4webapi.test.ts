// The strictest OAuth client there is, unpatched: both documents with their checks, the code flow, registration, revocation.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as oauth from 'oauth4webapi'
import { type Service, startService } from '../localService/server.ts'
import { clientId, redirectUri, signedIn, wayBack } from '../service/codeFlow.ts'
import { loopbackFetch } from './loopbackFetch.ts'

// The library's own option: over loopback the service speaks plain http unless it is configured otherwise.
const options = { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: loopbackFetch() }

async function discover(service: Service, how: object = options) {
  const resourceUrl = new URL(service.baseUrl)
  const found = await oauth.resourceDiscoveryRequest(resourceUrl, how)
  const resource = await oauth.processResourceDiscoveryResponse(resourceUrl, found)
  const issuer = new URL(resource.authorization_servers?.[0] ?? '')
  const answer = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...how })
  return { resource, server: await oauth.processDiscoveryResponse(issuer, answer) }
}

const endpoint = (server: oauth.AuthorizationServer): URL => new URL(server.authorization_endpoint ?? '')

/** Sends the user to the page, who allows it, and gives what the page sent back. */
async function authorized(service: Service, server: oauth.AuthorizationServer, client: oauth.Client, redirect: string) {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const page = endpoint(server)
  page.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirect,
    scope: 'inference',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  }).toString()
  const browser = await signedIn(service)
  await browser.open(page.href)
  return { back: wayBack(await browser.press('Allow')), state, verifier }
}

const callModels = (service: Service, key: string) =>
  oauth.protectedResourceRequest(key, 'GET', new URL(`${service.baseUrl}/v1/models`), undefined, undefined, options)

describe('oauth4webapi', () => {
  it('[discovery.resource] [discovery.authorization-server] finds both documents and believes them', async () => {
    await using service = await startService()
    const { resource, server } = await discover(service)
    assert.deepEqual(resource.scopes_supported, ['inference'])
    assert.equal(server.issuer, service.authUrl)
    assert.equal(server.authorization_response_iss_parameter_supported, true)
  })

  it('[discovery.authorization-server] believes them over https too, with every check it has', async () => {
    await using service = await startService({ https: true })
    const { server } = await discover(service, { [oauth.customFetch]: loopbackFetch(service.authority) })
    assert.equal(server.issuer, service.authUrl)
  })

  it('believes an issuer with a path, and no foreign one', async () => {
    await using service = await startService({ dialect: { issuer: 'path' } })
    assert.equal((await discover(service)).server.issuer, `${service.authUrl}/tenant`)
    service.dialect.issuer = 'foreign'
    await assert.rejects(discover(service), /issuer/)
  })

  it('[discovery.challenge] reads the challenge of a call without a good key', async () => {
    await using service = await startService()
    await assert.rejects(callModels(service, 'sk-bf-unknown'), (error: unknown) => {
      assert.ok(error instanceof oauth.WWWAuthenticateChallengeError)
      const [challenge] = error.cause
      assert.equal(challenge?.scheme, 'bearer')
      assert.equal(challenge?.parameters.error, 'invalid_token')
      assert.equal(challenge?.parameters.resource_metadata, `${service.baseUrl}/.well-known/oauth-protected-resource`)
      return true
    })
  })

  it('[authorize.exchange] [authorize.iss] [key.revoke] gets a key by the code flow, uses it and gives it up', async () => {
    await using service = await startService({ plan: 'pro' })
    const { server } = await discover(service)
    const client: oauth.Client = { client_id: clientId }
    const { back, state, verifier } = await authorized(service, server, client, redirectUri)
    const parameters = oauth.validateAuthResponse(server, client, back, state)
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      redirectUri,
      verifier,
      options,
    )
    const {
      access_token: key,
      scope,
      expires_in,
    } = await oauth.processAuthorizationCodeResponse(server, client, answer)
    assert.equal(scope, 'inference')
    assert.equal(expires_in, undefined)
    assert.equal((await callModels(service, key)).status, 200)

    const revoked = await oauth.revocationRequest(server, client, oauth.None(), key, options)
    await oauth.processRevocationResponse(revoked)
    await assert.rejects(callModels(service, key), oauth.WWWAuthenticateChallengeError)
  })

  it('[authorize.denied] reads a denial, and refuses the answer of another issuer', async () => {
    await using service = await startService({ plan: 'pro' })
    const { server } = await discover(service)
    const client: oauth.Client = { client_id: clientId }
    const browser = await signedIn(service)
    const denied = wayBack(await browser.press('Deny'))
    assert.throws(
      () => oauth.validateAuthResponse(server, client, denied, 'st&te=1'),
      (error: unknown) => error instanceof oauth.AuthorizationResponseError && error.error === 'access_denied',
    )
    service.dialect.issParameter = 'foreign'
    const { back, state } = await authorized(service, server, client, redirectUri)
    assert.throws(() => oauth.validateAuthResponse(server, client, back, state), /iss/)
  })

  it('[authorize.single-use] [authorize.verifier] reads why a code is refused', async () => {
    await using service = await startService({ plan: 'pro' })
    const { server } = await discover(service)
    const client: oauth.Client = { client_id: clientId }
    const { back, state } = await authorized(service, server, client, redirectUri)
    const parameters = oauth.validateAuthResponse(server, client, back, state)
    const wrong = oauth.generateRandomCodeVerifier()
    const exchange = () =>
      oauth.authorizationCodeGrantRequest(server, client, oauth.None(), parameters, redirectUri, wrong, options)
    for (const description of [/does not fit/, /used already/]) {
      const answer = await exchange()
      await assert.rejects(oauth.processAuthorizationCodeResponse(server, client, answer), (error: unknown) => {
        assert.ok(error instanceof oauth.ResponseBodyError)
        assert.equal(error.error, 'invalid_grant')
        assert.match(error.error_description ?? '', description)
        return true
      })
    }
  })

  it('[authorize.registration] registers itself, with a secret too, and signs in as who it then is', async () => {
    for (const clientRegistration of ['open', 'secret'] as const) {
      await using service = await startService({ plan: 'pro', dialect: { clientRegistration } })
      const { server } = await discover(service)
      const redirect = 'http://127.0.0.1:4711/back'
      const metadata = { client_name: 'Stranger', redirect_uris: [redirect], token_endpoint_auth_method: 'none' }
      const registered = await oauth.dynamicClientRegistrationRequest(server, metadata, options)
      const client = await oauth.processDynamicClientRegistrationResponse(registered)
      const proof =
        typeof client['client_secret'] === 'string' ? oauth.ClientSecretPost(client['client_secret']) : oauth.None()
      const { back, state, verifier } = await authorized(service, server, client, redirect)
      const parameters = oauth.validateAuthResponse(server, client, back, state)
      const answer = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        proof,
        parameters,
        redirect,
        verifier,
        options,
      )
      const { access_token: key } = await oauth.processAuthorizationCodeResponse(server, client, answer)
      assert.equal((await callModels(service, key)).status, 200)
    }
  })
})
