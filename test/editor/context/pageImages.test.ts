// Images are scaled by a page that is ready, and by another one where that page is gone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PageImages } from '../../../src/editor/context/pageImages.ts'
import type { ToPage } from '../../../src/protocol/panel.ts'

const small = { mediaType: 'image/png', base64: 'cw==', width: 1, height: 1 } as const
const { signal } = new AbortController()

/** A page that notes what it is asked. */
function page() {
  const asked: Extract<ToPage, { kind: 'scale-image' }>[] = []
  return { asked, send: (message: ToPage) => void (message.kind === 'scale-image' && asked.push(message)) }
}

/** Resolves when all that was begun has gone as far as it can without a page. */
const settled = () => new Promise<void>(done => setImmediate(done))

test('an image waits for a page, and is asked of the next one where the first goes away', async () => {
  const images = new PageImages()
  const [first, second] = [page(), page()]
  const scaling = images.scaled(new Uint8Array([1, 2]), signal)
  while (first.asked.length === 0) {
    images.addPage(first, first.send)
    await settled()
  }
  assert.equal(first.asked[0]?.base64, 'AQI=')
  images.addPage(second, second.send)
  assert.equal(second.asked.length, 0, 'it was asked of the first page already')
  images.removePage(first)
  const [{ request } = { request: 0 }] = second.asked
  images.receive({ kind: 'scaled-image', request, image: small })
  assert.deepEqual(await scaling, small)
})

test('an image is scaled once, one that cannot be read is none, and an abort ends the wait', async () => {
  const images = new PageImages()
  const answer: ({ image: typeof small } | object)[] = [{ image: small }, {}]
  let asked = 0
  images.addPage(images, message => {
    if (message.kind !== 'scale-image') return
    asked++
    images.receive({ kind: 'scaled-image', request: message.request, ...answer.shift() })
  })
  const [one, other] = [new Uint8Array([1]), new Uint8Array([2])]
  assert.deepEqual([await images.scaled(one, signal), await images.scaled(one, signal), asked], [small, small, 1])
  assert.equal(await images.scaled(other, signal), undefined)
  images.removePage(images)
  const abort = new AbortController()
  const waiting = images.scaled(other, abort.signal)
  abort.abort(new Error('gone'))
  await assert.rejects(waiting, /gone/)
})
