// The keys of an account: a table, a new one shown once, and a button that ends each.
import { html } from 'hono/html'
import type { Key } from '../keys.ts'
import type { Html } from '../page.ts'
import { csrfField, doneLine, type Visit } from '../pageVisit.ts'
import { type Row, table } from './table.ts'
import { timestamp } from './timestamp.ts'

export interface NewKey {
  readonly name: string
  readonly secret: string
}

export const keySection = (visit: Visit, keys: readonly Key[], made: NewKey | undefined): Html =>
  html`<section class="card" id="keys" aria-labelledby="keys-title"><h2 id="keys-title">API keys</h2>
${doneLine(visit, 'keys')}${made && newKeyLine(made)}
<form method="post" action="/dashboard">${csrfField(visit)}${table({
    namedBy: 'keys-title',
    columns: ['Name', 'Made by', 'Made (UTC)', 'Last used (UTC)', 'State'],
    rows: ordered(keys).map(keyRow),
    empty: 'No keys yet. Generate one here, or sign in from an editor.',
  })}</form>
<form method="post" action="/dashboard">${csrfField(visit)}<div class="row"><div class="field">
<label for="name">Name of a new key</label>
<input id="name" name="name" maxlength="60" autocomplete="off"></div>
<button class="strong" name="action" value="generate">Generate key</button></div></form></section>`

const newKeyLine = ({ name, secret }: NewKey): Html =>
  html`<div class="good" role="status" tabindex="-1" autofocus>The key <strong>${name}</strong> was made.
It is shown only now, so copy it: <code class="secret" id="new-key">${secret}</code></div>`

/** What still works first, and of that the newest. */
const ordered = (keys: readonly Key[]) =>
  keys.toReversed().sort((one, other) => Number(isRevoked(one)) - Number(isRevoked(other)))

const isRevoked = ({ revokedAt }: Key) => revokedAt !== undefined

const keyRow = (key: Key): Row => ({
  isPast: isRevoked(key),
  cells: [
    key.name,
    maker(key),
    timestamp(key.createdAt),
    key.lastUsedAt === undefined ? 'Never' : timestamp(key.lastUsedAt),
    key.revokedAt === undefined ? revokeCell(key) : html`Revoked ${timestamp(key.revokedAt)}`,
  ],
})

const revokeCell = ({ id, name }: Key): Html =>
  html`<div class="cell">Active
<button class="quiet" name="revoke" value="${id}" aria-label="Revoke ${name}">Revoke</button></div>`

function maker({ origin, client }: Key): Html {
  if (origin === 'dashboard') return html`Dashboard`
  const way = origin === 'browser' ? 'signed in with the browser' : 'signed in with a code'
  return html`${client}, <span class="soft">${way}</span>`
}
