// What a link of an answer may open, and what the user sees of its address before.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { fakeEditor, withFakeVscode } from '../../support/fakeVscode.ts'

const { AddressOpener } = await withFakeVscode(() => import('../../../src/editor/chat/addressOpener.ts'))

// Hooks of a file are those of all files that share its process.
describe('a link of an answer', () => {
  let opened: string[] = []

  beforeEach(() => {
    fakeEditor.reset()
    opened = []
    fakeEditor.onOpenExternal = url => opened.push(url)
    fakeEditor.pressed = 'Open'
  })
  afterEach(() => fakeEditor.reset())

  const questions = () => fakeEditor.messages.map(({ text }, at) => [text, fakeEditor.details[at]])

  test('[T34] only what a browser or a mail program opens is opened', async () => {
    const opener = new AddressOpener()
    const fine = ['https://example.com/a?b#c', 'http://example.com/', 'mailto:ada@example.com']
    const others = [
      'command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22ls%22%7D',
      'vscode://publisher.extension/run',
      'vscode-insiders://publisher.extension/run',
      'file:///etc/passwd',
      'file://server/share/a.txt',
      '\\\\server\\share',
      'javascript:alert(1)',
      'data:text/html,hello',
      'blob:https://example.com/1',
      'ssh://example.com',
      '//example.com',
      'no address',
      '',
    ]
    for (const url of [...others, ...fine]) await opener.open(url)
    assert.deepEqual(opened, fine)
    assert.equal(fakeEditor.messages.length, fine.length)
  })

  test('[T38] the first page of a host is opened once the user has seen the whole address, the next ones at once', async () => {
    const opener = new AddressOpener()
    const long = `https://example.com/a?q=AT%26T&r=${'x'.repeat(400)}#%41`
    fakeEditor.pressed = 'Cancel'
    await opener.open(long)
    assert.deepEqual(opened, [])
    fakeEditor.pressed = 'Open'
    await opener.open(long)
    await opener.open('https://example.com/b')
    assert.deepEqual(opened, [long, 'https://example.com/b'])
    assert.deepEqual(questions(), Array(2).fill(['Open this page of example.com?', long]))
    for (const other of ['http://example.com/', 'https://example.com:8443/', 'https://www.example.com/'])
      await opener.open(other)
    assert.equal(fakeEditor.messages.length, 5)
  })

  test('[T38] what looks like another address is shown in ASCII, and percent-encoded where it cannot be seen', async () => {
    const opener = new AddressOpener()
    await opener.open('https://ex\u0430mple.com/\u202egpj.exe?a=\u200bb')
    await opener.open('https://example.com@evil.test/')
    assert.deepEqual(questions(), [
      ['Open this page of xn--exmple-4nf.com?', 'https://xn--exmple-4nf.com/%E2%80%AEgpj.exe?a=%E2%80%8Bb'],
      ['Open this page of evil.test?', 'https://example.com@evil.test/'],
    ])
  })

  test('a mail address asks each time, and shows the whole target with what cannot be seen in it', async () => {
    const opener = new AddressOpener()
    const long = 'x'.repeat(400)
    const url = `mailto:ada@example.com\u202e?subject=a\u0007b\u200b%0Acc&[body]=${long}`
    const shown = `mailto:ada@example.com%E2%80%AE?subject=a%07b%E2%80%8B%0Acc&[body]=${long}`
    for (const pressed of ['Cancel', 'Open', 'Cancel']) {
      fakeEditor.pressed = pressed
      await opener.open(url)
    }
    const effect = 'Your mail program opens and may take recipients, subject and text from this address.'
    assert.deepEqual(questions(), Array(3).fill(['Open this mail address?', `${shown}\n\n${effect}`]))
    assert.deepEqual(opened, [shown])
  })

  test('an address of this machine is named as one', async () => {
    const opener = new AddressOpener()
    await opener.open('http://localhost:9/steal?x=1')
    const effect = 'The address is on this machine. A program that listens there may act on it.'
    assert.deepEqual(questions(), [['Open this page of localhost:9?', `http://localhost:9/steal?x=1\n\n${effect}`]])
  })
})
