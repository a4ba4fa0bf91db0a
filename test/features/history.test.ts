// The index of conversations follows the chat by itself, and whatever becomes of its file, the chat goes on.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { type Service, startService } from '../localService/server.ts'
import { whileTimePasses } from '../support/diskPace.ts'
import { FakeClock } from '../support/fakeClock.ts'
import { titleRequest } from '../support/titleRequest.ts'
import { eventually } from '../support/wire.ts'
import { extensionContext } from './extensionContext.ts'
import { fakeEditor } from './recordedEditor.ts'
import { createServices, features } from './recordedFeatures.ts'

const root = mkdtempSync(join(tmpdir(), 'kourier-history-'))
after(() => rmSync(root, { recursive: true, force: true }))
let folders = 0

/** One window after the other on the storage of one workspace. */
class Workspace {
  readonly folder = join(root, String(folders++))
  readonly conversations = join(this.folder, 'conversations')
  readonly index = join(this.conversations, 'index.sqlite')
  readonly #service: Service
  readonly #key: string

  constructor(service: Service) {
    this.#service = service
    this.#key = service.state.issueKey('ada@example.com', 'history')
  }

  open() {
    const { baseUrl: resource, authUrl: issuer } = this.#service
    fakeEditor.reset()
    fakeEditor.settings.set('kourier.baseUrl', resource)
    const credential = { version: 1, key: this.#key, resource, issuer, service: 'Kourier', origin: 'pasted' }
    const clock = new FakeClock()
    const context = extensionContext({ folder: this.folder, credential })
    const services = createServices(context, clock)
    const started = features.map(start => start(services, context))
    const ask = (text: string) => whileTimePasses(services.sessions.current.ask(text), clock)
    /** Nothing is indexed before that. */
    const pause = () => clock.advance(5_000)
    const end = async () => {
      for (const feature of started) feature.dispose()
      services.dispose()
      await services.end()
      const history = await services.history()
      await history.close()
    }
    return { ...services, ask, pause, [Symbol.asyncDispose]: end }
  }

  /** The titles in the index, as another program reads them; undefined where there is none. */
  get indexed(): string[] | undefined {
    if (!existsSync(this.index)) return undefined
    try {
      // Opening it fails as well while a window makes it anew.
      using database = new DatabaseSync(this.index, { readOnly: true })
      return database
        .prepare('SELECT title FROM conversations ORDER BY createdAt')
        .all()
        .map(row => String(row['title']))
    } catch {
      return undefined
    }
  }
}

async function startedService(): Promise<Service> {
  const service = await startService({ plan: 'pro' })
  service.replies.addAside({ match: titleRequest, text: '' })
  return service
}

test('a window without a conversation writes no index', async () => {
  await using service = await startedService()
  const workspace = new Workspace(service)
  await using window = workspace.open()
  await window.pause()
  const history = await window.history()
  await history.updated()
  assert.equal(existsSync(workspace.conversations), false)
})

test('a conversation is in the index some seconds after its turn, and in that of the next window', async () => {
  await using service = await startedService()
  const workspace = new Workspace(service)
  {
    await using first = workspace.open()
    await first.ask('How do I parse JSON?')
    await first.pause()
    await eventually('it is indexed', () => workspace.indexed?.join() === 'How do I parse JSON?')
    first.sideBar.openNew()
    await first.ask('And YAML?')
    await first.pause()
    await eventually('the other is indexed too', () => workspace.indexed?.join() === 'How do I parse JSON?,And YAML?')
  }

  for (const spoil of [
    () => rmSync(workspace.index),
    () => writeFileSync(workspace.index, 'no database'.repeat(999)),
  ]) {
    spoil()
    assert.equal(workspace.indexed, undefined)
    await using next = workspace.open()
    await eventually('the conversation is restored', () => next.sessions.current.length > 0)
    await next.pause()
    await eventually('the index is made anew', () => workspace.indexed?.length === 2)
  }
})

test('an index that another program holds costs the chat nothing, and is written later', async () => {
  await using service = await startedService()
  const workspace = new Workspace(service)
  mkdirSync(workspace.conversations, { recursive: true })
  const holder = new DatabaseSync(workspace.index)
  holder.exec('BEGIN EXCLUSIVE')
  await using window = workspace.open()
  await window.ask('How do I parse JSON?')
  await window.pause()
  const history = await window.history()
  await history.updated()
  await window.ask('And YAML?')
  assert.deepEqual(window.sessions.current.state, { is: 'idle' })
  holder.exec('COMMIT')
  holder.close()
  await window.pause()
  await eventually('it is indexed', () => workspace.indexed?.join() === 'How do I parse JSON?')
})
