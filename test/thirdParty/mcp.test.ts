// The Model Context Protocol's own client, unpatched, sent to an address that wants a key: it finds its way by the 401.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  Client,
  IssuerMismatchError,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { type Service, startService } from '../localService/server.ts'
import { bearer, email, get } from '../service/caller.ts'
import { clientId, signedIn, wayBack } from '../service/codeFlow.ts'
import { loopbackFetch } from './loopbackFetch.ts'

/** What a program around that client keeps, as its documentation asks for it. */
class MemoryOAuthProvider implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:4712/callback'
  page: URL | undefined
  #client: StoredOAuthClientInformation | undefined
  #tokens: StoredOAuthTokens | undefined
  #discovered: OAuthDiscoveryState | undefined
  #verifier = ''

  constructor(client?: StoredOAuthClientInformation) {
    this.#client = client
  }

  get clientMetadata(): OAuthClientMetadata {
    return { client_name: 'A client of MCP', redirect_uris: [this.redirectUrl] }
  }

  clientInformation = () => this.#client

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#client = client
  }

  tokens = () => this.#tokens

  saveTokens(tokens: StoredOAuthTokens): void {
    this.#tokens = tokens
  }

  codeVerifier = () => this.#verifier

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  discoveryState = () => this.#discovered

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state
  }

  redirectToAuthorization(page: URL): void {
    this.page = page
  }
}

/** It is no MCP server that it is sent to, but the way to the key is the same for every protected address. */
function connectionTo(service: Service, authProvider: MemoryOAuthProvider) {
  // The library's own option for a fetch; plain http over loopback it allows by itself.
  const transport = new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/v1/models`), {
    authProvider,
    fetch: loopbackFetch(),
  })
  return { transport, client: new Client({ name: 'test', version: '1.0.0' }) }
}

async function signIn(service: Service, provider: MemoryOAuthProvider): Promise<string> {
  const { transport, client } = connectionTo(service, provider)
  await assert.rejects(client.connect(transport), UnauthorizedError)
  const { page } = provider
  assert.ok(page)
  assert.equal(page.origin + page.pathname, `${service.authUrl}/oauth2/authorize`)
  const browser = await signedIn(service)
  await browser.open(page.href)
  const back = wayBack(await browser.press('Allow'))
  await transport.finishAuth(back.searchParams)
  return provider.tokens()?.access_token ?? ''
}

describe('the client of the Model Context Protocol', () => {
  it('[discovery.challenge] [authorize.exchange] goes from the 401 to a key, as the client it was told to be', async () => {
    await using service = await startService({ plan: 'pro' })
    const provider = new MemoryOAuthProvider({ client_id: clientId, issuer: service.authUrl })
    const key = await signIn(service, provider)
    assert.deepEqual(
      [provider.page?.searchParams.get('scope'), provider.page?.searchParams.get('resource')],
      ['inference', service.baseUrl],
    )
    assert.equal((await get(`${service.baseUrl}/v1/models`, bearer(key))).status, 200)
    const paths = service.log.calls.map(({ method, path }) => `${method} ${path.split('?')[0]}`)
    assert.equal(paths[0], 'POST /v1/models')
    assert.ok(paths.indexOf('GET /.well-known/oauth-protected-resource') > 0)
    assert.ok(paths.includes('GET /.well-known/oauth-authorization-server'))
    assert.equal(service.state.keys.of(email).length, 1)
  })

  it('[authorize.registration] registers itself where the service lets it', async () => {
    await using service = await startService({ plan: 'pro', dialect: { clientRegistration: 'open' } })
    const provider = new MemoryOAuthProvider()
    const key = await signIn(service, provider)
    assert.match(provider.clientInformation()?.client_id ?? '', /^client_/)
    assert.equal((await get(`${service.baseUrl}/v1/models`, bearer(key))).status, 200)
    assert.equal(service.state.keys.of(email)[0]?.client, 'A client of MCP')
  })

  it('[authorize.iss] takes no code where another issuer answers', async () => {
    await using service = await startService({ plan: 'pro', dialect: { issParameter: 'foreign' } })
    const provider = new MemoryOAuthProvider({ client_id: clientId, issuer: service.authUrl })
    await assert.rejects(signIn(service, provider), IssuerMismatchError)
    assert.equal(provider.tokens(), undefined)
    assert.deepEqual(service.state.keys.all, [])
  })
})
