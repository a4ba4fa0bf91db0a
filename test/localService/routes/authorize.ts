// The page where the user signs in, reads which program asks, and sends it back with a code or without.
import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import { type Client, mayRedirect } from '../clients.ts'
import { judgeFields, type Problem } from '../judge.ts'
import { issOf } from '../metadata.ts'
import { type Html, notice, page } from '../page.ts'
import {
  csrfField,
  type FormVisit,
  formVisitOf,
  planButtons,
  planOfButton,
  signIn,
  signInPage,
  signOut,
  staleForm,
  type Visit,
  visitOf,
} from '../pageVisit.ts'
import type { Env, Parts } from '../parts.ts'
import { withParameters } from '../redirectUri.ts'
import { isOwnResource } from '../resource.ts'
import { type AuthorizeRequest, authorizeClient, authorizeRequest } from '../schema/authorize.ts'

const path = '/oauth2/authorize'

export function authorize(parts: Parts): Hono<Env> {
  return new Hono<Env>()
    .get(path, async c => {
      const asked = await readRequest(c, new URL(c.req.url).searchParams, parts)
      return asked instanceof Response ? asked : show(asked, visitOf(c, parts))
    })
    .post(path, async c => {
      const visit = formVisitOf(c, parts)
      if (!visit) return staleForm(c)
      const asked = await readRequest(c, visit.form, parts)
      return asked instanceof Response ? asked : act(asked, visit)
    })
}

interface Asked extends AuthorizeRequest {
  readonly client: Client
}

/** Who asks is judged before what is asked: only a known address of a known client receives anything. */
function readRequest(c: Context<Env>, sent: URLSearchParams, parts: Parts): Asked | Response | Promise<Response> {
  if (parts.dialect.browserSignIn === 'absent') return notOffered(c)
  const { value: who, problem: clientProblem } = judgeFields(authorizeClient, only(sent, ['client_id', 'redirect_uri']))
  if (clientProblem) return refuse(c, clientProblem.sentence)
  const client = parts.state.clients.find(who.client_id)
  if (!client) return refuse(c, 'The program that sent you here is not known to this service.')
  if (!mayRedirect(client, who.redirect_uri, parts.dialect))
    return refuse(c, `${client.name} has not registered the address that it wants you to be sent back to.`)
  const { value, problem } = judgeFields(authorizeRequest, only(sent, parameterNames))
  const back = { c, parts, redirectUri: who.redirect_uri, state: stateOf(sent) }
  if (problem) return sendBack(back, errorOf(problem, sent), problem.sentence)
  if (value.resource !== undefined && !isOwnResource(value.resource, parts))
    return sendBack(back, 'invalid_target', 'This service has no such resource.')
  return { ...value, client }
}

const parameterNames = Object.keys(authorizeRequest.shape)

const only = (sent: URLSearchParams, wanted: readonly string[]) =>
  new URLSearchParams([...sent].filter(([name]) => wanted.includes(name)))

function stateOf(sent: URLSearchParams): string | undefined {
  const [state, second] = sent.getAll('state')
  return state === '' || second !== undefined ? undefined : state
}

/** RFC 6749 4.1.2.1. */
function errorOf({ field }: Problem, sent: URLSearchParams): string {
  const isNamedOnce = Boolean(sent.get(field)) && sent.getAll(field).length === 1
  if (field === 'response_type' && isNamedOnce) return 'unsupported_response_type'
  return field === 'scope' && isNamedOnce ? 'invalid_scope' : 'invalid_request'
}

const refuse = (c: Context<Env>, sentence: string) =>
  notice(c, 'This request cannot be answered', `${sentence} Go back to the program and try again.`, 400)

const notOffered = (c: Context<Env>) =>
  notice(c, 'There is no such page', 'This service has no sign-in with the browser.', 404)

interface WayBack {
  readonly c: Context<Env>
  readonly parts: Parts
  readonly redirectUri: string
  readonly state: string | undefined
}

const wayBack = (asked: Asked, { c, parts }: Visit): WayBack => ({
  c,
  parts,
  redirectUri: asked.redirect_uri,
  state: asked.state,
})

/** 303, so that no browser sends the form on (RFC 9700 4.12). */
function redirect({ c, parts, redirectUri, state }: WayBack, answer: Readonly<Record<string, string>>): Response {
  c.header('cache-control', 'no-store')
  c.header('referrer-policy', 'no-referrer')
  return c.redirect(withParameters(redirectUri, { ...answer, state, iss: issOf(parts) }), 303)
}

const sendBack = (back: WayBack, error: string, description: string) =>
  redirect(back, { error, error_description: description })

function act(asked: Asked, visit: FormVisit): Response | Promise<Response> {
  const { action, session } = visit
  if (action === 'deny') return sendBack(wayBack(asked, visit), 'access_denied', 'The user denied the request.')
  if (action === 'sign_in' && !signIn(visit)) return askEmail(asked, visit, 'This is no email address.')
  if (action === 'sign_out') signOut(visit)
  if (session.email === undefined) return again(asked, visit)
  const account = visit.parts.state.accounts.of(session.email)
  const plan = planOfButton(action)
  if (plan) account.plan = plan
  // The page shows no button to allow without a plan; a form made by hand comes back to the same page.
  return action === 'allow' && account.plan !== 'free' ? allow(asked, visit, account.email) : again(asked, visit)
}

function allow(asked: Asked, visit: Visit, email: string): Response {
  const code = visit.parts.state.authorizationCodes.issue({
    email,
    clientId: asked.client.id,
    clientName: asked.client.name,
    redirectUri: asked.redirect_uri,
    codeChallenge: asked.code_challenge,
  })
  return redirect(wayBack(asked, visit), { code })
}

/** After a form the page is asked for anew, so that reloading it sends nothing twice. */
const again = (asked: Asked, { c }: Visit) => c.redirect(withQuery(asked), 303)

const withQuery = (asked: Asked) => `${path}?${new URLSearchParams(parametersOf(asked))}`

const parametersOf = (asked: Asked) =>
  Object.entries(asked).filter(
    (entry): entry is [string, string] => parameterNames.includes(entry[0]) && typeof entry[1] === 'string',
  )

function show(asked: Asked, visit: Visit): Promise<Response> {
  const { email } = visit.session
  if (email === undefined) return askEmail(asked, visit)
  return visit.parts.state.accounts.of(email).plan === 'free'
    ? askPlan(asked, visit, email)
    : askConsent(asked, visit, email)
}

const hidden = (asked: Asked): Html =>
  html`${parametersOf(asked).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`

const askEmail = (asked: Asked, visit: Visit, problem?: string) =>
  signInPage(visit, {
    title: 'Sign in',
    why: `Sign in to let ${asked.client.name} use your plan. You decide on the next page.`,
    button: 'Sign in',
    action: path,
    hidden: hidden(asked),
    problem,
  })

const who = ({ client, redirect_uri: redirectUri }: Asked, email: string, { parts }: Visit): Html =>
  html`<dl>
<dt>Who asks</dt><dd><strong>${client.name}</strong> (${client.id})${client.isSelfMade ? unchecked : ''}</dd>
<dt>For whom</dt><dd>${email}</dd>
<dt>For what</dt><dd>To ask the model (inference) with your plan, until you revoke the key</dd>
<dt>Where</dt><dd>${new URL(parts.addresses.baseUrl).host}</dd>
<dt>Sent back to</dt><dd>${new URL(redirectUri).host} on this machine</dd>
</dl>`

const unchecked = html`<br>It gave itself this name; nobody has checked it.`

interface Question {
  readonly title: string
  readonly heading: string
  readonly text: string
  readonly buttons: Html
}

const ask = (asked: Asked, visit: Visit, email: string, { title, heading, text, buttons }: Question) =>
  page(visit.c, {
    title,
    formTarget: asked.redirect_uri,
    content: html`<div class="card"><h1>${heading}</h1>
${who(asked, email, visit)}
<p>${text}</p>
<form method="post" action="${path}">${csrfField(visit)}${hidden(asked)}
<div class="row">${buttons}<button name="action" value="deny">Deny</button></div>
<div class="row"><button class="quiet" name="action" value="sign_out">Use another email</button></div></form></div>`,
  })

const askPlan = (asked: Asked, visit: Visit, email: string) =>
  ask(asked, visit, email, {
    title: 'Choose a plan',
    heading: 'Choose a plan first',
    text: 'You are on the Free plan, which has no API access. Here a plan costs nothing.',
    buttons: planButtons,
  })

const askConsent = (asked: Asked, visit: Visit, email: string) =>
  ask(asked, visit, email, {
    title: 'Allow',
    heading: 'Let this program use your plan?',
    text: 'Allow only what you have started yourself.',
    buttons: html`<button class="strong" name="action" value="allow">Allow</button>`,
  })
