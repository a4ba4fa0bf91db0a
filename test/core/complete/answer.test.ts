// What of an answer is still to come as the typing goes on; which of several is served; what is on screen.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Answer, placeIn } from '../../../src/core/complete/answer.ts'
import { AnswerCache } from '../../../src/core/complete/cache.ts'
import { type CompletionContext, candidateOf } from '../../../src/core/complete/candidate.ts'
import { cursorContextOf } from '../../../src/core/complete/cursorContext.ts'
import { VisibleSuggestion } from '../../../src/core/complete/visibleSuggestion.ts'
import type { DocumentSnapshot } from '../../../src/core/workspace/documentSnapshot.ts'
import { Documents } from '../../../src/core/workspace/documents.ts'
import { FollowedDocuments } from './followedDocuments.ts'
import { type Look, snapshotAt } from './snapshots.ts'

function answerAt(document: string, text: string, look?: Look): Answer {
  const answer = coming(document, text, look)
  answer.end('done')
  return answer
}

function coming(document: string, text: string, look?: Look): Answer {
  const snapshot = snapshotAt(document, look)
  const answer = new Answer(snapshot, cursorContextOf(snapshot))
  answer.append(text)
  return answer
}

function left(answer: Answer, document: string, look?: Look): string {
  const agreement = answer.agreement(snapshotAt(document, look))
  return agreement.kind === 'agrees' ? agreement.reindent(answer.whole.slice(agreement.from)) : agreement.kind
}

const steps: readonly [typed: string, left: string][] = [
  ['const a = ', 'sum(b)\nreturn a'],
  ['const a = s', 'um(b)\nreturn a'],
  ['const a = sum(b)', '\nreturn a'],
  ['const a = sum(b)\n', 'return a'],
  ['const a = sum(b)\n  ', 'return a'],
  ['const a = sum(b)\n  ret', 'urn a'],
  ['const a = sum(b)\nreturn a', 'differs'],
  ['const a = x', 'differs'],
  ['const a = sum(c', 'differs'],
  ['const b = ', 'differs'],
  // What was typed before the request was sent is not offered, since it may have been deleted as a mistake.
  ['const a =', 'differs'],
  ['const ', 'differs'],
]

describe('an answer', () => {
  for (const [typed, expected] of steps) {
    test(`after ${JSON.stringify(typed)}: ${JSON.stringify(expected)}`, () => {
      const answer = answerAt('f()\nconst a = |', 'sum(b)\nreturn a')
      assert.equal(left(answer, `f()\n${typed}|`), expected)
    })
  }

  test('goes back as far as the text before it was visible when it was typed', () => {
    const snapshot = snapshotAt('f()\nconst a = |')
    const answer = new Answer(snapshot, cursorContextOf(snapshot), { typedThrough: 3 })
    answer.append('sum(b)')
    answer.end('done')
    assert.equal(left(answer, 'f()\nconst a|'), ' = sum(b)')
    assert.equal(left(answer, 'f()\nconst |'), 'differs')
  })

  test('for a blank line goes on below more blank lines', () => {
    const answer = answerAt('f()\n|', 'g()\nh()')
    assert.equal(left(answer, 'f()\n\n|'), 'g()\nh()')
    assert.equal(left(answer, 'f()\n\n  g|'), '()\n  h()')
    assert.equal(left(answer, 'f()\n\nx|'), 'differs')
  })

  test('that has not come so far is unknown until it differs', () => {
    const answer = coming('f()\nconst a = |', '')
    assert.equal(left(answer, 'f()\nconst a = |'), 'unknown')
    assert.equal(left(answer, 'f()\nconst a = anything|'), 'unknown')
    assert.equal(left(answer, 'f()\nconst b = |'), 'differs')
    answer.append('sum(b)\nret')
    assert.equal(left(answer, 'f()\nconst a = sum(|'), 'b)')
    assert.equal(left(answer, 'f()\nconst a = sum(b)\n|'), 'unknown')
    assert.equal(left(answer, 'f()\nconst a = anything|'), 'differs')
  })

  test('belongs to its document and its place', () => {
    const answer = answerAt('f()\nconst a = |', 'sum(b)')
    assert.equal(left(answer, 'f()\nconst a = |', { id: 'other' }), 'differs')
    assert.equal(left(answer, 'g()\nconst a = |'), 'differs')
    const far = `${'// a line of text\n'.repeat(30)}f()\n`
    const moved = answerAt(`${far}const a = |`, 'sum(b)')
    assert.equal(left(moved, `// new\n${far}const a = s|`), 'um(b)')
    assert.equal(left(moved, `${far}const a = 1\n${far.slice(0, 100)}const a = |`), 'differs')
  })

  test('follows its line by the edits, also near the beginning of a document and over a text that is put back', () => {
    const followed = new FollowedDocuments()
    const asked = followed.change('f()\nconst a = |')
    const answer = new Answer(asked, cursorContextOf(asked))
    answer.append('sum(b)')
    answer.end('done')
    const rest = (snapshot: DocumentSnapshot) => {
      const agreement = answer.agreement(snapshot)
      return agreement.kind === 'agrees' ? answer.whole.slice(agreement.from) : agreement.kind
    }
    assert.equal(rest(followed.change("import f from 'f'\nf()\nconst a = |")), 'sum(b)')
    assert.equal(rest(followed.change("import f from 'f'\nf()\nconst a = s|")), 'um(b)')
    assert.equal(rest(followed.change("import f from 'f'\nf()\nconst a = s|\ng()")), 'um(b)')
    assert.equal(rest(followed.change("import f from 'f'\n|\ng()")), 'differs')
    assert.equal(rest(followed.change('g()\nconst a = s|')), 'differs')
    followed.change('|')
    assert.equal(rest(followed.change('f()\nconst a = su|', {}, 'undo')), 'm(b)')
  })

  test('follows its line over more edits than the log holds, if it was looked for in between', () => {
    const followed = new FollowedDocuments()
    const asked = followed.change('f()\nconst a = |')
    const answer = new Answer(asked, cursorContextOf(asked))
    answer.append('sum(b)')
    answer.end('done')
    for (let count = 1; count <= 600; count++) {
      const moved = followed.change(`${'x'.repeat(count)}f()\nconst a = |`)
      assert.equal(answer.agreement(moved).kind, 'agrees', `${count}`)
    }
    assert.ok(followed.look(`${'x'.repeat(600)}f()\nconst a = |`).log.start.version > asked.version)
  })

  test('belongs to the line it was asked for, whatever line like it stands nearer', () => {
    const block = `${'// a line of text\n'.repeat(12)}const a = `
    const followed = new FollowedDocuments()
    const asked = followed.change(`${block}|`)
    const answer = new Answer(asked, cursorContextOf(asked))
    answer.append(`1\n${block}2`)
    answer.end('done')
    const agreement = answer.agreement(followed.change(`${block}1\n${block}|`))
    assert.equal(agreement.kind === 'agrees' && answer.whole.slice(agreement.from), '2')
  })

  test('at the beginning of a document belongs there only', () => {
    const answer = answerAt('|', 'import a')
    assert.equal(left(answer, 'im|'), 'port a')
    assert.equal(left(answer, 'x\n|'), 'differs')
  })

  test('typed through key by key agrees with every key', () => {
    const text = fc.stringMatching(/^[a-z(){} \n]{1,40}$/)
    fc.assert(
      fc.property(text, fc.nat(), (whole, at) => {
        const typed = whole.slice(0, at % (whole.length + 1))
        assert.equal(placeIn(whole, typed)?.at, typed.length)
      }),
    )
  })

  test('cut off it keeps whole lines, or the one line it has', () => {
    const cut = coming('f()\nconst a = |', 'sum(b)\nreturn a + ')
    cut.end('length')
    assert.equal(cut.text, 'sum(b)')
    const single = coming('f()\nconst a = |', 'sum(b, ')
    single.end('length')
    assert.equal(single.text.trim(), 'sum(b,')
    const broken = coming('f()\nconst a = |', 'sum(b, ')
    broken.end('stopped')
    assert.equal(broken.text, '')
  })
})

describe('the cache', () => {
  const find = (cache: AnswerCache, document: string) => {
    const snapshot = snapshotAt(document)
    return cache.find(snapshot, cursorContextOf(snapshot)).map(({ text }) => text)
  }

  test('finds what agrees, the longest first, the newest of equals', () => {
    const cache = new AnswerCache()
    for (const text of ['sum(b)', 'sum(c)', 'sum(b) + 1', 'total']) cache.add(answerAt('const a = |', text))
    assert.deepEqual(find(cache, 'const a = s|'), ['sum(b) + 1', 'sum(c)', 'sum(b)'])
    assert.deepEqual(find(cache, 'const a = t|'), ['total'])
    assert.deepEqual(find(cache, 'const a = x|'), [])
  })

  test('an answer for another line below does not count', () => {
    const cache = new AnswerCache()
    cache.add(answerAt('const a = |\n\nreturn a', 'sum(b)'))
    assert.deepEqual(find(cache, 'const a = s|)\nreturn a'), ['sum(b)'])
    assert.deepEqual(find(cache, 'const a = s|\nreturn b'), [])
  })

  test('forgets the oldest, the empty and the closed', () => {
    const cache = new AnswerCache()
    cache.add(answerAt('const a = |', ''))
    cache.add(answerAt('const a = |', 'first'))
    for (let at = 0; at < 40; at++) cache.add(answerAt('const a = |', `sum${at}(b)`))
    assert.equal(find(cache, 'const a = |').length, 40)
    assert.deepEqual(find(cache, 'const a = f|'), [])
    cache.forget(snapshotAt('|').id)
    assert.deepEqual(find(cache, 'const a = |'), [])
  })
})

describe('what is on screen', () => {
  const contextOf = (snapshot: DocumentSnapshot, shape: CompletionContext['shape'] = 'line'): CompletionContext => ({
    snapshot,
    cursor: cursorContextOf(snapshot),
    shape,
    settings: { enabled: {}, delayMs: null, mode: 'eager', exclude: [] },
    isExplicit: false,
    selected: undefined,
    change: 'typed',
    model: 'm',
  })

  function shown(document: string, text: string): VisibleSuggestion {
    const snapshot = snapshotAt(document)
    const candidate = candidateOf(answerAt(document, text), contextOf(snapshot))
    assert.ok(candidate)
    const screen = new VisibleSuggestion(new Documents(), () => {})
    screen.show(snapshot, candidate)
    return screen
  }

  test('stays while the typing agrees, up to its end', () => {
    const screen = shown('const a = |', 'sum(b)\nreturn a')
    assert.ok(screen.at(snapshotAt('const a = |')))
    assert.ok(screen.at(snapshotAt('const a = sum(|')))
    assert.equal(screen.at(snapshotAt('const a = sum(b)|')), undefined)
    assert.equal(screen.at(snapshotAt('const a = x|')), undefined)
    assert.equal(screen.at(snapshotAt('const a = |', { id: 'other' })), undefined)
  })

  test('is accepted when the document became what it offered', () => {
    const accepted = 'const a = sum(b)|'
    const other = { id: 'other' }
    const acceptances = (become: (followed: FollowedDocuments, screen: VisibleSuggestion) => void) => {
      const followed = new FollowedDocuments()
      const snapshot = followed.change('const a = |')
      followed.change('const a = |', other)
      const candidate = candidateOf(answerAt('const a = |', 'sum(b)'), contextOf(snapshot))
      assert.ok(candidate)
      let count = 0
      const screen = new VisibleSuggestion(followed.documents, () => count++)
      screen.show(snapshot, candidate)
      become(followed, screen)
      return count
    }
    assert.equal(
      acceptances(followed => followed.change(accepted)),
      1,
    )
    assert.equal(
      acceptances(followed => followed.change('const a = sum(|')),
      0,
    )
    assert.equal(
      acceptances(followed => followed.change('const a = sum(c)|')),
      0,
    )
    assert.equal(
      acceptances(followed => followed.change(accepted, other)),
      0,
    )
    assert.equal(
      acceptances((followed, screen) => {
        screen.forget(snapshotAt('|').id)
        followed.change(accepted)
      }),
      0,
    )
  })

  test('one line, or the block; never less than is on screen', () => {
    const answer = answerAt('function f() {|', '\n  a()\n  b()\n}')
    const text = (shape: CompletionContext['shape'], leastEnd?: number) =>
      candidateOf(answer, contextOf(snapshotAt('function f() {|'), shape), leastEnd)?.replacement.text
    assert.equal(text('line'), '\n  a()')
    assert.equal(text('block'), '\n  a()\n  b()\n}')
    assert.equal(text('line', answer.whole.length), '\n  a()\n  b()\n}')
  })

  test('the range begins as far back as the answer goes, or where the suggestion list would begin', () => {
    const snapshot = snapshotAt('f()\n  const a = it|)\ng()')
    const answer = answerAt('f()\n  const a = it|)\ng()', 'ems')
    assert.deepEqual(candidateOf(answer, contextOf(snapshot))?.replacement, {
      start: 18,
      end: 19,
      text: 'ems)',
    })
    const cursor = cursorContextOf(snapshot)
    const typedThrough = new Answer(snapshot, cursor, { typedThrough: 2 })
    typedThrough.append('ems')
    typedThrough.end('done')
    assert.deepEqual(candidateOf(typedThrough, contextOf(snapshot))?.replacement, {
      start: 16,
      end: 19,
      text: 'items)',
    })
    const selected = { start: 16, end: 18, text: 'item' }
    assert.deepEqual(candidateOf(answer, { ...contextOf(snapshot), selected })?.replacement, {
      start: 16,
      end: 19,
      text: 'items)',
    })
    for (const text of ['iterate', 'items)']) {
      assert.equal(candidateOf(answer, { ...contextOf(snapshot), selected: { ...selected, text } }), undefined)
    }
  })
})
