// When the provider is called, and what is visible, with a provider that answers by hand.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Emitter } from '../../../src/base/event.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { EditorShim, type InlineItem, type InlineProvider, type ProviderCall } from './editorShim.ts'
import { type DocumentChange, FakeDocument } from './fakeDocument.ts'

class HandProvider implements InlineProvider {
  readonly calls: { readonly call: ProviderCall; readonly signal: AbortSignal; answer(item?: InlineItem): void }[] = []
  readonly changes: DocumentChange[] = []
  readonly #late = new Emitter<number>()
  readonly onDidArriveLate = this.#late.event

  changed(change: DocumentChange): void {
    this.changes.push(change)
  }

  provide(call: ProviderCall, signal: AbortSignal): Promise<InlineItem | undefined> {
    const { promise, resolve } = Promise.withResolvers<InlineItem | undefined>()
    this.calls.push({ call, signal, answer: resolve })
    return promise
  }

  late(version: number): void {
    this.#late.fire(version)
  }
}

function harness({ text = '', opensList = false, closesPairs = false } = {}) {
  const clock = new FakeClock()
  const document = new FakeDocument({ text, cursor: text.length, language: 'typescript', closesPairs })
  const provider = new HandProvider()
  const shim = new EditorShim({ document, provider, clock, opensList })
  /** Types, waits for the call and answers it with this line. */
  const typeAndAnswer = async (character: string, line?: string) => {
    document.type(character)
    await clock.advance(50)
    const { text, cursor } = document
    const start = text.lastIndexOf('\n', cursor - 1) + 1
    provider.calls
      .at(-1)
      ?.answer(line === undefined ? undefined : { text: line, start, end: text.length, request: 'r' })
    await clock.advance(12)
  }
  return { clock, document, provider, shim, typeAndAnswer, visibleText: () => shim.visible?.text }
}

describe('the provider', () => {
  test('is called 50 ms after the last key', async () => {
    const { clock, document, provider } = harness()
    document.type('a')
    await clock.advance(40)
    document.type('b')
    await clock.advance(49)
    assert.equal(provider.calls.length, 0)
    await clock.advance(1)
    assert.equal(provider.calls.length, 1)
    assert.equal(provider.changes.length, 2)
  })

  test('has its call cancelled by the next key, and is not called for a moved cursor', async () => {
    const { clock, document, provider } = harness()
    document.type('a')
    await clock.advance(50)
    document.type('b')
    assert.equal(provider.calls[0]?.signal.aborted, true)
    document.moveTo(0)
    await clock.advance(1_000)
    assert.equal(provider.calls.length, 1)
  })

  test('is called again for a late answer, but only for the current version', async () => {
    const { clock, document, provider, typeAndAnswer } = harness()
    await typeAndAnswer('a')
    provider.late(document.version - 1)
    await clock.advance(10)
    assert.equal(provider.calls.length, 1)
    provider.late(document.version)
    await clock.advance(10)
    assert.equal(provider.calls.length, 2)
  })
})

describe('a visible text', () => {
  test('is drawn 12 ms after the answer and survives typing it, also while the next call is pending', async () => {
    const { clock, document, visibleText, typeAndAnswer } = harness()
    await typeAndAnswer('a', 'abc')
    assert.equal(visibleText(), 'abc')
    document.type('b')
    assert.equal(visibleText(), 'abc')
    await clock.advance(500)
    assert.equal(visibleText(), 'abc')
  })

  test('is hidden by other text and comes back with backspace, but goes with an empty answer', async () => {
    const { document, visibleText, typeAndAnswer } = harness()
    await typeAndAnswer('a', 'abc')
    document.type('x')
    assert.equal(visibleText(), undefined)
    document.backspace()
    assert.equal(visibleText(), 'abc')
    await typeAndAnswer('b')
    assert.equal(visibleText(), undefined)
  })

  test('holds what stands right of the cursor, or it is not visible', async () => {
    const { visibleText, typeAndAnswer } = harness({ text: 'f', closesPairs: true })
    await typeAndAnswer('(', 'f(a)')
    assert.equal(visibleText(), 'f(a)')
    await typeAndAnswer('b', 'f(bc')
    assert.equal(visibleText(), undefined)
  })

  test('that is fully typed is gone', async () => {
    const { document, visibleText, typeAndAnswer } = harness()
    await typeAndAnswer('a', 'ab')
    document.type('b')
    assert.equal(visibleText(), undefined)
  })

  test('is accepted with its range', async () => {
    const { document, shim, visibleText, typeAndAnswer } = harness({ text: 'f', closesPairs: true })
    await typeAndAnswer('(', 'f(a)')
    if (shim.visible) shim.accept(shim.visible)
    assert.equal(document.text, 'f(a)')
    assert.equal(document.cursor, 4)
    assert.equal(visibleText(), undefined)
  })
})

describe('the suggestion list', () => {
  test('opens 750 ms after a call that is pending, and only text that goes on from its item is visible', async () => {
    const { clock, document, provider, visibleText } = harness({ text: 'alpha\n', opensList: true })
    document.type('a')
    await clock.advance(50 + 749)
    assert.equal(provider.calls[0]?.signal.aborted, false)
    await clock.advance(1 + 10)
    assert.equal(provider.calls[0]?.signal.aborted, true)
    assert.deepEqual(provider.calls[1]?.call.selected, { start: 6, end: 7, text: 'alpha' })
    provider.calls[1]?.answer({ text: 'alpha + 1', start: 6, end: 7, request: 'r' })
    await clock.advance(12)
    assert.equal(visibleText(), 'alpha + 1')
    document.type('x')
    assert.equal(visibleText(), undefined)
  })

  test('opens at once after an empty answer, and hides what does not go on from its item', async () => {
    const { clock, provider, visibleText, typeAndAnswer } = harness({ text: 'alpha\n', opensList: true })
    await typeAndAnswer('a')
    provider.calls.at(-1)?.answer({ text: 'another', start: 6, end: 7, request: 'r' })
    await clock.advance(12)
    assert.equal(provider.calls.length, 2)
    assert.equal(visibleText(), undefined)
  })
})
