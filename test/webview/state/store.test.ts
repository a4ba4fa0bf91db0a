// The page's state: each message, pieces that do not fit, one drawing per frame, and what the page keeps itself.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { turnOf } from '../../../src/protocol/conversationState.ts'
import type { FromPage, PanelAccount, PanelActivity, ToPage } from '../../../src/protocol/panel.ts'
import { messagesOf } from '../../../src/webview/state/messages.ts'
import { firstState, type Kept, type PageState, readKept, reduce, Store } from '../../../src/webview/state/store.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { type Drawn, PageConversation } from '../../support/pageConversation.ts'

const asked: Drawn = { id: 'q', role: 'user', text: 'Hello' }
const begun: Drawn = { id: 'a', role: 'assistant', text: 'Good ', state: 'streaming' }
const started = () => {
  const conversation = new PageConversation()
  return { conversation, transcript: conversation.replay(asked, begun) }
}
const { transcript } = started()
const drawn = ({ conversation }: PageState) => messagesOf(conversation)
const textsOf = (state: PageState) => drawn(state).map(({ text }) => text)
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
      assert.deepEqual(reduced(transcript, { kind: 'activity', conversation: 'c', activity }).activity, activity)
      assert.notDeepEqual(
        reduced(transcript, { kind: 'activity', conversation: 'of another', activity: { is: 'failed', notice } })
          .activity,
        { is: 'failed', notice },
      )
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

  test('a replay replaces what was there', () => {
    const state = reduced(transcript, new PageConversation('d').replay(asked))
    assert.equal(state.conversation.conversation, 'd')
    assert.deepEqual(textsOf(state), ['Hello'])
  })

  test('pieces continue a message and leave the others alone', () => {
    const { conversation, transcript } = started()
    const before = reduced(transcript, new PageConversation().replay(asked, begun))
    const deltas = [conversation.delta(5, 'mor'), conversation.delta(8, 'ning')]
    const state = deltas.reduce(reduce, before)
    assert.deepEqual(textsOf(state), ['Hello', 'Good morning'])
    assert.equal(state.missesEvents, false)
  })

  test('a message whose turn has not changed stays the same object', () => {
    const { conversation, transcript } = started()
    const before = reduced(transcript)
    const ended = reduce(before, conversation.append({ kind: 'turn-ended', turn: 'a', state: 'done' }))
    const asking = conversation.append({
      kind: 'turn-started',
      turn: 'b',
      parent: 'a',
      origin: { is: 'new' },
      prompt: [],
    })
    const [, answer] = drawn(ended)
    assert.equal(drawn(reduce(ended, asking))[1], answer)
  })

  test('an event after a gap changes nothing until what is missing has come', () => {
    const { conversation, transcript } = started()
    const before = reduced(transcript)
    const missing = conversation.delta(5, 'mor')
    const later = conversation.delta(8, 'ning')
    const lost = reduce(before, later)
    assert.equal(lost.missesEvents, true)
    assert.deepEqual(textsOf(lost), ['Hello', 'Good '])
    const found = [missing, later].reduce(reduce, lost)
    assert.equal(found.missesEvents, false)
    assert.deepEqual(textsOf(found), ['Hello', 'Good morning'])
  })

  test('events of another conversation are not ours', () => {
    const before = reduced(transcript)
    const other = new PageConversation('d')
    other.replay(asked, begun)
    assert.equal(reduce(before, other.delta(5, 'x')), before)
  })
})

describe('content of turns', () => {
  const more: Drawn[] = [
    { role: 'user', text: 'First' },
    { role: 'assistant', id: 'a1', text: 'One', state: 'whole' },
    { role: 'user', text: 'Second' },
    { role: 'assistant', id: 'a2', text: 'Two', state: 'streaming' },
  ]
  const opened = () => {
    const conversation = new PageConversation('c', () => turn => turn.id !== 'a1')
    const state = reduced(conversation.replay(...more))
    const whole = reduced(new PageConversation('c').replay(...more)).conversation
    const turns = [turnOf(whole, 'a1')].filter(turn => turn !== undefined)
    const content = (n: number) => ({ kind: 'turns', conversation: 'c', n, turns }) as unknown as ToPage
    return { conversation, state, content }
  }

  test('a message without its content is there, and names what it lacks', () => {
    const { state } = opened()
    const drawnMessages = drawn(state).map(({ role, text, lacks }) => [role, text, lacks])
    assert.deepEqual(drawnMessages, [
      ['user', '', ['a1']],
      ['assistant', '', ['a1']],
      ['user', 'Second', []],
      ['assistant', 'Two', []],
    ])
  })

  test('content of the same event completes it; of another one it changes nothing', () => {
    const { conversation, state, content } = opened()
    const complete = reduce(state, content(state.conversation.n))
    assert.deepEqual(textsOf(complete), ['First', 'One', 'Second', 'Two'])
    const later = reduce(state, conversation.delta(3, ' and more', 'a2'))
    assert.equal(reduce(later, content(state.conversation.n)), later)
  })
})

describe('Store', () => {
  function made(kept: Kept = { conversation: 'c', draft: '', at: 0, edits: {}, place: 'end' }) {
    const sent: FromPage[] = []
    const saved: Kept[] = []
    const frames: (() => void)[] = []
    const clock = new FakeClock()
    const store = new Store({
      send: message => sent.push(message),
      keep: state => saved.push(state),
      kept,
      nextFrame: run => frames.push(run),
      afterFrame: () => {},
      clock,
    })
    const draw = () => {
      for (const run of frames.splice(0)) run()
    }
    return { store, sent, saved, frames, draw, clock }
  }

  test('an example takes the place of another, and leaves what the user has written', () => {
    const { store } = made()
    store.putExampleIntoComposer('One?')
    store.putExampleIntoComposer('Two?')
    assert.equal(store.draft.value, 'Two?')
    store.write('Two? Mine')
    store.putExampleIntoComposer('One?')
    assert.equal(store.draft.value, 'One?\nTwo? Mine')
  })

  test('a mention of what the user has declined to attach is taken out, and nothing else', () => {
    const { store } = made()
    const { conversation } = store
    store.write('Is @.env like @.env.example, or @.env wrong?')
    store.receive({ kind: 'declined-mention', conversation, text: '@.env' })
    assert.equal(store.draft.value, 'Is @.env like @.env.example, or wrong?')
    store.receive({ kind: 'declined-mention', conversation: 'another', text: '@.env' })
    store.receive({ kind: 'declined-mention', conversation, text: '@gone' })
    assert.equal(store.draft.value, 'Is @.env like @.env.example, or wrong?')
  })

  test('shows many messages in one frame', () => {
    const { store, frames, draw } = made()
    const { conversation, transcript } = started()
    store.receive(transcript)
    store.receive(conversation.delta(5, 'mor'))
    store.receive(conversation.delta(8, 'ning'))
    assert.equal(frames.length, 1)
    assert.equal(store.shown.value, firstState)
    draw()
    assert.equal(store.shown.value.messages[1]?.text, 'Good morning')
    store.receive({ kind: 'focus' })
    assert.equal(frames.length, 1)
  })

  test('takes back what was not sent, above what has been written since', () => {
    const { store, saved } = made()
    store.receive({ kind: 'draft', conversation: 'c', text: 'What is this?' })
    assert.deepEqual([store.draft.value, saved.at(-1)?.draft], ['What is this?', 'What is this?'])
    store.write('And this?')
    store.receive({ kind: 'draft', conversation: 'c', text: 'What is this?' })
    assert.equal(store.draft.value, 'What is this?\nAnd this?')
  })

  test('says with a message which chips were drawn, and why one waits', () => {
    const { store, sent, draw } = made()
    const chips = [{ id: '1', kind: 'file', label: 'a.ts', state: 'ready' } as const]
    store.receive({ kind: 'draft-context', conversation: 'c', chips, offers: [] })
    store.write('/explain it')
    store.ask()
    draw()
    store.receive({ kind: 'draft-context', conversation: 'c', chips, offers: [] })
    draw()
    store.receive({ kind: 'draft', conversation: 'c', text: '/explain it', number: 1, why: 'Look at it.' })
    assert.deepEqual([store.draft.value, store.refusals.value], ['/explain it', ['Look at it.']])
    store.ask()
    assert.deepEqual(store.refusals.value, [])
    assert.deepEqual(
      sent.flatMap(message => (message.kind === 'send' ? [message.chips] : [])),
      [undefined, ['1']],
    )
  })

  test('reports the word of a command at once, because what it attaches is then shown', () => {
    const { store, sent } = made()
    for (const text of ['/explain', '/explain ', '/explain i']) store.write(text)
    assert.deepEqual(
      sent.flatMap(message => (message.kind === 'draft' ? [message.text] : [])),
      ['/explain', '/explain '],
    )
  })

  test('puts a command in the place of one that nobody has changed', () => {
    const { store } = made()
    store.write('And this?')
    store.receive({ kind: 'draft', conversation: 'c', text: '/explain ' })
    store.receive({ kind: 'draft', conversation: 'c', text: '/fix ', replaces: '/explain ' })
    assert.equal(store.draft.value, '/fix \nAnd this?')
    store.write('/fix it')
    store.receive({ kind: 'draft', conversation: 'c', text: '/doc ', replaces: '/fix ' })
    assert.equal(store.draft.value, '/doc \n/fix it')
  })

  test('asks once for the events that it has missed, and again the next time', () => {
    const { store, sent } = made()
    const { conversation, transcript } = started()
    store.receive(transcript)
    const from = conversation.next
    conversation.skip()
    store.receive(conversation.delta(9, 'x'))
    store.receive(conversation.delta(10, 'x'))
    assert.deepEqual(sent, [{ kind: 'replay', conversation: 'c', from }])
    store.receive(transcript)
    store.receive(conversation.delta(11, 'x'))
    assert.equal(sent.length, 2)
  })

  test('stops only what is under way', () => {
    const { store, sent } = made()
    store.stop()
    assert.deepEqual(sent, [])
    store.receive(transcript)
    store.receive({ kind: 'activity', conversation: 'c', activity: { is: 'answering' } })
    store.stop()
    store.receive({
      kind: 'activity',
      conversation: 'c',
      activity: { is: 'waiting', wait: { text: 'Waiting' }, mayRetryNow: false },
    })
    store.stop()
    assert.deepEqual(sent, [
      { kind: 'stop', conversation: 'c' },
      { kind: 'stop', conversation: 'c' },
    ])
  })

  test('[T11] what is kept has no key, while the page and the extension have the text as it was written', () => {
    const { store, saved, sent } = made()
    const key = 'sk-bf-0123456789'
    store.write(`Use ${key}`)
    store.keepEdit('q', `Not ${key}`)
    assert.deepEqual([saved.at(-1)?.draft, saved.at(-1)?.edits], ['Use sk-bf-…', { q: 'Not sk-bf-…' }])
    assert.deepEqual([store.draft.value, store.editText('q')], [`Use ${key}`, `Not ${key}`])
    assert.partialDeepStrictEqual(sent, [{ kind: 'draft', text: `Use ${key}` }])
  })

  test('keeps draft and place, and nothing else', () => {
    const { store, saved, clock } = made({ conversation: 'c', draft: 'old', at: 1, edits: {}, place: 'end' })
    assert.equal(store.draft.value, 'old')
    store.write('new')
    store.moveTo({ message: 'q', offset: 12 })
    const at = clock.now()
    assert.deepEqual(saved, [
      { conversation: 'c', draft: 'new', at, edits: {}, place: 'end' },
      { conversation: 'c', draft: 'new', at, edits: {}, place: { message: 'q', offset: 12 } },
    ])
  })

  test('tells the extension what stands unsent, at once and then once for many keys', async () => {
    const { store, sent, clock } = made()
    store.write('W')
    await clock.advance(100)
    store.write('Why')
    const at = clock.now()
    assert.deepEqual(
      sent,
      [{ kind: 'draft', conversation: 'c', text: 'W', at: at - 100, edits: {} }],
      'the first at once',
    )
    await clock.advance(1_000)
    assert.deepEqual(sent.slice(1), [{ kind: 'draft', conversation: 'c', text: 'Why', at, edits: {} }])
    store.write('')
    await clock.advance(1_000)
    assert.deepEqual(sent.at(-1), { kind: 'draft', conversation: 'c', text: '', at: at + 1_000, edits: {} })
  })

  test('the last keys are sent when the composer is left, because the page may be closed with the next click', () => {
    const { store, sent } = made()
    store.saveDraft()
    assert.equal(sent.length, 0)
    store.write('W')
    store.write('Why')
    store.saveDraft()
    const texts = sent.map(message => (message.kind === 'draft' ? message.text : message.kind))
    assert.deepEqual(texts, ['W', 'Why'])
  })

  test('of two drafts the one that was written later counts, wherever it was kept', () => {
    const { store, saved, sent } = made({ conversation: 'c', draft: 'sent long ago', at: 5, edits: {}, place: 'end' })
    store.receive({ kind: 'kept-draft', conversation: 'c', text: 'older', at: 4, carriesDraft: false })
    assert.equal(store.draft.value, 'sent long ago')
    assert.deepEqual(sent, [{ kind: 'draft', conversation: 'c', text: 'sent long ago', at: 5, edits: {} }])
    store.receive({ kind: 'kept-draft', conversation: 'c', text: 'newer', at: 6, carriesDraft: false })
    assert.deepEqual(
      [store.draft.value, saved.at(-1)],
      ['newer', { conversation: 'c', draft: 'newer', at: 6, edits: {}, place: 'end' }],
    )
  })

  test('each conversation has its draft; one that is not finished may come along', () => {
    const { store, sent, saved } = made()
    store.write('about c')
    store.receive({ kind: 'kept-draft', conversation: 'd', text: 'about d', at: 3, carriesDraft: false })
    assert.equal(store.draft.value, 'about d')
    assert.deepEqual(saved.at(-1), { conversation: 'd', draft: 'about d', at: 3, edits: {}, place: 'end' })
    store.receive({ kind: 'kept-draft', conversation: 'e', text: '', at: 0, carriesDraft: true })
    assert.equal(store.draft.value, 'about d')
    const drafts = sent.flatMap(message => (message.kind === 'draft' ? [[message.conversation, message.text]] : []))
    assert.deepEqual(drafts.slice(-3), [
      ['c', 'about c'],
      ['d', ''],
      ['e', 'about d'],
    ])
    store.receive({ kind: 'kept-draft', conversation: 'f', text: '', at: 0, carriesDraft: false })
    assert.equal(store.draft.value, '')
  })

  test('keeps a question that was sent until the conversation has it', () => {
    const { store, saved, sent } = made()
    store.receive(new PageConversation().replay())
    store.write('Where is it?')
    store.ask()
    const message = { kind: 'send', conversation: 'c', text: 'Where is it?', number: 1 }
    assert.deepEqual([store.draft.value, sent.at(-1)], ['', message])
    store.write('And')
    assert.equal(saved.at(-1)?.draft, 'Where is it?\nAnd')
    store.receive(new PageConversation().replay())
    assert.equal(saved.at(-1)?.draft, 'Where is it?\nAnd', 'an extension that has not taken it yet')
    store.receive(new PageConversation().replay(asked))
    assert.deepEqual([store.draft.value, saved.at(-1)?.draft], ['And', 'And'])
    assert.partialDeepStrictEqual(sent.at(-1), { kind: 'draft', text: 'And' }, 'without a pause')
  })

  test('draws at once what was sent, of several each until the conversation has it or it comes back', () => {
    const { store, saved, sent, draw } = made()
    const conversation = new PageConversation()
    store.receive(conversation.replay())
    const chips = [{ id: '1', kind: 'file', label: 'a.ts', state: 'ready' } as const]
    store.receive({ kind: 'draft-context', conversation: 'c', chips, offers: [] })
    draw()
    const pending = () => store.pending.value.map(({ text, chips, place }) => [text, chips.length, place])
    for (const text of ['One?', 'Two?', 'Three?']) {
      store.write(text)
      store.ask()
    }
    assert.deepEqual(pending(), [
      ['One?', 1, 'transcript'],
      ['Two?', 0, 'queue'],
      ['Three?', 0, 'queue'],
    ])
    draw()
    assert.deepEqual(store.shown.value.chips, [])
    store.write('And')
    store.saveDraft()
    assert.partialDeepStrictEqual(sent.at(-1), {
      text: 'One?\nTwo?\nThree?\nAnd',
      sentChars: 'One?\nTwo?\nThree?'.length,
    })
    store.receive({ kind: 'draft', conversation: 'c', text: 'One?', number: 1 })
    assert.deepEqual([pending().length, store.draft.value], [2, 'One?\nAnd'])
    store.receive(conversation.replay(asked))
    assert.deepEqual([pending(), saved.at(-1)?.draft], [[['Three?', 0, 'queue']], 'Three?\nOne?\nAnd'])
  })

  test('a question that is being changed is kept like the draft, and once it was sent until the conversation has it', () => {
    const { store, saved, sent } = made()
    const conversation = new PageConversation()
    store.receive(conversation.replay(asked))
    const isEdited = store.isEdited('q')
    store.keepEdit('q', 'Hello, you')
    assert.deepEqual([isEdited.value, saved.at(-1)?.edits], [true, { q: 'Hello, you' }])
    const sentDraft = { kind: 'draft', conversation: 'c', text: '', at: saved.at(-1)?.at, edits: { q: 'Hello, you' } }
    assert.deepEqual(sent, [sentDraft])
    assert.equal(made(saved.at(-1)).store.isEdited('q').value, true, 'after a reload')

    store.editTurn('q', 'Hello, all')
    assert.deepEqual([isEdited.value, saved.at(-1)?.edits], [false, { q: 'Hello, all' }])
    store.receive({ kind: 'refused-edit', conversation: 'c', turn: 'q', text: 'Hello, all' })
    assert.deepEqual([isEdited.value, store.editText('q')], [true, 'Hello, all'])
    store.editTurn('q', 'Hello, all')
    store.receive(conversation.append({ kind: 'turn-started', turn: 'r', origin: { is: 'edit', of: 'q' }, prompt: [] }))
    assert.deepEqual([isEdited.value, saved.at(-1)?.edits], [false, {}])
  })

  test('what is being changed stays with its conversation, and comes from where it was written last', () => {
    const { store, sent } = made({ conversation: 'c', draft: '', at: 5, edits: { q: 'mine' }, place: 'end' })
    store.receive({ kind: 'kept-draft', conversation: 'c', text: '', at: 4, edits: { q: 'old' }, carriesDraft: false })
    assert.equal(store.editText('q'), 'mine')
    store.receive({ kind: 'kept-draft', conversation: 'c', text: '', at: 6, edits: { q: 'new' }, carriesDraft: false })
    assert.equal(store.editText('q'), 'new')
    store.receive({ kind: 'kept-draft', conversation: 'd', text: '', at: 0, carriesDraft: true })
    assert.equal(store.isEdited('q').value, false)
    assert.deepEqual(sent.at(-1), { kind: 'draft', conversation: 'c', text: '', at: 6, edits: { q: 'new' } })
  })

  test('of several deletions one undo brings all back, and a question sent meanwhile does not end that', () => {
    const { store, sent, draw } = made()
    store.receive(new PageConversation().replay(asked))
    draw()
    store.deleteTurn('q')
    store.write('And?')
    store.ask()
    store.deleteTurn('r')
    assert.equal(store.deleted.value.length, 2)
    sent.length = 0
    store.undoDelete()
    assert.deepEqual(
      sent.map(message => (message.kind === 'delete-turn' ? [message.turn, message.value] : [])),
      [
        ['q', false],
        ['r', false],
      ],
    )
    assert.equal(store.deleted.value.length, 0)
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
  const nothing: Kept = { conversation: '', draft: '', at: 0, edits: {}, place: 'end' }
  const good: Kept = { conversation: 'c', draft: 'd', at: 1, edits: { t: 'e' }, place: { message: 'q', offset: 3 } }
  assert.deepEqual(readKept(good), good)
  for (const bad of [
    undefined,
    null,
    'x',
    {},
    { draft: 1, at: 1, place: 'end' },
    { draft: '', at: 1, place: 'start' },
    { draft: '', at: 1, place: 'end', edits: { t: 1 } },
  ]) {
    assert.deepEqual(readKept(bad), nothing)
  }
})
