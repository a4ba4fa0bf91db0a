// The administrator's page: who has which plan, Omega by hand, activation codes.
import { Hono } from 'hono'
import { html } from 'hono/html'
import { notice, page } from '../page.ts'
import { type FormVisit, formVisitOf, redirectWithNotice, staleForm, type Visit, visitOf } from '../pageVisit.ts'
import type { Env, Parts } from '../parts.ts'
import { accountHeader, isAdministrator } from '../site/accountHeader.ts'
import { accountsSection } from '../site/accountsSection.ts'
import { codesSection, type NewCode } from '../site/codesSection.ts'

export function admin(parts: Parts): Hono<Env> {
  return new Hono<Env>()
    .get('/admin', c => {
      const visit = visitOf(c, parts)
      return refusal(visit) ?? show(visit)
    })
    .post('/admin', c => {
      const visit = formVisitOf(c, parts)
      return visit ? (refusal(visit) ?? act(visit)) : staleForm(c)
    })
}

/** What everybody gets who is no administrator. */
function refusal({ c, session, parts }: Visit): Response | Promise<Response> | undefined {
  if (session.email === undefined) return c.redirect('/sign-in?to=/admin', 303)
  if (isAdministrator(session.email, parts)) return undefined
  const sentence = `You are signed in as ${session.email}. Who administers this service is said when it starts, with --admin.`
  const back = html`<p><a class="button" href="/dashboard">Back to the dashboard</a></p>`
  return notice(c, 'Only for the administrator', sentence, 403, back)
}

function act(visit: FormVisit): Response | Promise<Response> {
  const { action, form } = visit
  if (action === 'assign_omega') return assignOmega(visit)
  if (action === 'make_code') return makeCode(visit)
  return form.has('withdraw') ? withdrawCode(visit) : show(visit)
}

const mostRequests = 1000

function assignOmega(visit: FormVisit): Response | Promise<Response> {
  const { form, parts } = visit
  const account = parts.state.accounts.find(form.get('email') ?? '')
  if (!account) return show(visit, { accountProblem: 'There is no such account.' })
  const typed = form.get('requests')?.trim() ?? ''
  const requests = /^\d{1,4}$/.test(typed) ? Number(typed) : 0
  if (requests < 1 || requests > mostRequests)
    return show(visit, { accountProblem: `The requests at a time are a whole number from 1 to ${mostRequests}.` })
  account.plan = 'omega'
  account.omegaRequests = requests
  const sentence = `${account.email} is on the Omega plan now, with ${requests} at the same time.`
  return redirectWithNotice(visit, '/admin', 'accounts', sentence)
}

function makeCode(visit: FormVisit): Promise<Response> {
  const label = visit.form.get('label')?.trim().slice(0, 60) || 'Anyone'
  // Not by way of the page asked for anew: the code is in this one answer and nowhere else.
  const { activationCodes } = visit.parts.state
  const code = activationCodes.issue(label)
  return show(visit, { newCode: { label: activationCodes.all.at(-1)?.label ?? label, code } })
}

function withdrawCode(visit: FormVisit): Response | Promise<Response> {
  const { activationCodes } = visit.parts.state
  const code = activationCodes.all.find(({ id }) => id === visit.form.get('withdraw'))
  if (!code || code.usedAt !== undefined) return show(visit, { codeProblem: 'This code has been used already.' })
  activationCodes.withdraw(code)
  return redirectWithNotice(visit, '/admin', 'codes', `The code for ${code.label} was withdrawn.`)
}

interface ShowOptions {
  readonly accountProblem?: string
  readonly codeProblem?: string
  readonly newCode?: NewCode
}

const show = (visit: Visit, { accountProblem, codeProblem, newCode }: ShowOptions = {}): Promise<Response> =>
  page(visit.c, {
    title: 'Administration',
    isWide: true,
    status: accountProblem === undefined && codeProblem === undefined ? 200 : 400,
    navigation: accountHeader(visit, visit.session.email ?? ''),
    content: html`<h1>Administration</h1>
${accountsSection(visit, accountProblem)}
${codesSection(visit, codeProblem, newCode)}`,
  })
