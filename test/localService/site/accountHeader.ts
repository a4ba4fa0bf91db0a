// What is at the top of the pages of an account: where to go, who is signed in, the way out.
import { html } from 'hono/html'
import type { Html } from '../page.ts'
import { csrfField, type Visit } from '../pageVisit.ts'
import type { Parts } from '../parts.ts'

export const accountHeader = (visit: Visit, email: string): Html =>
  html`<form class="who" method="post" action="/sign-out">${csrfField(visit)}<span>Signed in as <strong>${email}</strong></span>
<button class="quiet" name="action" value="sign_out">Sign out</button></form>
<nav aria-label="Dashboard"><a href="/dashboard#plan">Plan</a> <a href="/dashboard#keys">API keys</a>
<a href="/dashboard#tools">Connect your tools</a>
${isAdministrator(email, visit.parts) ? html`<a href="/admin">Administration</a>` : ''}</nav>`

export const isAdministrator = (email: string, { options }: Parts): boolean =>
  email === (options.admin ?? options.seedUser)
