// Characters that are not seen, by their kind, in a text that a model is sent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markInvisible, withoutInvisible } from '../../../src/core/workspace/invisibleText.ts'

const byKind = { hidden: () => '<h>', invisible: () => '<i>', control: () => '<c>' }

test('[T37] each kind is told from the others, also side by side', () => {
  const cases: Record<string, string> = {
    'a\u0000b\u001b\u009bc\r': 'a<c>b<c><c>c<c>',
    'a\u202eb\u2066\u200bc\ufeff\u00ad\u2028': 'a<i>b<i><i>c<i><i><i>',
    [`x\u{e0041}\u{e0042}\u200b\u0007${'\ufe01'.repeat(3)}y`]: 'x<h><i><c><h>y',
    'ab\ufe0f c\u034f \u{1d173}': 'ab<i> c<i> <i>',
  }
  for (const [text, marked] of Object.entries(cases)) assert.equal(markInvisible(text, byKind), marked)
})

test('what writing needs stays, with tabs and line feeds', () => {
  const text = '\tGrüße\n👨\u200d👩\u200d👧 ❤\ufe0f می\u200cخواهم 葛\u{e0100}'
  assert.equal(markInvisible(text, byKind), text)
  assert.deepEqual(withoutInvisible(`${text}\u200b\u{e0041}`), { text, removed: 2 })
})
