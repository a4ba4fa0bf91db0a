// What a person has written and nobody has answered, in the real extension host: never lost, wherever the page goes.
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'mocha'
import { ConfigurationTarget, commands, workspace } from 'vscode'
import type { ToPage } from '../../src/protocol/panel.ts'
import { type Service, startService } from '../localService/server.ts'
import { approveLast } from '../support/approveLast.ts'
import { observed, openPage, type PlayedPage } from './observed.ts'
import { answersOf, Questions } from './questions.ts'

const email = 'ada@example.com'
const draftIn = (message: ToPage) => (message.kind === 'draft' ? message.text : undefined)
const isDraft = ({ kind }: ToPage) => kind === 'draft'
const hasFailed = (message: ToPage) => message.kind === 'activity' && message.activity.is === 'failed'
const isAnswering = (message: ToPage) => message.kind === 'activity' && message.activity.is === 'answering'

describe('what was written and not answered', () => {
  let service: Service
  let page: PlayedPage

  before(async () => {
    service = await startService({ interval: 1, plan: 'pro' })
    await workspace.getConfiguration('kourier').update('baseUrl', service.baseUrl, ConfigurationTarget.Global)
    using _ = new Questions(answersOf(email, { 'Sign in to': 'Continue' }))
    const signedIn = commands.executeCommand('kourier.signIn')
    await service.log.until(({ path, status }) => path === '/agent/identity' && status === 200)
    approveLast(service, email)
    await signedIn
  })
  after(async () => {
    using _ = new Questions(answersOf(email, { 'Sign out': 'Sign Out and Revoke Key' }))
    await commands.executeCommand('kourier.signOut')
    await service.close()
  })
  beforeEach(async () => {
    service.faults.clear()
    page = await readyPage()
    page.send({ kind: 'new-chat' })
    page.send({ kind: 'draft', text: '', at: Date.now() })
  })

  /** As in a window that has just been loaded. */
  async function readyPage(): Promise<PlayedPage> {
    const made = await openPage()
    made.send({ kind: 'ready' })
    return made
  }

  /** What is kept of all that is unsent, once the words are in it. */
  async function keptText(words: string): Promise<string> {
    const folder = join(observed().context.globalStorageUri.fsPath, 'unsent')
    for (;;) {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      const files = entries.filter(entry => entry.isFile() && entry.name.endsWith('.json'))
      // One that is removed meanwhile is replaced by another.
      const read = (path: string) => readFile(path, 'utf8').catch(() => '')
      const texts = await Promise.all(files.map(({ parentPath, name }) => read(join(parentPath, name))))
      if (texts.some(text => text.includes(words))) return texts.join('\n')
    }
  }

  const recalled = (made: PlayedPage) => made.received.find(({ kind }) => kind === 'kept-draft')

  it('stays in a page that is hidden, which is not made anew', () => {
    const [, , options] = observed().registered.registerWebviewViewProvider as unknown[]
    assert.deepEqual(options, { webviewOptions: { retainContextWhenHidden: true } })
  })

  it('is told to a page that is made anew, without the API key in it', async () => {
    const at = Date.now() + 1
    page.send({ kind: 'draft', text: 'half a thought about sk-bf-1234567890', at })
    const { conversation: _, ...kept } = recalled(await readyPage()) as Extract<ToPage, { kind: 'kept-draft' }>
    assert.deepEqual(kept, { kind: 'kept-draft', text: 'half a thought about sk-bf-…', at, carriesDraft: false })
    assert.doesNotMatch(await keptText('half a thought'), /1234567890/)
  })

  it('goes back into the composer when a new chat takes the place of the one where it failed', async () => {
    service.faults.add({ kind: 'status', status: 422, on: 'POST /v1/chat', times: 'always' })
    const failed = page.next(hasFailed)
    page.send({ kind: 'send', text: 'A long question' })
    await failed
    page.send({ kind: 'draft', text: 'and a thought', at: Date.now() })
    const back = page.next(isDraft)
    page.send({ kind: 'new-chat' })
    assert.equal(draftIn(await back), 'A long question')
    const kept = recalled(await readyPage())
    assert.equal(kept?.kind === 'kept-draft' && kept.text, 'A long question', 'the page brings the rest along')
  })

  it('is offered in a new chat where the service says that it is too long, since asking again is of no use', async () => {
    service.faults.add({ kind: 'status', status: 413, on: 'POST /v1/chat', times: 'always' })
    const failed = page.next(hasFailed)
    page.send({ kind: 'send', text: 'A very long question' })
    const message = await failed
    assert.ok(message.kind === 'activity' && message.activity.is === 'failed')
    assert.deepEqual(message.activity.notice, {
      text: 'The conversation is too long for the model. Start a new chat, or ask with less text.',
      action: { id: 'new-chat', label: 'New Chat' },
    })
    const back = page.next(isDraft)
    page.send({ kind: 'act', action: 'new-chat' })
    assert.equal(draftIn(await back), 'A very long question')
  })

  it('goes back into the composer when it was queued behind an answer that is stopped', async () => {
    const gate = service.replies.hold(0)
    const asked = page.next(isAnswering)
    page.send({ kind: 'send', text: 'The first' })
    await asked
    const queued = page.next(message => JSON.stringify(message).includes('message-queued'))
    page.send({ kind: 'send', text: 'The second' })
    await queued
    const back = page.next(isDraft)
    page.send({ kind: 'stop' })
    assert.equal(draftIn(await back), 'The second')
    gate.release()
  })
})
