// The session of someone who looks at a page: its cookie, its forms, signing in.
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import { readEmail } from './accounts.ts'
import { alert, type Html, notice, page } from './page.ts'
import type { Env, Parts } from './parts.ts'
import { isFormOf, type Session } from './sessions.ts'

export function sessionOf(c: Context<Env>, parts: Parts): Session {
  const { sessions } = parts.state
  const known = sessions.find(getCookie(c, cookieName(parts)))
  if (known) return known
  return remember(c, parts, sessions.open())
}

/** Signs in with the email of the form: there is no password, since the account is worth nothing elsewhere. */
export function signIn(c: Context<Env>, parts: Parts, session: Session, form: URLSearchParams): Session | undefined {
  const email = readEmail(form.get('email'))
  if (email === undefined) return undefined
  parts.state.accounts.of(email)
  return remember(c, parts, parts.state.sessions.replace(session, email))
}

export function signOut(c: Context<Env>, parts: Parts, session: Session): void {
  remember(c, parts, parts.state.sessions.replace(session))
}

/** The form and its session, or the page to answer with where the form is not one of ours. */
export function readForm(
  c: Context<Env>,
  parts: Parts,
): { form: URLSearchParams; session: Session } | Promise<Response> {
  const body = c.get('body')
  const session = sessionOf(c, parts)
  if (body.kind !== 'form' || !isFormOf(session, body.fields.get('csrf') ?? undefined))
    return withCookies(c, notice('This form is no longer good', 'Open the page again and send it once more.', 403))
  return { form: body.fields, session }
}

/** A page is a response of its own; the cookie that was set on the way has to go with it. */
export async function withCookies(c: Context<Env>, made: Promise<Response>): Promise<Response> {
  const response = await made
  for (const cookie of c.res.headers.getSetCookie()) response.headers.append('set-cookie', cookie)
  c.res.headers.delete('set-cookie')
  return response
}

export const csrfField = (session: Session): Html => html`<input type="hidden" name="csrf" value="${session.csrf}">`

export interface SignInPage {
  readonly title: string
  readonly why: string
  readonly session: Session
  readonly button?: string
  readonly action: string
  readonly hidden?: Html
  readonly problem?: string | undefined
}

export const signInPage = (asked: SignInPage): Promise<Response> =>
  page({
    title: asked.title,
    status: asked.problem === undefined ? 200 : 400,
    content: html`<form class="card" method="post" action="${asked.action}">
<h1>${asked.title}</h1>
${alert(asked.problem)}
<p>${asked.why}</p>
${csrfField(asked.session)}${asked.hidden ?? html``}
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="email" required autofocus aria-describedby="no-password">
<p class="soft" id="no-password">No password is needed: this service runs on your machine only.</p>
<div class="row"><button class="strong" name="action" value="sign_in">${asked.button ?? 'Sign in'}</button></div>
</form>`,
  })

/** Cookies know no ports, so two services on one machine must not share a name. */
const cookieName = ({ addresses }: Parts) => `kourier_session_${addresses.port}`

function remember(c: Context<Env>, parts: Parts, session: Session): Session {
  setCookie(c, cookieName(parts), session.id, { httpOnly: true, sameSite: 'Lax', path: '/' })
  return session
}
