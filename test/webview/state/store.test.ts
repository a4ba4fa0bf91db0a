// The page's state: each message, pieces that do not fit, one drawing per frame, and what the page keeps itself.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FromPage, PanelAccount, PanelActivity, PanelMessage, ToPage } from '../../../src/protocol/panel.ts'
import { firstState, type Kept, type PageState, readKept, reduce, Store } from '../../../src/webview/state/store.ts'
import { FakeClock } from '../../support/fakeClock.ts'

const asked: PanelMessage = { id: 'q', role: 'user', text: 'Hello', state: 'whole' }
const begun: PanelMessage = { id: 'a', role: 'assistant', text: 'Good ', state: 'streaming' }
const transcript: ToPage = { kind: 'transcript', chat: 'c', messages: [asked, begun] }
const piece = (at: number, text: string, of: { chat?: string; message?: string } = {}): ToPage => ({
  kind: 'delta',
  chat: of.chat ?? 'c',
  message: of.message ?? 'a',
  at,
  text,
})
const reduced = (...messages: ToPage[]): PageState => messages.reduce(reduce, firstState)

describe('reduce', () => {
  const notice = { text: 'The key was refused.', action: { id: 'sign-in', label: 'Sign in' } } as const
  const accounts: PanelAccount[] = [
    { is: 'unknown' },
    { is: 'out', service: 'S' },
    { is: 'out', service: 'S', notice },
    { is: 'signing-in', service: 'S', text: 'Asking' },
    { is: 'code', service: 'S', code: '12', host: 'h', tag: 't', remainingMs: 1, isRenewing: false },
    { is: 'in', service: 'S', email: 'a@example.com' },
    { is: 'refused', service: 'S', notice },
  ]
  for (const account of accounts) {
    test(`account ${account.is} is shown as it comes`, () => {
      assert.deepEqual(reduced(transcript, { kind: 'account', account }), { ...reduced(transcript), account })
    })
  }

  const activities: PanelActivity[] = [
    { is: 'idle' },
    { is: 'waiting', wait: { text: 'Waiting' }, mayRetryNow: true },
    { is: 'answering' },
    { is: 'failed', notice },
  ]
  for (const activity of activities) {
    test(`activity ${activity.is} is shown as it comes`, () => {
      assert.deepEqual(reduced({ kind: 'activity', chat: 'c', activity }), { ...firstState, activity })
    })
  }

  test('model, settings, limits and focus', () => {
    assert.equal(reduced({ kind: 'model', id: 'm' }).model, 'm')
    assert.equal(reduced({ kind: 'model', id: 'm' }, { kind: 'model' }).model, undefined)
    assert.equal(reduced({ kind: 'settings', sendOnEnter: false }).sendOnEnter, false)
    assert.equal(reduced({ kind: 'limits', notice }).limits, notice)
    assert.equal(reduced({ kind: 'limits', notice }, { kind: 'limits' }).limits, undefined)
    assert.equal(reduced({ kind: 'focus' }, { kind: 'focus' }).focusCount, 2)
  })

  test('a transcript replaces what was there', () => {
    const { chat, messages } = reduced(transcript, { kind: 'transcript', chat: 'd', messages: [asked] })
    assert.deepEqual({ chat, messages }, { chat: 'd', messages: [asked] })
  })

  test('a message that comes again unchanged stays the same object', () => {
    const before = reduced(transcript)
    const ended = { ...begun, text: 'Good morning', state: 'whole' } as const
    const { messages } = reduce(before, { kind: 'transcript', chat: 'c', messages: [{ ...asked }, ended] })
    assert.equal(messages[0], before.messages[0])
    assert.deepEqual(messages[1], ended)
  })

  test('pieces continue a message and leave the others alone', () => {
    const before = reduced(transcript)
    const state = [piece(5, 'mor'), piece(8, 'ning')].reduce(reduce, before)
    assert.equal(state.messages[1]?.text, 'Good morning')
    assert.equal(state.messages[0], before.messages[0])
    assert.equal(state.isLost, false)
  })

  const misfits: [string, ToPage][] = [
    ['too far', piece(6, 'x')],
    ['already there', piece(4, ' ')],
    ['of another chat', piece(5, 'x', { chat: 'd' })],
    ['of an unknown message', piece(5, 'x', { message: 'z' })],
  ]
  for (const [name, message] of misfits) {
    test(`a piece ${name} changes nothing until the whole comes`, () => {
      const lost = reduced(transcript, message)
      assert.equal(lost.isLost, true)
      assert.deepEqual(lost.messages, [asked, begun])
      assert.equal(reduce(lost, piece(5, 'morning')), lost)
      assert.equal(reduce(lost, transcript).isLost, false)
    })
  }
})

describe('Store', () => {
  function made(kept: Kept = { draft: '', at: 0, place: 'end' }) {
    const sent: FromPage[] = []
    const saved: Kept[] = []
    const frames: (() => void)[] = []
    const clock = new FakeClock()
    const store = new Store({
      send: message => sent.push(message),
      keep: state => saved.push(state),
      kept,
      nextFrame: run => frames.push(run),
      clock,
    })
    const draw = () => {
      for (const run of frames.splice(0)) run()
    }
    return { store, sent, saved, frames, draw, clock }
  }

  test('shows many messages in one frame', () => {
    const { store, frames, draw } = made()
    store.receive(transcript)
    store.receive(piece(5, 'mor'))
    store.receive(piece(8, 'ning'))
    assert.equal(frames.length, 1)
    assert.equal(store.shown.value, firstState)
    draw()
    assert.equal(store.shown.value.messages[1]?.text, 'Good morning')
    store.receive({ kind: 'focus' })
    assert.equal(frames.length, 1)
  })

  test('takes back what was not sent, above what has been written since', () => {
    const { store, saved } = made()
    store.receive({ kind: 'draft', text: 'What is this?' })
    assert.deepEqual([store.draft.value, saved.at(-1)?.draft], ['What is this?', 'What is this?'])
    store.write('And this?')
    store.receive({ kind: 'draft', text: 'What is this?' })
    assert.equal(store.draft.value, 'What is this?\nAnd this?')
  })

  test('asks once for the whole when a piece does not fit, and again the next time', () => {
    const { store, sent } = made()
    store.receive(transcript)
    store.receive(piece(9, 'x'))
    store.receive(piece(10, 'x'))
    assert.deepEqual(sent, [{ kind: 'resend' }])
    store.receive(transcript)
    store.receive(piece(9, 'x'))
    assert.equal(sent.length, 2)
  })

  test('stops only what is under way', () => {
    const { store, sent } = made()
    store.stop()
    assert.deepEqual(sent, [])
    store.receive({ kind: 'activity', chat: 'c', activity: { is: 'answering' } })
    store.stop()
    store.receive({
      kind: 'activity',
      chat: 'c',
      activity: { is: 'waiting', wait: { text: 'Waiting' }, mayRetryNow: false },
    })
    store.stop()
    assert.deepEqual(sent, [{ kind: 'stop' }, { kind: 'stop' }])
  })

  test('keeps draft and place, and nothing else', () => {
    const { store, saved, clock } = made({ draft: 'old', at: 1, place: 'end' })
    assert.equal(store.draft.value, 'old')
    store.write('new')
    store.moveTo({ message: 'q', offset: 12 })
    const at = clock.now()
    assert.deepEqual(saved, [
      { draft: 'new', at, place: 'end' },
      { draft: 'new', at, place: { message: 'q', offset: 12 } },
    ])
  })

  test('tells the extension what stands unsent, at once and then once for many keys', async () => {
    const { store, sent, clock } = made()
    store.write('W')
    await clock.advance(100)
    store.write('Why')
    const at = clock.now()
    assert.deepEqual(sent, [{ kind: 'draft', text: 'W', at: at - 100 }], 'the first at once')
    await clock.advance(1_000)
    assert.deepEqual(sent.slice(1), [{ kind: 'draft', text: 'Why', at }])
    store.write('')
    await clock.advance(1_000)
    assert.deepEqual(sent.at(-1), { kind: 'draft', text: '', at: at + 1_000 })
  })

  test('of two drafts the one that was written later counts, wherever it was kept', () => {
    const { store, saved } = made({ draft: 'sent long ago', at: 5, place: 'end' })
    store.receive({ kind: 'kept-draft', text: 'older', at: 4 })
    assert.equal(store.draft.value, 'sent long ago')
    store.receive({ kind: 'kept-draft', text: 'newer', at: 6 })
    assert.deepEqual([store.draft.value, saved.at(-1)], ['newer', { draft: 'newer', at: 6, place: 'end' }])
  })

  test('keeps a question that was sent until the conversation has it', () => {
    const { store, saved, sent } = made()
    store.receive({ kind: 'transcript', chat: 'c', messages: [] })
    store.write('Where is it?')
    store.ask()
    assert.deepEqual([store.draft.value, sent.at(-1)], ['', { kind: 'send', text: 'Where is it?' }])
    store.write('And')
    assert.equal(saved.at(-1)?.draft, 'Where is it?\nAnd')
    store.receive({ kind: 'transcript', chat: 'c', messages: [] })
    assert.equal(saved.at(-1)?.draft, 'Where is it?\nAnd', 'an extension that has not taken it yet')
    store.receive({ kind: 'transcript', chat: 'c', messages: [asked] })
    assert.deepEqual([store.draft.value, saved.at(-1)?.draft], ['And', 'And'])
  })

  test('announces the same words twice', () => {
    const { store } = made()
    store.announce('Copied')
    const first = store.announcement.value
    store.announce('Copied')
    assert.notEqual(store.announcement.value, first)
    assert.equal(store.announcement.value.trim(), 'Copied')
  })
})

test('what was kept is judged before it is believed', () => {
  const nothing: Kept = { draft: '', at: 0, place: 'end' }
  const good: Kept = { draft: 'd', at: 1, place: { message: 'q', offset: 3 } }
  assert.deepEqual(readKept(good), good)
  for (const bad of [
    undefined,
    null,
    'x',
    {},
    { draft: 1, at: 1, place: 'end' },
    { draft: '', at: 1, place: 'start' },
  ]) {
    assert.deepEqual(readKept(bad), nothing)
  }
})
