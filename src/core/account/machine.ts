// Port: what a sign-in needs of its machine (name, git email, redirect listener).
import type { RedirectListener } from './redirectListener.ts'

export interface Machine {
  /** Its name, as its user knows it. */
  readonly name: string
  /** The user's global git email; empty where there is none. */
  gitEmail(): Promise<string>
  /** Begins to listen for the redirect of one sign-in, on a port that the system chooses. */
  listen(): Promise<RedirectListener>
}
