// What a person reads of every fault, wherever it can happen: compared with a table that people can read.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { test } from 'node:test'
import { Emitter } from '../../../src/base/event.ts'
import { Account } from '../../../src/core/account/account.ts'
import { KeyringError, MemoryCredentialStore } from '../../../src/core/account/credentialStore.ts'
import type { SignIn } from '../../../src/core/account/signIn.ts'
import { SignInError } from '../../../src/core/account/signInError.ts'
import { RefusedError } from '../../../src/core/agent/refusedError.ts'
import { UnofferedCallError } from '../../../src/core/agent/unofferedCallError.ts'
import { JournalAccessError, LaterJournalError } from '../../../src/core/conversation/journal.ts'
import {
  type CertificateFailure,
  ContractError,
  NotOfferedError,
  ProblemError,
  TooLargeError,
  TooLongError,
  TransportError,
  type TransportFailure,
} from '../../../src/core/http/errors.ts'
import { type FaultKind, faultKinds, meaningOf } from '../../../src/core/http/fault.ts'
import { KeyText } from '../../../src/core/log/keyText.ts'
import { Log } from '../../../src/core/log/log.ts'
import { Redactor } from '../../../src/core/log/redact.ts'
import { Catalog } from '../../../src/core/model/catalog.ts'
import { NoModelError } from '../../../src/core/model/noModelError.ts'
import type { Failure } from '../../../src/core/model/queuedClient.ts'
import { SettingsError } from '../../../src/core/settings.ts'
import type { StoredCredential } from '../../../src/protocol/stored.ts'
import { made } from '../../support/credential.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { fakeEditor, withFakeVscode } from '../../support/fakeVscode.ts'
import { memorySession } from '../../support/memorySession.ts'
import { ScriptedHttp } from '../../support/scriptedHttp.ts'

const editor = await withFakeVscode(async () => ({
  ...(await import('../../../src/editor/ui/notices.ts')),
  ...(await import('../../../src/editor/chat/panelActivity.ts')),
  ...(await import('../../../src/editor/models/modelSelection.ts')),
  ...(await import('../../../src/editor/models/revisionWatch.ts')),
  ...(await import('../../../src/editor/account/signInEndings.ts')),
  ...(await import('../../../src/editor/account/openDashboard.ts')),
  ...(await import('../../../src/editor/account/signOut.ts')),
  ...(await import('../../../src/editor/account/keyringTrouble.ts')),
  ...(await import('../../../src/editor/ui/editorSettings.ts')),
}))

const TABLE = new URL('../../fixtures/faultSentences.md', import.meta.url)
const MODEL = 'kourier-1'
const PROXY = 'proxy.example:8080'
const host = 'api.example.com'
const names = { service: 'Example' }
/** Power that the words of a service must not have, and a key that they must not repeat. */
const words = 'No [way](command:x) for sk-bf-0123456789abcdef0123.'

type Variants = Readonly<Record<string, unknown>>

const at = (why: TransportFailure, about = {}) => new TransportError(host, 'before', why, about)
const begun = (why: TransportFailure) => new TransportError(host, 'during', why)
const onTheWay = (why: TransportFailure): Variants => ({ '': at(why), 'at the proxy': atProxy(why) })
const atProxy = (why: TransportFailure) => at(why, { proxy: PROXY, isProxyFault: true })
const waiting = (why: TransportFailure): Variants => ({ 'before the answer': at(why), 'during the answer': begun(why) })
const throughProxy = (why: TransportFailure): Variants => ({
  '': at(why, { proxy: PROXY }),
  'of an unknown proxy': at(why),
})
const problem = (status: number, code = ''): Variants => ({
  '': new ProblemError(host, status, { ...(code && { code }) }),
  'with words': new ProblemError(host, status, { ...(code && { code }), text: words }),
})
const timed = (status: number, code = ''): Variants => ({
  '': new ProblemError(host, status, { code }),
  'with a time': new ProblemError(host, status, { code }, { retryAfterMs: 7_000 }),
})
const ended = (reason: SignInError['reason']): Variants => ({
  '': new SignInError(reason),
  'with words': new SignInError(reason, { text: words }),
})

const certificates: Readonly<Record<CertificateFailure, true>> = {
  expired: true,
  'not yet valid': true,
  'other host': true,
  untrusted: true,
  'no agreement': true,
}
const certificateVariants = (Object.keys(certificates) as CertificateFailure[]).flatMap(certificate => [
  [certificate, at('certificate', { certificate })] as const,
  [`${certificate}, of the proxy`, at('certificate', { certificate, proxy: PROXY, isProxyFault: true })] as const,
])

/** A new kind of fault does not compile until it has a line here. */
const faults: Readonly<Record<FaultKind, Variants>> = {
  'connection: name not found': onTheWay('name not found'),
  'connection: refused': onTheWay('refused'),
  'connection: unreachable': onTheWay('unreachable'),
  'connection: connect timeout': onTheWay('connect timeout'),
  'connection: certificate': Object.fromEntries(certificateVariants),
  'connection: proxy': throughProxy('proxy'),
  'connection: proxy address': { '': at('proxy address', { setting: 'http.proxy' }) },
  'connection: proxy sign-in': throughProxy('proxy sign-in'),
  'connection: reset': { ...waiting('reset'), 'at the proxy': atProxy('reset') },
  'connection: first byte timeout': { '': at('first byte timeout') },
  'connection: silence': { '': begun('silence') },
  'connection: asleep': waiting('asleep'),
  'answer: html': { '': new ContractError(host, 'html', 'body') },
  'answer: redirect': {
    'to another host': new ContractError(host, 'redirect', 'elsewhere.example'),
    'within the host': new ContractError(host, 'redirect'),
  },
  'answer: not json': { '': new ContractError(host, 'not json', 'body') },
  'answer: shape': { '': new ContractError(host, 'shape', 'data.0.id') },
  'answer: empty': { '': new ContractError(host, 'empty', 'stream') },
  'answer: no service': { '': new ContractError(host, 'no service') },
  'answer: unsafe page': { '': new ContractError(host, 'unsafe page', 'claim.verification_uri') },
  'answer: too large': { '': new TooLargeError(host, 65_536) },
  'problem: key rejected': problem(401),
  'problem: model not granted': problem(403, 'model_blocked'),
  'problem: plan': problem(402),
  'problem: forbidden': problem(403),
  'problem: limit': timed(429),
  'problem: overloaded': timed(529, 'overloaded_error'),
  'problem: trouble': {
    '': new ProblemError(host, 503, { text: words }),
    'with a name for its support': new ProblemError(host, 500, {}, { requestId: 'req_4711' }),
  },
  'problem: too long': problem(413),
  'problem: surface not offered': { '': new NotOfferedError(host, '/v1/responses') },
  'problem: not accepted': problem(400),
  'sign-in: denied': ended('denied'),
  'sign-in: refused': { ...ended('refused'), 'with a code alone': new SignInError('refused', { code: 'odd_code' }) },
  'sign-in: run out': ended('run out'),
  'sign-in: unanswered': ended('unanswered'),
  'sign-in: lost': ended('lost'),
  'sign-in: email': ended('email'),
  'sign-in: too often': { '': new SignInError('too often'), 'with a time': new SignInError('too often', {}, 90_000) },
  'sign-in: not offered': ended('not offered'),
  'sign-in: no code': ended('no code'),
  'sign-in: no client': ended('no client'),
  'sign-in: trouble': ended('trouble'),
  'sign-in: mixed up': ended('mixed up'),
  'keyring: failed': { '': new KeyringError('failed') },
  'keyring: silent': { '': new KeyringError('silent') },
  'keyring: forgot': { '': new KeyringError('forgot') },
  'request: too long': {
    'without its oldest': new TooLongError(30_000, 20_000, 3),
    'without its first': new TooLongError(30_000, 20_000, 1),
    'by itself': new TooLongError(30_000, 20_000, undefined),
    'in a turn': new TooLongError(30_000, 20_000, undefined, ['read_file src/a.ts']),
  },
  'request: no model': { '': new NoModelError() },
  'request: declined': { 'before a word': new RefusedError(false), 'after some': new RefusedError(true) },
  'request: unoffered call': {
    'without tools': new UnofferedCallError(),
    'with tools': new UnofferedCallError('', { hasTools: true }),
  },
  'history: later version': { '': new LaterJournalError(2) },
  'history: no access': { '': new JournalAccessError('/home/ada/chats/a.jsonl', new Error('EACCES')) },
  'settings: not written': { '': new SettingsError('read-only') },
  'program: unexpected': { '': new TypeError('x is not a function') },
}

const record: StoredCredential = {
  version: 1,
  key: 'sk-bf-0123456789',
  resource: `https://${host}`,
  issuer: 'https://auth.example.com',
  revocationEndpoint: 'https://auth.example.com/oauth2/revoke',
  service: 'Example',
  origin: 'registration',
}

const credential = made(record)

/** The sentence, and behind an arrow the buttons. */
const shown = (text: string, buttons: readonly (string | undefined)[]) => {
  const named = buttons.filter(button => button !== undefined)
  return named.length > 0 ? `${text} → *${named.join('*, *')}*` : text
}

function notifications(): string[] {
  const { messages } = fakeEditor
  fakeEditor.interactions.length = 0
  return messages.map(({ text, buttons }) => shown(text, buttons))
}

async function inChat(fault: unknown): Promise<string[]> {
  const clock = new FakeClock()
  const models = {
    // biome-ignore lint/correctness/useYield: it fails before its first event
    async *stream() {
      throw fault
    },
  }
  const model = async () => MODEL
  const session = memorySession({ models, model, newId: () => 'id', clock })
  await session.ask('How are you?')
  const drawn = editor.panelActivity(session, names, clock.elapsed())
  assert.ok(drawn.is === 'failed' || drawn.is === 'waiting')
  if (drawn.is === 'failed') return [shown(drawn.notice.text, [drawn.notice.action?.label])]
  return [shown(drawn.wait.text, drawn.mayRetryNow ? ['Retry now', 'Cancel'] : ['Cancel'])]
}

async function inCompletion(fault: unknown): Promise<string[]> {
  const failed = new Emitter<Failure>()
  const clock = new FakeClock()
  const catalog = new Catalog(new ScriptedHttp({ body: { data: [] } }).send, () => `https://${host}`, clock, new Log())
  const options = { catalog, settings: new editor.EditorSettings(), isSettled: () => true, names: () => names, clock }
  const watch = new editor.RevisionWatch({ ...options, onDidFail: failed.event })
  failed.fire({ fault, lane: 'completion', model: MODEL })
  await settled()
  watch.dispose()
  return notifications()
}

async function inModelList(fault: unknown): Promise<string[]> {
  const clock = new FakeClock()
  const catalog = new Catalog(new ScriptedHttp({ fault }).send, () => `https://${host}`, clock, new Log())
  const settings = new editor.EditorSettings()
  const keys = new KeyText(() => undefined)
  const selection = new editor.ModelSelection({ catalog, settings, keys, isSignedIn: () => true, recalled: () => [] })
  await selection.loadAvailable().catch(thrown => editor.showFault(thrown, names))
  return notifications()
}

async function inSignIn(fault: unknown): Promise<string[]> {
  if (fault instanceof KeyringError) {
    const account = new Account(new ScriptedHttp({}).send, new MemoryCredentialStore(), () => undefined, new Log())
    await editor.explainKeyring(fault, { account, credential, openDashboard: () => {} })
    return notifications()
  }
  const ending = { why: 'failed', fault, place: names.service, address: 'settings' } as const
  const resumable = {
    email: 'ada@example.com',
    issuer: 'https://auth.example.com',
    resource: record.resource,
    service: 'Example',
  }
  // as: what an ending reads of the sign-in where the service is known
  const signIn = { otherMethod: () => 'browser' } as unknown as SignIn
  const account = new Account(new ScriptedHttp({}).send, new MemoryCredentialStore(), () => undefined, new Log())
  const redact = (text: string) => new Redactor().redact(text)
  const options = { signIn, account, redact }
  const drawn = editor.endingNotice({ is: 'ended', method: 'code', ending, resumable }, options)
  return drawn ? [shown(drawn.text, [drawn.action?.label])] : []
}

async function inDashboard(fault: unknown): Promise<string[]> {
  const clock = new FakeClock()
  const http = new ScriptedHttp({ fault }).send
  const account = new Account(http, new MemoryCredentialStore(), () => undefined, new Log())
  fakeEditor.settings.set('kourier.baseUrl', `https://${host}`)
  const settings = new editor.EditorSettings()
  await editor.openDashboard({ http, account, settings, clock }).catch(thrown => editor.showFault(thrown, names))
  return notifications()
}

async function inRevocation(fault: unknown): Promise<string[]> {
  const store = new MemoryCredentialStore()
  await store.save(credential)
  const isOfStore = fault instanceof KeyringError
  const http = new ScriptedHttp(isOfStore ? {} : { fault })
  const account = new Account(http.send, store, () => record.resource, new Log())
  await account.restore()
  if (isOfStore) store.clear = () => Promise.reject(fault)
  await editor.signOutAndRevoke(account, () => {})
  await settled()
  return notifications()
}

async function inCommand(fault: unknown): Promise<string[]> {
  await editor.showFault(fault, names)
  return notifications()
}

const contexts = {
  'chat answer': inChat,
  completion: inCompletion,
  'model list': inModelList,
  'sign-in': inSignIn,
  dashboard: inDashboard,
  revoke: inRevocation,
  'another command': inCommand,
} as const satisfies Readonly<Record<string, (fault: unknown) => Promise<string[]>>>

type Context = keyof typeof contexts

const requests = ['chat answer', 'completion', 'model list', 'sign-in', 'dashboard', 'revoke'] as const

/** Where a fault of this family can come up. */
const contextsOf: Readonly<Record<string, readonly Context[]>> = {
  connection: requests,
  answer: requests,
  problem: requests,
  'sign-in': ['sign-in'],
  keyring: ['sign-in', 'revoke'],
  request: ['chat answer', 'completion'],
  history: ['another command'],
  settings: ['sign-in', 'another command'],
  program: ['chat answer', 'sign-in', 'another command'],
}

async function linesOf(kind: FaultKind, fault: unknown): Promise<string[]> {
  const byText = new Map<string, Context[]>()
  for (const context of contextsOf[kind.split(':')[0] ?? ''] ?? []) {
    const sentence = (await contexts[context](fault)).join(' + ') || '(nothing is shown)'
    byText.set(sentence, [...(byText.get(sentence) ?? []), context])
  }
  return [...byText].map(([sentence, where]) => `- ${where.join(', ')}: ${sentence}`)
}

async function table(): Promise<string> {
  const parts = ['# What a person reads of every fault\n']
  for (const kind of faultKinds) {
    parts.push(`## ${kind}\n`)
    for (const [name, fault] of Object.entries(faults[kind])) {
      if (name) parts.push(`${name}:\n`)
      parts.push(`${(await linesOf(kind, fault)).join('\n')}\n`)
    }
  }
  return parts.join('\n')
}

test('every example is of the kind that it stands for', () => {
  for (const kind of faultKinds) {
    for (const fault of Object.values(faults[kind])) assert.equal(meaningOf(fault).kind, kind)
  }
})

/** `UPDATE_TABLES=1` writes the table anew; its difference is then for a person to judge. */
test('every fault has its sentence and its button, in every context', async () => {
  fakeEditor.reset()
  const found = await table()
  if (process.env['UPDATE_TABLES']) writeFileSync(TABLE, found)
  assert.deepEqual(found.split('\n'), readFileSync(TABLE, 'utf8').split('\n'))
})

test('[T35] no sentence holds a link, a placeholder, a key or a code', async () => {
  const found = await table()
  assert.doesNotMatch(found, /\]\(|\{\w*\}|sk-bf-|undefined|\b[A-Z]+_[A-Z_]+\b(?<!API_KEY)|claim\./)
})
