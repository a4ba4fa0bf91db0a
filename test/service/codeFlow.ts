// The steps that the tests of signing in with the browser repeat: ask, allow, exchange.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { Service } from '../localService/server.ts'
import { Browser, type LoadedPage } from './browser.ts'
import { type Answer, email, postForm } from './caller.ts'

export const clientId = 'kourier-vscode'
export const redirectUri = 'http://127.0.0.1:50123/callback'

export type Changed = Readonly<Record<string, string | undefined>>

export interface Attempt {
  readonly verifier: string
  /** The address of the authorize page, with parameters that are other than usual; undefined leaves one out. */
  readonly url: (changed?: Changed) => string
}

export function attemptAt(service: Service): Attempt {
  const verifier = randomBytes(32).toString('base64url')
  const usual: Changed = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'st&te=1',
  }
  const url = (changed: Changed = {}) => {
    const page = new URL('/oauth2/authorize', service.authUrl)
    for (const [name, value] of Object.entries({ ...usual, ...changed }))
      if (value !== undefined) page.searchParams.set(name, value)
    return page.href
  }
  return { verifier, url }
}

export async function signedIn(service: Service): Promise<Browser> {
  const browser = new Browser()
  await browser.open(attemptAt(service).url())
  await browser.press('Sign in', { Email: email })
  return browser
}

/** Where a page sends the user, outside the service. */
export function wayBack(shown: LoadedPage): URL {
  assert.equal(shown.status, 303, shown.words)
  assert.equal(shown.headers['cache-control'], 'no-store')
  return new URL(shown.headers.location ?? '')
}

export const parametersOf = (url: URL): Record<string, string> => Object.fromEntries(url.searchParams)

/** A code with its verifier, as the token endpoint wants them. */
export async function codeFor(service: Service, changed: Changed = {}) {
  const { url, verifier } = attemptAt(service)
  const browser = await signedIn(service)
  await browser.open(url(changed))
  const code = wayBack(await browser.press('Allow')).searchParams.get('code') ?? ''
  return { code, code_verifier: verifier }
}

export const exchange = (service: Service, fields: Readonly<Record<string, string>>): Promise<Answer> =>
  postForm(`${service.baseUrl}/oauth2/token`, {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: redirectUri,
    ...fields,
  })
