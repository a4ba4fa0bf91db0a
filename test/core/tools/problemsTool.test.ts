// What the model reads of the editor's problems: those of files that it may read without a question.
import assert from 'node:assert/strict'
import { linkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { problemsTool } from '../../../src/core/tools/problemsTool.ts'
import type { Problem } from '../../../src/core/workspace/problems.ts'
import { ToolFolder } from '../../support/toolFolder.ts'

const range = { startLine: 0, startCharacter: 0, endLine: 0, endCharacter: 1 }

test('[T45] not those of files that are secret by name, by content or by another name, whose text a message may quote', async () => {
  const files = {
    'src/a.ts': 'const a = 1\n',
    '.env': 'TOKEN=canary\n',
    '.npmrc': '//r.example/:_authToken=canary\n',
    'old.txt': '-----BEGIN PRIVATE KEY-----\ncanary\n',
    'local.txt': 'canary\n',
  }
  using work = new ToolFolder({ files, ignored: ['local.txt'] })
  linkSync(join(work.root, '.env'), join(work.root, 'other.txt'))
  const problem = (path: string): Problem => ({
    ...{ uri: work.uri(path), path, range, severity: 'error' },
    message: path === 'src/a.ts' ? 'a is not used' : 'Unknown word canary',
  })
  const all = [...Object.keys(files), 'other.txt'].map(problem)
  const tool = problemsTool({ paths: work.paths, files: work.textFiles, problems: { of: () => [...all, ...all] } })
  const line = 'src/a.ts:1:1 error: a is not used'
  assert.equal(await work.call(tool, {}), `${line}\n${line}\n10 in secret or ignored files are not shown.`)
  assert.equal(
    await work.call(tool, { paths: ['.npmrc'] }),
    'The editor shows no problem in .npmrc.\n2 in secret or ignored files are not shown.',
  )
})
