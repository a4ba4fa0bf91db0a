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

/** What was typed stays where it was, to be corrected there. */
export function typedIn(visit: Visit | FormVisit, field: string): string {
  return 'form' in visit ? (visit.form.get(field) ?? '') : ''
}

export const staleForm = (c: Context<Env>) =>
  notice(c, 'This form is no longer good', 'Open the page again and send it once more.', 403)

/** With any email: there is no password to know, since the account is worth nothing elsewhere. */
export function signIn(visit: FormVisit): boolean {
  const email = readEmail(visit.form.get('email'))
  if (email !== undefined) signInAs(visit, email)
  return email !== undefined
}

export function signInAs({ c, parts, session }: Visit, email: string): void {
  parts.state.accounts.of(email)
  remember(c, parts, parts.state.sessions.replace(session, email))
}

export function signOut({ c, parts, session }: Visit): void {
  remember(c, parts, parts.state.sessions.replace(session))
}

/** Asks for the page anew, so that reloading it sends nothing twice, and has it show what was done. */
export function redirectWithNotice({ c, session }: Visit, path: string, part: string, sentence: string): Response {
  session.done = { part, sentence }
  return c.redirect(path, 303)
}

/** What the last form has done, shown once and in its part of the page; where the reader is, too. */
export function doneLine({ session }: Visit, part: string): Html | undefined {
  if (session.done?.part !== part) return undefined
  const { sentence } = session.done
  session.done = undefined
  return html`<p class="good" role="status" tabindex="-1" autofocus>${sentence}</p>`
}

/** The plan that a button chooses, where it is one of those buttons. */
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
  /** Shown below the box. */
  readonly help?: string
  readonly button: string
  readonly action: string
  readonly hidden?: Html
  /** Below the button: the other sign-in method. */
  readonly more?: Html
  readonly problem?: string | undefined
}

export const signInPage = (
  visit: Visit,
  { title, why, help = noPassword, button, action, hidden, problem, more }: SignInPage,
) =>
  page(visit.c, {
    title,
    status: problem === undefined ? 200 : 400,
    content: html`<form class="card" method="post" action="${action}">
<h1>${title}</h1>
${problemLine(problem)}
<p>${why}</p>
${csrfField(visit)}${hidden}
<label for="email">Email</label>
<input id="email" name="email" type="email" value="${typedIn(visit, 'email')}" autocomplete="email" required autofocus aria-describedby="email-help">
<p class="soft" id="email-help">${help}</p>
<div class="row"><button class="strong" name="action" value="sign_in">${button}</button></div>
${more}</form>`,
  })

const noPassword = 'No password is needed: this service runs on your machine only.'

/** Cookies know no ports, so two services on one machine must not share a name. */
const cookieName = ({ addresses }: Parts) => `kourier_session_${addresses.port}`

function remember(c: Context<Env>, parts: Parts, session: Session): Session {
  const secure = parts.addresses.baseUrl.startsWith('https:')
  setCookie(c, cookieName(parts), session.id, { httpOnly: true, sameSite: 'Lax', path: '/', secure })
  return session
}
