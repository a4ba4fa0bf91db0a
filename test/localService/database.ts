// The state file: SQLite, one process at a time, and never overwritten where it is not ours.
import { DatabaseSync } from 'node:sqlite'

export type Value = string | number | null
/** Every row has a text `id`. */
export type Row = Readonly<Record<string, Value>> & { readonly id: string }

export interface Table {
  readonly name: string
  /** Besides `id`. A column that a file does not have yet is added; a column once given keeps its type. */
  readonly columns: Readonly<Record<string, 'TEXT' | 'INTEGER'>>
}

export interface Change {
  readonly table: Table
  readonly put: readonly Row[]
  readonly remove: readonly string[]
}

/** Why a state file cannot be used; the message is one sentence for the person who named it. */
export class StateFileError extends Error {}

/** Marks the file as ours in its header, where `file` and SQLite look. */
const applicationId = 0x4b6f7572
/** Goes up only when an older program would misread the file; a new table or column is no such case. */
const version = 1

export class Database {
  readonly #path: string
  readonly #file: DatabaseSync

  private constructor(path: string, file: DatabaseSync) {
    this.#path = path
    this.#file = file
  }

  /**
   * Makes the file where there is none.
   * @param read takes what the file holds, before anything in it is changed
   * @throws StateFileError and leaves the file as it is; a RangeError of `read` means that a row is not ours
   */
  static open(path: string, tables: readonly Table[], read: (database: Database) => void): Database {
    let file: DatabaseSync | undefined
    try {
      file = new DatabaseSync(path, { timeout: 0 })
      // Held until it is closed, so that a second process notices at once.
      file.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = TRUNCATE; BEGIN EXCLUSIVE')
      judge(file, path)
      for (const table of tables) shape(file, table)
      const database = new Database(path, file)
      read(database)
      file.exec('COMMIT')
      return database
    } catch (error) {
      file?.close()
      throw error instanceof RangeError ? notOurs(path) : explained(error, path)
    }
  }

  rows({ name, columns }: Table): Row[] {
    const rows = this.#file.prepare(`SELECT id, ${Object.keys(columns).join(', ')} FROM ${name} ORDER BY rowid`).all()
    // The tables are strict: what is in them is of the types of their columns.
    return rows as Row[]
  }

  /** All of it, or nothing. */
  write(changes: readonly Change[]): void {
    try {
      this.#file.exec('BEGIN')
      for (const { table, put, remove } of changes) {
        const names = ['id', ...Object.keys(table.columns)]
        const updates = names.map(name => `${name} = excluded.${name}`)
        const into = this.#file.prepare(
          `INSERT INTO ${table.name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
           ON CONFLICT (id) DO UPDATE SET ${updates.join(', ')}`,
        )
        for (const row of put) into.run(...names.map(name => row[name] ?? null))
        const out = this.#file.prepare(`DELETE FROM ${table.name} WHERE id = ?`)
        for (const id of remove) out.run(id)
      }
      this.#file.exec('COMMIT')
    } catch (error) {
      if (this.#file.isTransaction) this.#file.exec('ROLLBACK')
      throw explained(error, this.#path)
    }
  }

  close(): void {
    if (this.#file.isOpen) this.#file.close()
  }
}

function judge(file: DatabaseSync, path: string): void {
  const number = (name: string) => Number(Object.values(file.prepare(`PRAGMA ${name}`).get() ?? {})[0])
  const isNew = file.prepare('SELECT count(*) AS count FROM sqlite_schema').get()?.['count'] === 0
  if (isNew && number('application_id') === 0)
    return file.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}`)
  if (number('application_id') !== applicationId) throw notOurs(path)
  if (number('user_version') > version)
    throw new StateFileError(`'${path}' was written by a newer version of this service, and was left as it is.`)
  if (file.prepare('PRAGMA quick_check').get()?.['quick_check'] !== 'ok') throw notOurs(path)
}

function shape(file: DatabaseSync, { name, columns }: Table): void {
  const wanted = Object.entries(columns).map(([column, type]) => `${column} ${type}`)
  file.exec(`CREATE TABLE IF NOT EXISTS ${name} (id TEXT PRIMARY KEY NOT NULL, ${wanted.join(', ')}) STRICT`)
  const found = file.prepare('SELECT name FROM pragma_table_info(?)').all(name)
  const missing = wanted.filter(column => !found.some(one => column.startsWith(`${one['name']} `)))
  for (const column of missing) file.exec(`ALTER TABLE ${name} ADD COLUMN ${column}`)
}

const notOurs = (path: string) =>
  new StateFileError(`'${path}' is no state file of this service, or it is damaged; it was left as it is.`)

/** https://sqlite.org/rescode.html */
const busy = 5
const damaged = [11, 26]

function explained(error: unknown, path: string): unknown {
  if (!(error instanceof Error && 'errcode' in error)) return error
  // The low byte is the kind of error, the bits above it are the details.
  const kind = Number(error.errcode) & 0xff
  if (kind === busy) return new StateFileError(`'${path}' is in use by another process.`)
  if (damaged.includes(kind)) return notOurs(path)
  return new StateFileError(`'${path}' cannot be written: ${error.message}.`)
}
