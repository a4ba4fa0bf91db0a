// What a person reads when the service lies or breaks off while nothing of the model has been asked.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'mocha'
import { ConfigurationTarget, commands, workspace } from 'vscode'
import type { Fault } from '../localService/faults.ts'
import { type Service, startService } from '../localService/server.ts'
import { openPage } from './observed.ts'
import { answersOf, Questions } from './questions.ts'

const email = 'ada@example.com'
const resource = '/.well-known/oauth-protected-resource'
const server = '/.well-known/oauth-authorization-server'
const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('a sign-in at a service that lies', () => {
  let service: Service
  let host = ''
  let authHost = ''

  before(async () => {
    service = await startService({ interval: 1, plan: 'pro' })
    host = new URL(service.baseUrl).host
    authHost = new URL(service.authUrl).host
    await workspace.getConfiguration('kourier').update('baseUrl', service.baseUrl, ConfigurationTarget.Global)
  })
  after(() => service.close())
  beforeEach(() => service.faults.clear())

  const lies: readonly (readonly [name: string, fault: Fault, said: () => string])[] = [
    [
      'breaks off in a document, of which nothing is kept',
      { kind: 'cut', afterBytes: 20, on: resource },
      () => `The connection to ${host} broke off. Try again.`,
    ],
    [
      'sends a document that never ends, which nobody asked for at once',
      { kind: 'gzip-bomb', bytes: 30_000_000, on: resource },
      () => `${host} sent more than Kourier can hold. Try again.`,
    ],
    [
      'is a website',
      { kind: 'html', on: resource },
      () =>
        `${host} answered with a web page. It may be the login page of your network, or the address is not that of the service; open a browser to see.`,
    ],
    [
      'sends rubbish',
      {
        kind: 'status',
        status: 200,
        headers: { 'content-type': 'application/json' },
        base64: base64('{{{'),
        on: resource,
      },
      () =>
        `${host} answered in a way that Kourier does not understand (body). Try again, or tell whoever runs the service.`,
    ],
    [
      'redirects',
      { kind: 'redirect', status: 302, to: 'https://elsewhere.example/', on: resource },
      () => `${host} redirects to elsewhere.example, and Kourier follows no redirect. Check the address.`,
    ],
    [
      'has a sign-in server in trouble, and has not told its name in this window',
      { kind: 'status', status: 500, on: server },
      () => `${authHost} has trouble answering at the moment. Try again.`,
    ],
  ]

  it('one that is silent: first that it is looked for, then that it takes its time, and Cancel ends it', async () => {
    using questions = new Questions({})
    service.faults.add({ kind: 'silence', on: resource })
    const cancelled = questions.next('The sign-in was cancelled; no key was kept.')
    const ended = commands.executeCommand('kourier.signIn')
    await questions.told(`Looking for the service at ${host}: it takes its time; still trying`)
    openPage().say({ kind: 'cancel-sign-in' })
    await ended
    assert.deepEqual((await cancelled).buttons, ['Sign In'])
  })

  for (const [name, fault, said] of lies) {
    it(`one that ${name}`, async () => {
      using questions = new Questions(answersOf(email))
      service.faults.add({ ...fault, times: 'always' })
      await commands.executeCommand('kourier.signIn')
      const [first] = questions.asked
      assert.equal(first?.text, said())
      assert.equal(first.buttons.length, 1, 'and there is a way on')
    })
  }
})
