// A request as a person reads it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelRequest } from '../../../src/core/model/modelClient.ts'
import { requestText } from '../../../src/core/model/requestText.ts'
import { surfaceIds } from '../../../src/core/model/surfaceIds.ts'
import { surfaces } from '../../../src/core/model/surfaces.ts'
import { userMessage } from '../../support/messages.ts'

const base64 = Buffer.alloc(30_000, 7).toString('base64')
const image = { kind: 'image', mediaType: 'image/png', base64 } as const

for (const surface of surfaceIds)
  test(`the whole body, indented, with its images cut and their size stated (${surface})`, () => {
    const words = 'Why? '.repeat(100)
    const request: ModelRequest = { model: 'm', lane: 'chat', messages: [userMessage(words, image)] }
    const body = surfaces[surface].write(request)
    const text = requestText(body, request)
    assert.ok(text.length < 2_000, `${text.length}`)
    assert.match(text, /BwcH… \(30000 bytes\)"/)
    assert.ok(text.includes(words))
    assert.deepEqual(Object.keys(JSON.parse(text)), Object.keys(JSON.parse(JSON.stringify(body))))
  })

test('a small image and a text without one are left whole', () => {
  const small = { ...image, base64: 'aGVsbG8=' }
  const request: ModelRequest = { model: 'm', lane: 'chat', messages: [userMessage('Why?', small)] }
  const body = surfaces['chat-completions'].write(request)
  assert.deepEqual(JSON.parse(requestText(body, request)), body)
})
