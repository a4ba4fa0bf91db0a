// What was asked before comes from the conversation and then from others of the workspace, as far as it is asked for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FoundPrompts, PastPrompts } from '../../../src/core/agent/pastPrompts.ts'
import type { Session } from '../../../src/core/agent/session.ts'
import type { ConversationSummary } from '../../../src/core/conversation/conversationList.ts'
import { type ConversationState, emptyConversation, reduce } from '../../../src/protocol/conversationState.ts'

const { signal } = new AbortController()
const textsOf = ({ prompts }: FoundPrompts) => prompts.map(({ text }) => text)

/** A conversation in which these were asked; the turns are numbered from 0. */
function asked(conversation: string, ...texts: readonly string[]): ConversationState {
  return texts.reduce<ConversationState>((state, text, at) => {
    const prompt = [{ kind: 'text', id: 'p', text }] as const
    const parent = at > 0 && { parent: `t${at - 1}` }
    const started = { kind: 'turn-started', turn: `t${at}`, ...parent, origin: { is: 'new' }, prompt } as const
    return reduce(state, { ...started, prompt: [...prompt], conversation, n: at + 1, time: at })
  }, emptyConversation(conversation))
}

/** `others`: by their time; one without a state cannot be read. */
function setup(others: Readonly<Record<string, { at: number; workspace?: string; state?: ConversationState }>>) {
  const read: string[] = []
  const past = new PastPrompts({
    workspace: 'file:///w',
    list: async () => ({
      list: async () =>
        Object.entries(others).map(
          ([conversation, { at, workspace = 'file:///w' }]) =>
            // as: nothing else of it is read.
            ({ conversation, updatedAt: at, workspace }) as ConversationSummary,
        ),
    }),
    sessions: {
      use: (conversation, work) => {
        read.push(conversation)
        const state = others[conversation]?.state
        // as: nothing else of it is read.
        return state ? work({ conversation: state } as Session) : Promise.reject(new Error('It cannot be read'))
      },
    },
  })
  return { past, read }
}

test('of the conversation those before the turn, then of the others the newest first, without what cannot be read', async () => {
  const { past, read } = setup({
    old: { at: 1, state: asked('old', 'a', 'b') },
    broken: { at: 2 },
    new: { at: 3, state: asked('new', 'c', ' ', 'd') },
    elsewhere: { at: 4, workspace: 'file:///x', state: asked('elsewhere', 'no') },
  })
  const state = asked('shown', 'one', 'two', 'three')
  const found = await past.find(state, 't2', 0, signal)
  assert.deepEqual(textsOf(found), ['two', 'one', 'd', 'c', 'b', 'a'])
  assert.equal(found.isComplete, true)
  assert.deepEqual(read, ['new', 'broken', 'old'])
  assert.deepEqual(textsOf(await past.find(state, 't2', 4, signal)), ['b', 'a'])
  assert.equal(read.length, 3, 'nothing is read twice')
})

test('no more is read than is asked for', async () => {
  const many = Array.from({ length: 30 }, (_, at) => `q${at}`)
  const { past, read } = setup({ a: { at: 2, state: asked('a', ...many) }, b: { at: 1, state: asked('b', 'last') } })
  const state = emptyConversation('shown')
  const first = await past.find(state, undefined, 0, signal)
  assert.deepEqual([first.prompts.length, first.isComplete, read], [20, false, ['a']])
  const second = await past.find(state, undefined, 20, signal)
  assert.deepEqual([second.prompts.at(-1)?.text, second.isComplete, read], ['last', true, ['a', 'b']])
})

test('a conversation that was just left comes first, though the list may not have it yet', async () => {
  const left = asked('left', 'just now')
  const { past } = setup({ left: { at: 1, state: left }, other: { at: 5, state: asked('other', 'before') } })
  past.leave('left')
  assert.deepEqual(textsOf(await past.find(emptyConversation('c'), undefined, 0, signal)), ['just now', 'before'])
})

test('what was sent with a message is read from its conversation; nothing of one that cannot be read', async () => {
  const { past } = setup({ old: { at: 1, state: asked('old', 'a') }, broken: { at: 2 } })
  const state = asked('shown', 'one')
  const textOf = async (conversation: string) =>
    (await past.promptOf(state, { conversation, turn: 't0' }, signal)).map(part => part.kind === 'text' && part.text)
  assert.deepEqual(await textOf('shown'), ['one'])
  assert.deepEqual(await textOf('old'), ['a'])
  assert.deepEqual(await textOf('broken'), [])
})
