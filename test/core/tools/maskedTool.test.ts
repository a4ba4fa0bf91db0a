// Values of secret variables in the results of tools: no file brings them to the model, and no edit writes their marks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskedTool } from '../../../src/core/tools/maskedTool.ts'
import { SecretTrace } from '../../../src/core/tools/secretTrace.ts'
import { SecretValues } from '../../../src/core/tools/secretValues.ts'
import type { Tool } from '../../../src/core/tools/tool.ts'
import { ToolFolder } from '../../support/toolFolder.ts'

const value = 'kN4zq7RtxyZ0'
const source = `const mode = 'development'
const at = 'http://localhost:3000'
const token = '${value}'
const headers = { authorization: token }
`

function folder(text = source) {
  const work = new ToolFolder({ files: { 'deploy.ts': text } })
  const trace = new SecretTrace()
  const secrets = new SecretValues({ DEPLOY_TOKEN: value, AUTH_MODE: 'development', AUTH_URL: 'http://localhost:3000' })
  const masked = (tool: Tool) => maskedTool(tool, { secrets, trace })
  const { read, edit, write } = work.newTools()
  const editing = masked(edit)
  return Object.assign(work, {
    trace,
    readFile: () => work.call(masked(read), { path: 'deploy.ts' }),
    writeFile: (text: string) => work.call(masked(write), { path: 'deploy.ts', text }),
    edit: (old_text: string, new_text: string) =>
      work.call(editing, { path: 'deploy.ts', edits: [{ old_text, new_text }] }),
  })
}

test('[A60] a file that is read has the mark of a value, and what only looks like a secret stays', async () => {
  using work = folder()
  const shown = await work.readFile()
  assert.ok(!shown.includes(value))
  for (const line of ["'development'", "'http://localhost:3000'", "'[value of DEPLOY_TOKEN]'", 'authorization: token'])
    assert.ok(shown.includes(line), line)
  assert.ok(work.trace.has('c'), 'a program that uses the network is asked about with a warning from now on')
})

test('[A60] a refusal that shows the file has the mark of a value', async () => {
  using work = folder()
  await work.readFile()
  const refusal = await work.edit("const token = 'another'\nconst headers = { authorization: token }\n", '')
  assert.ok(!refusal.includes(value), refusal)
  assert.ok(refusal.includes('[value of DEPLOY_TOKEN]'), refusal)
})

test('[A60] [A20] the mark is not written in place of the value; other lines are', async () => {
  using work = folder()
  const shown = await work.readFile()
  const lines = "const token = '[value of DEPLOY_TOKEN]'\nconst headers = { cookie: token }\n"
  for (const refusal of [
    await work.writeFile(shown),
    await work.edit('const headers = { authorization: token }\n', lines),
  ])
    assert.match(refusal, /^The call has \[value of DEPLOY_TOKEN\], which is shown in place of a value/)
  assert.equal(work.text('deploy.ts'), source)
  assert.match(await work.edit('authorization: token', 'cookie: token'), /^Edited deploy\.ts/)
  assert.equal(work.text('deploy.ts'), source.replace('authorization', 'cookie'))
})

test('a file that has such a mark of its own may be written, as long as no value was replaced', async () => {
  using work = folder('// [value of DEPLOY_TOKEN]\n')
  assert.match(await work.readFile(), /\[value of DEPLOY_TOKEN\]/)
  assert.match(await work.edit('// [value of DEPLOY_TOKEN]', '// see [value of DEPLOY_TOKEN]'), /^Edited deploy\.ts/)
})
