// `IndexDatabase`: summaries and words of all conversations in SQLite; a cache that can be made again from the journals.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import {
  type ConversationFilter,
  type ConversationSummary,
  folded,
  type Passage,
} from '../../core/conversation/conversationList.ts'

/** Raised with every change of the tables; a file with another number is made anew. */
const VERSION = 2
/** The longest wait for another window that writes. */
const BUSY_MS = 50
/** The index of words is made of groups of three characters; shorter words are looked for in the text itself. */
const GROUP_CHARS = 3
const MOST_ROWS = 1_000
/** Each conversation has its own range of row numbers for its passages, one for each turn and one for the title. */
const PASSAGES_PER_CONVERSATION = 2 ** 24

/** A summary with the size and time of the journal that it was made from. */
export interface IndexRow {
  readonly summary: ConversationSummary
  readonly changedAt: number
}

export interface IndexedConversation extends IndexRow {
  readonly passages: readonly Passage[]
}

export interface PassageRow extends Passage {
  readonly conversation: string
  /** The text normalized for a search. */
  readonly folded: string
}

export class IndexDatabase {
  readonly #database: DatabaseSync
  readonly #hasWordIndex: boolean
  readonly #statements = new Map<string, StatementSync>()

  private constructor(database: DatabaseSync, hasWordIndex: boolean) {
    this.#database = database
    this.#hasWordIndex = hasWordIndex
  }

  /**
   * Undefined where the editor's Node has no SQLite. Throws SQLite's error for a file that is damaged or busy.
   * `mayIndexWords`: false leaves the index of words out, as in a build without it.
   */
  static async open(path: string, mayIndexWords = true): Promise<IndexDatabase | undefined> {
    const sqlite = await import('node:sqlite').catch(() => undefined)
    if (!sqlite) return undefined
    const database = new sqlite.DatabaseSync(path)
    try {
      database.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL`)
      return new IndexDatabase(database, makeTables(database, mayIndexWords))
    } catch (fault) {
      database.close()
      throw fault
    }
  }

  /** Every row, by conversation. */
  rows(): Map<string, IndexRow> {
    const rows = this.#statement('SELECT * FROM conversations').all().map(rowOf)
    return new Map(rows.map(row => [row.summary.conversation, row]))
  }

  /** In no order. */
  list({ workspace, isArchived, isDeleted = false }: ConversationFilter): ConversationSummary[] {
    const archived = isArchived === undefined ? null : Number(isArchived)
    return this.#statement(
      `SELECT * FROM conversations WHERE isDeleted = ?3 AND turnCount > 0
       AND (?1 IS NULL OR workspace = ?1) AND (?2 IS NULL OR isArchived = ?2)`,
    )
      .all(workspace ?? null, archived, Number(isDeleted))
      .map(row => rowOf(row).summary)
  }

  summary(conversation: string): ConversationSummary | undefined {
    const row = this.#statement('SELECT * FROM conversations WHERE conversation = ?').get(conversation)
    return row && rowOf(row).summary
  }

  /** The conversations whose last change is that they were deleted, or is that long ago at least. */
  deletedBefore(time: number): string[] {
    return this.#statement('SELECT conversation FROM conversations WHERE isDeleted = 1 AND updatedAt < ?')
      .all(time)
      .map(row => String(row['conversation']))
  }

  /** The passages that have all the words, newest conversation first, oldest turn first. */
  search(words: readonly string[]): PassageRow[] {
    const long = words.filter(word => [...word].length >= GROUP_CHARS)
    const rows = this.#hasWordIndex && long.length > 0 ? this.#matches(long) : this.#containing(words)
    return rows.filter(row => words.every(word => row.folded.includes(word)))
  }

  /** In one transaction, because SQLite writes an index of words far faster for many rows at once. */
  put(conversations: readonly IndexedConversation[]): void {
    this.#inTransaction(() => {
      for (const conversation of conversations) this.#putOne(conversation)
    })
  }

  #putOne({ summary, changedAt, passages }: IndexedConversation): void {
    const number = this.#removePassages(summary.conversation) ?? this.#nextNumber()
    this.#statement(
      `REPLACE INTO conversations (number, conversation, title, createdAt, updatedAt, workspace, isPinned, isArchived,
       isDeleted, turnCount, sizeBytes, changedAt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(number, ...valuesOf(summary), changedAt)
    const insert = this.#statement('INSERT INTO passages (rowid, turn, text, folded) VALUES (?, ?, ?, ?)')
    const first = number * PASSAGES_PER_CONVERSATION
    for (const [at, { turn, text }] of passages.entries()) {
      const stored = text.toWellFormed()
      insert.run(first + at, turn, stored, folded(stored))
    }
  }

  remove(conversation: string): void {
    this.#inTransaction(() => {
      this.#removePassages(conversation)
      this.#statement('DELETE FROM conversations WHERE conversation = ?').run(conversation)
    })
  }

  /** It has contained every journal once, so that a window can answer from it before it has read them. */
  get isComplete(): boolean {
    return this.#statement('SELECT count(*) AS count FROM completed').get()?.['count'] !== 0
  }

  complete(): void {
    this.#statement('REPLACE INTO completed (rowid) VALUES (1)').run()
  }

  close(): void {
    this.#statements.clear()
    this.#database.close()
  }

  #matches(words: readonly string[]): PassageRow[] {
    const query = words.map(word => `"${word.replaceAll('"', '""')}"`).join(' AND ')
    return this.#statement(passagesWhere('passages MATCH ?')).all(query).map(passageOf)
  }

  #containing([first = '']: readonly string[]): PassageRow[] {
    return this.#statement(passagesWhere('instr(folded, ?) > 0')).all(first).map(passageOf)
  }

  #nextNumber(): number {
    return Number(
      this.#statement('SELECT coalesce(max(number), 0) + 1 AS next FROM conversations').get()?.['next'] ?? 1,
    )
  }

  /** One by one, because FTS5 scans all rows for a range of row numbers. Returns the conversation's number. */
  #removePassages(conversation: string): number | undefined {
    const known = this.#statement('SELECT number, turnCount FROM conversations WHERE conversation = ?').get(
      conversation,
    )
    if (!known) return undefined
    const number = Number(known['number'])
    const remove = this.#statement('DELETE FROM passages WHERE rowid = ?')
    for (let at = 0; at <= Number(known['turnCount']); at++) remove.run(number * PASSAGES_PER_CONVERSATION + at)
    return number
  }

  #inTransaction(run: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      run()
      this.#database.exec('COMMIT')
    } catch (fault) {
      if (this.#database.isOpen) this.#database.exec('ROLLBACK')
      throw fault
    }
  }

  #statement(sql: string): StatementSync {
    const made = this.#statements.get(sql) ?? this.#database.prepare(sql)
    this.#statements.set(sql, made)
    return made
  }
}

/** The texts are read only for the rows that remain. */
function passagesWhere(condition: string): string {
  return `SELECT conversation, turn, text, folded FROM (
      SELECT passages.rowid AS at, conversation, updatedAt FROM passages
      JOIN conversations ON number = passages.rowid / ${PASSAGES_PER_CONVERSATION}
      WHERE ${condition} ORDER BY updatedAt DESC, passages.rowid LIMIT ${MOST_ROWS}
    ) JOIN passages ON passages.rowid = at ORDER BY updatedAt DESC, at`
}

/** Makes the tables that are missing; returns whether there is an index of words. */
function makeTables(database: DatabaseSync, mayIndexWords: boolean): boolean {
  const version = database.prepare('PRAGMA user_version').get()?.['user_version']
  if (version !== VERSION)
    database.exec('DROP TABLE IF EXISTS passages; DROP TABLE IF EXISTS conversations; DROP TABLE IF EXISTS completed')
  database.exec(
    `CREATE TABLE IF NOT EXISTS conversations (number INTEGER PRIMARY KEY, conversation TEXT UNIQUE, title TEXT,
     createdAt REAL, updatedAt REAL, workspace TEXT, isPinned INTEGER, isArchived INTEGER, isDeleted INTEGER,
     turnCount INTEGER, sizeBytes INTEGER, changedAt REAL)`,
  )
  database.exec('CREATE TABLE IF NOT EXISTS completed (at REAL)')
  if (mayIndexWords) tryWordIndex(database)
  database.exec('CREATE TABLE IF NOT EXISTS passages (turn TEXT, text TEXT, folded TEXT)')
  database.exec(`PRAGMA user_version = ${VERSION}`)
  const made = database.prepare(`SELECT sql FROM sqlite_schema WHERE name = 'passages'`).get()
  return String(made?.['sql']).includes('fts5')
}

/** A build of SQLite may lack FTS5, or its groups of three (before 3.34). */
function tryWordIndex(database: DatabaseSync): void {
  try {
    database.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS passages USING fts5
      (turn UNINDEXED, text UNINDEXED, folded, tokenize = 'trigram')`)
  } catch {
    // `makeTables` makes a plain table instead.
  }
}

type Values = Readonly<Record<string, unknown>>

function rowOf(row: Values): IndexRow {
  const workspace = row['workspace']
  const summary: ConversationSummary = {
    conversation: String(row['conversation']),
    title: String(row['title']),
    createdAt: Number(row['createdAt']),
    updatedAt: Number(row['updatedAt']),
    ...(typeof workspace === 'string' && { workspace }),
    isPinned: row['isPinned'] === 1,
    isArchived: row['isArchived'] === 1,
    isDeleted: row['isDeleted'] === 1,
    turnCount: Number(row['turnCount']),
    sizeBytes: Number(row['sizeBytes']),
  }
  return { summary, changedAt: Number(row['changedAt']) }
}

/** In the order of the columns. */
function valuesOf(summary: ConversationSummary): (string | number | null)[] {
  const { conversation, title, createdAt, updatedAt, workspace = null, turnCount, sizeBytes } = summary
  const flags = [summary.isPinned, summary.isArchived, summary.isDeleted].map(Number)
  return [conversation, title.toWellFormed(), createdAt, updatedAt, workspace, ...flags, turnCount, sizeBytes]
}

function passageOf(row: Values): PassageRow {
  return {
    conversation: String(row['conversation']),
    turn: String(row['turn']),
    text: String(row['text']),
    folded: String(row['folded']),
  }
}
