// Who is signed in on the pages, and the mark that proves a form came from them.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { sha256 } from './fingerprint.ts'

export interface Session {
  readonly id: string
  readonly csrf: string
  readonly email: string | undefined
  /** What the last form has done, for the next page to show once. */
  done: Done | undefined
}

export interface Done {
  /** The part of the page that shows it. */
  readonly part: string
  readonly sentence: string
}

export class Sessions {
  readonly #byId = new Map<string, Session>()

  find(id: string | undefined): Session | undefined {
    return id === undefined ? undefined : this.#byId.get(id)
  }

  open(email?: string): Session {
    const session = { id: random(), csrf: random(), email, done: undefined }
    this.#byId.set(session.id, session)
    return session
  }

  /** Signing in and out makes a new session, so an id that was planted before is worth nothing after. */
  replace(old: Session, email?: string): Session {
    this.#byId.delete(old.id)
    return this.open(email)
  }
}

export const isFormOf = (session: Session, csrf: string | undefined): boolean =>
  csrf !== undefined && timingSafeEqual(Buffer.from(sha256(csrf)), Buffer.from(sha256(session.csrf)))

const random = () => randomBytes(24).toString('base64url')
