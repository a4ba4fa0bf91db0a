// A diff of several files is applied file by file; one that makes a file has its text, and one that deletes a file is known as such.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyUnifiedDiff, createdText, diffPath, fileDiffs } from '../../../src/core/edit/unifiedDiff.ts'

const change = '--- a/one.txt\n+++ b/one.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+c'
const creation = '--- /dev/null\n+++ b/docs/new.md\n@@ -0,0 +1,2 @@\n+# New\n+text'
const deletion =
  'diff --git a/old.py b/old.py\ndeleted file mode 100644\n--- a/old.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x'
const ofGit = `diff --git a/one.txt b/one.txt\nindex 12ab..34cd 100644\n${change}`
const newOfGit = `diff --git a/docs/new.md b/docs/new.md\nnew file mode 100644\nindex 000..34cd\n${creation}`

test('each file of a diff is a part of its own, with and without the heads of Git', () => {
  const kinds = (diff: string) => fileDiffs(diff).map(({ text, is }) => [diffPath(text), is])
  const all = [
    ['one.txt', 'change'],
    ['docs/new.md', 'creation'],
    ['old.py', 'deletion'],
  ]
  assert.deepEqual(kinds([ofGit, newOfGit, deletion].join('\n')), all)
  assert.deepEqual(kinds([change, creation, deletion].join('\r\n')), all)
  assert.deepEqual(kinds(change), [['one.txt', 'change']])
  assert.deepEqual(kinds('@@ -1 +1 @@\n-a\n+b'), [[undefined, 'change']])
  const [first] = fileDiffs([ofGit, newOfGit].join('\n'))
  assert.equal(applyUnifiedDiff('a\nb\n', first?.text ?? ''), 'a\nc\n')
})

test('lines of a hunk that look like the head of a file begin none', () => {
  const hunk = '--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,2 @@\n--- old comment\n+++ counter\n select 1'
  assert.equal(fileDiffs(hunk).length, 1)
})

test('the text of a new file is what the diff adds; a diff that needs other lines makes none', () => {
  assert.equal(createdText(creation), '# New\ntext')
  assert.equal(createdText(newOfGit.replaceAll('\n', '\r\n')), '# New\ntext')
  assert.equal(createdText('--- a/n.txt\n+++ b/n.txt\n@@ -1 +1 @@\n-x\n+y'), undefined)
  assert.equal(createdText('--- a/n.txt\n+++ b/n.txt'), undefined)
})
