// The difference of two texts as a patch: what it looks like, and that it leads from one to the other.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { lineDiff } from '../../../src/core/workspace/lineDiff.ts'
import { folderWith, writeFiles } from '../../support/temporaryRepository.ts'

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `${at + 1}\n`).join('')

/** Applies the hunks, and checks their numbers and what they repeat. */
function applied(before: string, patch: string): string {
  const old = before === '' ? [] : before.split(/(?<=\n)/)
  const out: string[] = []
  let at = 0
  const lines = patch.split('\n').slice(0, -1)
  for (const [index, line] of lines.entries()) {
    const header = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/.exec(line)
    const end = lines[index + 1]?.startsWith('\\') ? '' : '\n'
    if (header) {
      const start = Number(header[1]) - (header[2] === '0' ? 0 : 1)
      out.push(...old.slice(at, start))
      at = start
      assert.equal(out.length, Number(header[3]) - (header[4] === '0' ? 0 : 1))
    } else if (line.startsWith('+')) out.push(`${line.slice(1)}${end}`)
    else if (!line.startsWith('\\')) {
      assert.equal(`${line.slice(1)}${end}`, old[at])
      if (line.startsWith(' ')) out.push(old[at] ?? '')
      at++
    }
  }
  return [...out, ...old.slice(at)].join('')
}

describe('the difference', () => {
  test('repeats three lines around a change', () => {
    const after = numbered(10).replace('5\n', 'five\n')
    assert.equal(lineDiff(numbered(10), after), '@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n')
  })

  test('joins changes that are near, and keeps others apart', () => {
    const after = numbered(30).replace('\n5\n', '\nfive\n').replace('\n9\n', '\nnine\n').replace('\n25\n', '\n')
    assert.equal(
      lineDiff(numbered(30), after)
        .match(/^@@.*$/gm)
        ?.join(),
      '@@ -2,11 +2,11 @@,@@ -22,7 +22,6 @@',
    )
  })

  test('shows a line end that is missing at the end', () => {
    assert.equal(lineDiff('a', 'a\n'), '@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n')
  })

  test('of large texts that have nothing in common ends soon', () => {
    const before = Array.from({ length: 20_000 }, (_, at) => `a${at}\n`).join('')
    assert.match(lineDiff(before, numbered(20_000)), /^@@ -1,20000 \+1,20000 @@\n/)
  })

  test('can be applied by other programs', () => {
    const before = numbered(20)
    const after = before.replace('3\n', '').replace('17\n', 'x\ny\n')
    const folder = folderWith({ 'a.txt': before, patch: `--- a/a.txt\n+++ b/a.txt\n${lineDiff(before, after)}` })
    execFileSync('git', ['apply', 'patch'], { cwd: folder })
    writeFiles(folder, { 'b.txt': after })
    execFileSync('cmp', ['a.txt', 'b.txt'], { cwd: folder })
  })
})

const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map(all => all.join('\n'))

test('the patch leads from any text to any other', () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      assert.equal(applied(before, lineDiff(before, after)), after)
    }),
    { numRuns: 500 },
  )
})
