// What outlives the process: which parts of the state, and the form of each in the state file.
import { isPlan } from './accounts.ts'
import { type Change, Database, type Row, type Table, type Value } from './database.ts'
import type { KeyOrigin } from './keys.ts'
import type { Registration } from './registrations.ts'
import type { State } from './state.ts'

/** To keep more, give it a table here: how it becomes rows, and how a row becomes it again. */
interface Kept extends Table {
  rows(state: State): Row[]
  restore(state: State, row: Fields): void
}

/** Secrets stand as hashes only, and sessions and links in mails do not stand here at all. */
const kept: readonly Kept[] = [
  {
    name: 'accounts',
    columns: { plan: 'TEXT', omega_requests: 'INTEGER' },
    rows: ({ accounts }) =>
      accounts.all.map(({ email, plan, omegaRequests }) => ({
        id: email,
        plan,
        omega_requests: omegaRequests ?? null,
      })),
    restore({ accounts }, row) {
      const account = accounts.of(row.text('id'))
      account.plan = row.oneOf('plan', isPlan)
      account.omegaRequests = row.number('omega_requests')
    },
  },
  {
    name: 'keys',
    columns: {
      key_id: 'TEXT',
      email: 'TEXT',
      name: 'TEXT',
      origin: 'TEXT',
      client: 'TEXT',
      fingerprint: 'TEXT',
      created_at: 'INTEGER',
      last_used_at: 'INTEGER',
      revoked_at: 'INTEGER',
    },
    rows: ({ keys }) =>
      [...keys.byHash].map(([id, key]) => ({
        id,
        key_id: key.id,
        email: key.email,
        name: key.name,
        origin: key.origin,
        client: key.client ?? null,
        fingerprint: key.fingerprint,
        created_at: key.createdAt,
        last_used_at: key.lastUsedAt ?? null,
        revoked_at: key.revokedAt ?? null,
      })),
    restore: ({ keys }, row) =>
      keys.byHash.set(row.text('id'), {
        id: row.text('key_id'),
        email: row.text('email'),
        name: row.text('name'),
        origin: row.oneOf('origin', isOrigin),
        client: row.maybeText('client'),
        fingerprint: row.text('fingerprint'),
        createdAt: row.number('created_at') ?? 0,
        lastUsedAt: row.number('last_used_at'),
        revokedAt: row.number('revoked_at'),
      }),
  },
  {
    name: 'registrations',
    columns: {
      registration_id: 'TEXT',
      email: 'TEXT',
      client_name: 'TEXT',
      created_at: 'INTEGER',
      expires_at: 'INTEGER',
      status: 'TEXT',
      denial: 'TEXT',
      interval_ms: 'INTEGER',
      last_polled_at: 'INTEGER',
      attempt_id: 'TEXT',
      code_hash: 'TEXT',
      code_expires_at: 'INTEGER',
      wrong_codes: 'INTEGER',
    },
    rows: ({ registrations }) =>
      [...registrations.byClaimTokenHash].map(([id, { attempt, ...one }]) => ({
        id,
        registration_id: one.id,
        email: one.email,
        client_name: one.clientName ?? null,
        created_at: one.createdAt,
        expires_at: one.expiresAt,
        status: one.status,
        denial: one.denial,
        interval_ms: one.intervalMs,
        last_polled_at: one.lastPolledAt ?? null,
        attempt_id: attempt.id,
        code_hash: attempt.codeHash,
        code_expires_at: attempt.expiresAt,
        wrong_codes: attempt.wrongCodes,
      })),
    restore: ({ registrations }, row) =>
      registrations.byClaimTokenHash.set(row.text('id'), {
        id: row.text('registration_id'),
        email: row.text('email'),
        clientName: row.maybeText('client_name'),
        createdAt: row.number('created_at') ?? 0,
        expiresAt: row.number('expires_at') ?? 0,
        status: row.oneOf('status', isStatus),
        denial: row.text('denial'),
        intervalMs: row.number('interval_ms') ?? 0,
        lastPolledAt: row.number('last_polled_at'),
        attempt: {
          id: row.text('attempt_id'),
          code: '',
          codeHash: row.text('code_hash'),
          expiresAt: row.number('code_expires_at') ?? 0,
          wrongCodes: row.number('wrong_codes') ?? 0,
        },
      }),
  },
  {
    name: 'links',
    columns: { registration: 'TEXT', attempt_id: 'TEXT' },
    rows: ({ registrations }) => {
      const hashes = new Map([...registrations.byClaimTokenHash].map(([hash, registration]) => [registration, hash]))
      return [...registrations.byAttemptTokenHash].map(([id, { registration, attempt }]) => ({
        id,
        registration: hashes.get(registration) ?? '',
        attempt_id: attempt.id,
      }))
    },
    restore({ registrations }, row) {
      const registration = registrations.byClaimTokenHash.get(row.text('registration'))
      if (!registration) throw new RangeError('A link without its registration.')
      const { attempt } = registration
      const id = row.text('attempt_id')
      // Of a link that was replaced nothing more is asked than that it is another one.
      const replaced = { id, code: '', codeHash: '', expiresAt: 0, wrongCodes: 0 }
      registrations.byAttemptTokenHash.set(row.text('id'), {
        registration,
        attempt: attempt.id === id ? attempt : replaced,
      })
    },
  },
  {
    // Only who registered itself: the others are known from the start.
    name: 'clients',
    columns: { name: 'TEXT', redirect_uris: 'TEXT', secret_hash: 'TEXT' },
    rows: ({ clients }) =>
      [...clients.byId.values()]
        .filter(({ isSelfMade }) => isSelfMade)
        .map(({ id, name, redirectUris, secretHash }) => ({
          id,
          name,
          redirect_uris: redirectUris.join(' '),
          secret_hash: secretHash ?? null,
        })),
    restore: ({ clients }, row) =>
      clients.byId.set(row.text('id'), {
        id: row.text('id'),
        name: row.text('name'),
        redirectUris: row.text('redirect_uris').split(' '),
        isSelfMade: true,
        secretHash: row.maybeText('secret_hash'),
      }),
  },
  {
    name: 'activation_codes',
    columns: {
      code_id: 'TEXT',
      label: 'TEXT',
      created_at: 'INTEGER',
      withdrawn_at: 'INTEGER',
      used_at: 'INTEGER',
      used_by: 'TEXT',
    },
    rows: ({ activationCodes }) =>
      [...activationCodes.byHash].map(([id, code]) => ({
        id,
        code_id: code.id,
        label: code.label,
        created_at: code.createdAt,
        withdrawn_at: code.withdrawnAt ?? null,
        used_at: code.usedAt ?? null,
        used_by: code.usedBy ?? null,
      })),
    restore: ({ activationCodes }, row) =>
      activationCodes.byHash.set(row.text('id'), {
        id: row.text('code_id'),
        label: row.text('label'),
        createdAt: row.number('created_at') ?? 0,
        withdrawnAt: row.number('withdrawn_at'),
        usedAt: row.number('used_at'),
        usedBy: row.maybeText('used_by'),
      }),
  },
]

const origins: readonly KeyOrigin[] = ['registration', 'browser', 'dashboard']
const isOrigin = (value: unknown): value is KeyOrigin => origins.some(origin => origin === value)

const statuses: readonly Registration['status'][] = ['pending', 'approved', 'denied', 'issued']
const isStatus = (value: unknown): value is Registration['status'] => statuses.some(status => status === value)

/** A row under judgement: what is missing or out of range was not written by us. */
class Fields {
  readonly #row: Row

  constructor(row: Row) {
    this.#row = row
  }

  text(name: string): string {
    const value = this.#row[name]
    if (typeof value !== 'string') throw new RangeError(`${name} is missing.`)
    return value
  }

  maybeText(name: string): string | undefined {
    const value = this.#row[name]
    return typeof value === 'string' ? value : undefined
  }

  number(name: string): number | undefined {
    const value = this.#row[name]
    return typeof value === 'number' ? value : undefined
  }

  oneOf<T extends Value>(name: string, isOne: (value: unknown) => value is T): T {
    const value = this.#row[name]
    if (!isOne(value)) throw new RangeError(`${name} is out of range.`)
    return value
  }
}

export class KeptState {
  readonly #state: State
  readonly #database: Database
  /** Each row as it is in the file. */
  readonly #written = new Map<Kept, Map<string, string>>()
  /** The last change that could not be written. */
  #unwritten = ''

  /** Fills the state with what the file holds. @throws StateFileError */
  constructor(path: string, state: State) {
    this.#state = state
    this.#database = Database.open(path, kept, database => {
      for (const table of kept) {
        const rows = database.rows(table)
        for (const row of rows) table.restore(state, new Fields(row))
        this.#written.set(table, new Map(rows.map(row => [row.id, asText(table, row)])))
      }
    })
  }

  /**
   * Writes what has changed since the last time, all of it or nothing. Everything is compared, so that nobody who
   * changes the state has to think of the file. What could not be written fails once and is tried again with each
   * later call, which does not fail for it.
   */
  save(): void {
    const changes = kept.map(table => this.#changeOf(table)).filter(({ put, remove }) => put.length + remove.length > 0)
    if (changes.length === 0) return
    const wanted = JSON.stringify(changes)
    try {
      this.#database.write(changes)
    } catch (error) {
      if (wanted === this.#unwritten) return
      this.#unwritten = wanted
      throw error
    }
    for (const { table, put, remove } of changes) {
      const written = this.#written.get(table)
      for (const row of put) written?.set(row.id, asText(table, row))
      for (const id of remove) written?.delete(id)
    }
  }

  close(): void {
    try {
      this.save()
    } finally {
      this.#database.close()
    }
  }

  #changeOf(table: Kept): Change & { table: Kept } {
    const written = this.#written.get(table) ?? new Map<string, string>()
    const rows = table.rows(this.#state)
    const ids = new Set(rows.map(({ id }) => id))
    return {
      table,
      put: rows.filter(row => written.get(row.id) !== asText(table, row)),
      remove: [...written.keys()].filter(id => !ids.has(id)),
    }
  }
}

const asText = ({ columns }: Table, row: Row) => JSON.stringify(Object.keys(columns).map(name => row[name] ?? null))
