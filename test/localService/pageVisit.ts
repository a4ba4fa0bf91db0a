// Someone at a page: the session behind its cookie, the form that was sent, signing in.
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import { type Plan, readEmail } from './accounts.ts'
import { type Html, notice, page, problemLine } from './page.ts'
import type { Env, Parts } from './parts.ts'
import { isFormOf, type Session } from './sessions.ts'

export interface Visit {
  readonly c: Context<Env>
  readonly parts: Parts
  readonly session: Session
}

export interface FormVisit extends Visit {
  readonly form: URLSearchParams
  /** The value of the button that was pressed. */
  readonly action: string
}

export function visitOf(c: Context<Env>, parts: Parts): Visit {
  const { sessions } = parts.state
  const session = sessions.find(getCookie(c, cookieName(parts)))
  return { c, parts, session: session ?? remember(c, parts, sessions.open()) }
}

/** The visit with its form; undefined where the form is not one of ours. */
export function formVisitOf(c: Context<Env>, parts: Parts): FormVisit | undefined {
  const body = c.get('body')
  const visit = visitOf(c, parts)
  if (body.kind !== 'form' || !isFormOf(visit.session, body.fields.get('csrf') ?? undefined)) return undefined
  return { ...visit, form: body.fields, action: body.fields.get('action') ?? '' }
}

export const staleForm = (c: Context<Env>) =>
  notice(c, 'This form is no longer good', 'Open the page again and send it once more.', 403)

/** With any email: there is no password to know, since the account is worth nothing elsewhere. */
export function signIn({ c, parts, session, form }: FormVisit): boolean {
  const email = readEmail(form.get('email'))
  if (email === undefined) return false
  parts.state.accounts.of(email)
  remember(c, parts, parts.state.sessions.replace(session, email))
  return true
}

export function signOut({ c, parts, session }: Visit): void {
  remember(c, parts, parts.state.sessions.replace(session))
}

/** The plan that a button stands for, where it is one of those buttons. */
export function planOfButton(action: string): Plan | undefined {
  if (action === 'choose_pro') return 'pro'
  return action === 'choose_max' ? 'max' : undefined
}

export const planButtons = html`<button class="strong" name="action" value="choose_pro">Choose Pro</button>
<button name="action" value="choose_max">Choose Max</button>`

export const csrfField = ({ session }: Visit): Html => html`<input type="hidden" name="csrf" value="${session.csrf}">`

export interface SignInPage {
  readonly title: string
  readonly why: string
  readonly button: string
  readonly action: string
  readonly hidden?: Html
  readonly problem?: string | undefined
}

export const signInPage = (visit: Visit, { title, why, button, action, hidden, problem }: SignInPage) =>
  page(visit.c, {
    title,
    status: problem === undefined ? 200 : 400,
    content: html`<form class="card" method="post" action="${action}">
<h1>${title}</h1>
${problemLine(problem)}
<p>${why}</p>
${csrfField(visit)}${hidden}
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="email" required autofocus aria-describedby="no-password">
<p class="soft" id="no-password">No password is needed: this service runs on your machine only.</p>
<div class="row"><button class="strong" name="action" value="sign_in">${button}</button></div>
</form>`,
  })

/** Cookies know no ports, so two services on one machine must not share a name. */
const cookieName = ({ addresses }: Parts) => `kourier_session_${addresses.port}`

function remember(c: Context<Env>, parts: Parts, session: Session): Session {
  setCookie(c, cookieName(parts), session.id, { httpOnly: true, sameSite: 'Lax', path: '/' })
  return session
}
