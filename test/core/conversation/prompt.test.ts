// A conversation becomes a request.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chatRequest } from '../../../src/core/conversation/prompt.ts'
import { textMessage } from '../../../src/core/model/textMessage.ts'

test('the conversation in order, the question last, nothing of ours in between', () => {
  const request = chatRequest('m', [
    { id: '1', role: 'user', text: 'q', state: 'whole' },
    { id: '2', role: 'assistant', text: 'half', state: 'stopped' },
    { id: '3', role: 'user', text: 'go on', state: 'whole' },
  ])
  assert.deepEqual(request.messages, [
    textMessage('user', 'q'),
    textMessage('assistant', 'half'),
    textMessage('user', 'go on'),
  ])
  assert.deepEqual([request.model, request.lane], ['m', 'chat'])
  assert.match(request.system ?? '', /Kourier/)
})
