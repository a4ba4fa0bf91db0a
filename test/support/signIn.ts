// What tests of signing in share: a service as discovery gives it, and both clocks moving as one.
import type { Service } from '../../src/core/account/discovery.ts'
import { isRevoked, revocationRequest } from '../../src/core/account/revocation.ts'
import type { Http } from '../../src/core/http/http.ts'
import type { Service as LocalService } from '../localService/server.ts'
import { madeOf } from './credential.ts'
import { type FakeClock, settled } from './fakeClock.ts'
import { eventually } from './wire.ts'

const auth = 'https://auth.example.com'

export const someService: Service = {
  name: 'Example',
  baseUrl: 'https://api.example.com',
  resource: 'https://api.example.com',
  issuer: auth,
  identityEndpoint: `${auth}/agent/identity`,
  claimEndpoint: `${auth}/agent/identity/claim`,
  tokenEndpoint: `${auth}/oauth2/token`,
  revocationEndpoint: `${auth}/oauth2/revoke`,
  claimGrantType: 'urn:example:agent-auth:grant-type:claim',
  isRegistrationOffered: true,
  browser: undefined,
}

/** Has stray keys revoked, as an account does. */
export const revoking = (http: Http, service: Service) => (key: string) => {
  void revocationRequest(http, service.revocationEndpoint, madeOf(key), new AbortController().signal).then(isRevoked)
}

/** Knows when nothing is on its way, so that a clock may move on. */
export class Traffic {
  #underWay = 0

  readonly layer =
    (next: Http): Http =>
    async request => {
      this.#underWay++
      try {
        const answer = await next(request)
        const chunks: Uint8Array[] = []
        for await (const chunk of answer.body) chunks.push(chunk)
        return {
          ...answer,
          body: (async function* () {
            yield* chunks
          })(),
        }
      } finally {
        this.#underWay--
      }
    }

  async quiet(): Promise<void> {
    await settled()
    await eventually('everything that was asked is answered', () => this.#underWay === 0)
    await settled()
  }

  /** In small steps, on both sides of the wire. */
  async pass(seconds: number, clock: FakeClock, service?: LocalService): Promise<void> {
    for (let left = seconds; left > 0; ) {
      // Polls come at whole multiples of five seconds, so no step passes one by.
      const step = left >= 5 && clock.elapsed() % 5_000 === 0 ? 5 : 1
      await this.quiet()
      service?.clock.advance(step * 1_000)
      await clock.advance(step * 1_000)
      left -= step
    }
    await this.quiet()
  }
}
