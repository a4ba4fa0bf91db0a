// A picture costs nothing before it is sent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { imageOf } from '../../../src/core/model/imageOf.ts'
import { messageTokens } from '../../../src/core/model/tokenEstimate.ts'
import { userMessage } from '../../support/messages.ts'

test('a picture is counted without being encoded', () => {
  const image = imageOf('image/png', new Uint8Array([1, 2, 3]))
  let encoded = 0
  const watched = {
    kind: 'image' as const,
    mediaType: image.mediaType,
    get base64() {
      encoded++
      return image.base64
    },
  }
  assert.ok(messageTokens(userMessage('', watched)) > 1_000)
  assert.equal(encoded, 0)
})

test('its bytes are read when its encoding is asked for, and no sooner', () => {
  const bytes = new Uint8Array(8).subarray(2, 5)
  const image = imageOf('image/png', bytes)
  bytes.set([1, 2, 3])
  assert.deepEqual({ ...image }, { kind: 'image', mediaType: 'image/png', base64: 'AQID' })
})
