// A conversation becomes what the model is sent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chatPrompt } from '../../../src/core/conversation/prompt.ts'
import { textMessage } from '../../../src/core/model/textMessage.ts'
import { firstState, reduce } from '../../../src/webview/state/store.ts'
import { PageConversation } from '../../support/pageConversation.ts'

test('the conversation in order, the question last, nothing of ours in between', () => {
  const replay = new PageConversation().replay(
    { role: 'user', text: 'q' },
    { role: 'assistant', id: 'a', text: 'half', state: 'stopped' },
    { role: 'user', text: 'go on' },
  )
  const { system, messages } = chatPrompt(reduce(firstState, replay).conversation, [])
  assert.deepEqual(messages, [textMessage('user', 'q'), textMessage('assistant', 'half'), textMessage('user', 'go on')])
  assert.match(system, /Kourier/)
})
