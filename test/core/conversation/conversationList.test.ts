// What the list of conversations shows of what a search has found.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { excerptOf } from '../../../src/core/conversation/conversationList.ts'

test('an excerpt begins a few words before the match, so that a narrow view shows it', () => {
  const text = `${'Nothing of interest here. '.repeat(3)}The rows are: one\n\n| two | Parcel | three`
  assert.equal(excerptOf(text, ['parcel']), '…are: one | two | Parcel | three')
  assert.equal(excerptOf('Parcels weigh', ['weigh']), 'Parcels weigh')
  assert.equal(excerptOf(`${'x'.repeat(50)}parcel`, ['parcel']), `…${'x'.repeat(20)}parcel`)
})
