// Signing up and in with a link that would go out by mail, and here is printed on the page.
import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import { readEmail } from '../accounts.ts'
import { sha256 } from '../fingerprint.ts'
import { notice, page } from '../page.ts'
import {
  csrfField,
  type FormVisit,
  formVisitOf,
  signInAs,
  signInPage,
  signOut,
  staleForm,
  type Visit,
  visitOf,
} from '../pageVisit.ts'
import type { Env, Parts } from '../parts.ts'
import { linkLifeMs, type SignInLink, type SignInLinkState } from '../signInLinks.ts'

export function signIn(parts: Parts): Hono<Env> {
  return new Hono<Env>()
    .get('/signup', c => askToSignUp(visitOf(c, parts)))
    .post('/signup', c => {
      const visit = formVisitOf(c, parts)
      return visit ? sendLink(visit, askToSignUp) : staleForm(c)
    })
    .get('/sign-in', c => askToSignIn(visitOf(c, parts), c.req.query('to')))
    .post('/sign-in', c => {
      const visit = formVisitOf(c, parts)
      return visit ? sendLink(visit, askToSignIn) : staleForm(c)
    })
    .get('/sign-in/link', c => openLink(visitOf(c, parts), c.req.query('sign_in_token') ?? ''))
    .post('/sign-in/link', c => {
      const visit = formVisitOf(c, parts)
      return visit ? useLink(visit, visit.form.get('sign_in_token') ?? '') : staleForm(c)
    })
    .post('/sign-out', c => {
      const visit = formVisitOf(c, parts)
      return visit ? leave(visit) : staleForm(c)
    })
}

function leave(visit: FormVisit): Response {
  signOut(visit)
  return visit.c.redirect('/sign-in', 303)
}

/** Only pages of our own, so that no link leads anywhere else after signing in. */
const pageNamed = (path: string | undefined | null) => (path === '/admin' ? '/admin' : '/dashboard')

type Ask = (visit: Visit, to?: string, problem?: string) => Promise<Response>

const help = 'You get a link by mail; there is no password.'

const askToSignIn: Ask = (visit, to, problem) =>
  signInPage(visit, {
    title: 'Sign in',
    why: 'Sign in with your email address to see your plan and your API keys.',
    help,
    button: 'Sign in',
    action: '/sign-in',
    hidden: html`<input type="hidden" name="to" value="${pageNamed(to)}">`,
    problem,
    more: html`<p>No account yet? <a href="/signup">Create an account</a></p>`,
  })

const askToSignUp: Ask = (visit, _to, problem) =>
  signInPage(visit, {
    title: 'Create an account',
    why: 'Any email address will do. A new account has the dashboard; a plan is chosen there.',
    help,
    button: 'Create account',
    action: '/signup',
    problem,
    more: html`<p>Have an account? <a href="/sign-in">Sign in</a></p>`,
  })

function sendLink(visit: FormVisit, askAgain: Ask): Promise<Response> {
  const { c, form, parts, session } = visit
  const to = pageNamed(form.get('to'))
  const email = readEmail(form.get('email'))
  if (email === undefined) return askAgain(visit, to, 'This is no email address. It looks like name@example.com.')
  const token = parts.state.signInLinks.open(email, to, session.id)
  const link = `${parts.addresses.authUrl}/sign-in/link?sign_in_token=${token}`
  return page(c, {
    title: 'Check your email',
    content: html`<div class="card"><h1>Check your email</h1>
<p>A link for <strong>${email}</strong> was made. It is good once, for ${linkLifeMs / 60_000} minutes.</p>
<div class="letter"><p><strong>This service is local and sends no mail.</strong> The letter would say:</p>
<p><a class="button strong" href="${link}">Sign in as ${email}</a></p>
<p class="soft">or open <code>${link}</code></p></div>
<p><a href="/sign-in">Use another email address</a></p></div>`,
  })
}

function openLink(visit: Visit, token: string): Response | Promise<Response> {
  const link = findLink(visit, token)
  if (link instanceof Promise) return link
  if (link.askedBy === sha256(visit.session.id)) return useLink(visit, token)
  // Somebody else may have sent it, to have their account used; and programs that look into mail open every link.
  return page(visit.c, {
    title: 'Sign in',
    content: html`<form class="card" method="post" action="/sign-in/link"><h1>Sign in as ${link.email}?</h1>
<p>The link was asked for in another browser. Go on only if you asked for it yourself.</p>
${csrfField(visit)}<input type="hidden" name="sign_in_token" value="${token}">
<div class="row"><button class="strong" name="action" value="use_link">Sign in as ${link.email}</button></div></form>`,
  })
}

function useLink(visit: Visit, token: string): Response | Promise<Response> {
  const link = findLink(visit, token)
  if (link instanceof Promise) return link
  visit.parts.state.signInLinks.use(link)
  signInAs(visit, link.email)
  return visit.c.redirect(link.to, 303)
}

/** A link that is still good, or the page that explains why it is not. */
function findLink({ c, parts }: Visit, token: string): SignInLink | Promise<Response> {
  const { signInLinks } = parts.state
  const link = signInLinks.find(token)
  if (!link) return deadLink(c, 'unknown')
  const state = signInLinks.stateOf(link)
  return state === 'open' ? link : deadLink(c, state)
}

type DeadLink = Exclude<SignInLinkState, 'open'> | 'unknown'

function deadLink(c: Context<Env>, state: DeadLink): Promise<Response> {
  const again = html`<p><a class="button" href="/sign-in">Get a new link</a></p>`
  return notice(c, 'This link is no longer good', sentences[state], state === 'unknown' ? 404 : 410, again)
}

const sentences: Readonly<Record<DeadLink, string>> = {
  used: 'A link signs in once, and this one has been used.',
  expired: `This link is older than ${linkLifeMs / 60_000} minutes.`,
  unknown: 'Nobody was given this link. Open it in full, as it stands in the letter.',
}
