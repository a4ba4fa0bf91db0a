// Omega activation codes: a table, a new one shown once, and a button that withdraws each.
import { html } from 'hono/html'
import type { ActivationCode } from '../activationCodes.ts'
import { type Html, problemLine } from '../page.ts'
import { csrfField, doneLine, type Visit } from '../pageVisit.ts'
import { type Row, table } from './table.ts'
import { timestamp } from './timestamp.ts'

export interface NewCode {
  readonly label: string
  readonly code: string
}

export function codesSection(visit: Visit, problem: string | undefined, made: NewCode | undefined): Html {
  const codes = visit.parts.state.activationCodes.all.toReversed()
  return html`<section class="card" id="codes" aria-labelledby="codes-title"><h2 id="codes-title">Activation codes</h2>
<p>Whoever redeems a code on the dashboard gets the Omega plan. A code is good once.</p>
${doneLine(visit, 'codes')}${problemLine(problem)}${made && newCodeLine(made)}
<form method="post" action="/admin">${csrfField(visit)}${table({
    namedBy: 'codes-title',
    columns: ['For', 'Made (UTC)', 'State'],
    rows: codes.map(codeRow),
    empty: 'No codes yet.',
  })}</form>
<form method="post" action="/admin">${csrfField(visit)}<div class="row"><div class="field">
<label for="label">Whom the code is for</label>
<input id="label" name="label" maxlength="60" autocomplete="off"></div>
<button class="strong" name="action" value="make_code">Make code</button></div></form></section>`
}

const newCodeLine = ({ label, code }: NewCode): Html =>
  html`<div class="good" role="status" tabindex="-1" autofocus>The code for <strong>${label}</strong> was made.
It is shown only now, so copy it: <code class="secret" id="new-code">${code}</code></div>`

const codeRow = (code: ActivationCode): Row => ({
  isPast: code.usedAt !== undefined || code.withdrawnAt !== undefined,
  cells: [code.label, timestamp(code.createdAt), stateCell(code)],
})

function stateCell({ id, label, usedAt, usedBy, withdrawnAt }: ActivationCode): Html {
  if (usedAt !== undefined) return html`Used by ${usedBy}, ${timestamp(usedAt)}`
  if (withdrawnAt !== undefined) return html`Withdrawn ${timestamp(withdrawnAt)}`
  return html`<div class="cell">Not used yet
<button class="quiet" name="withdraw" value="${id}" aria-label="Withdraw the code for ${label}">Withdraw</button></div>`
}
