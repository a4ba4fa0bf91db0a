// What the text of a prompt file is with its variables, and which files it names.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the variables of prompt files look so
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PromptFile } from '../../../src/core/context/promptFiles.ts'
import { promptText } from '../../../src/core/context/promptText.ts'

const root = 'file:///w'
const shared = { folder: root, uri: `${root}/.github/prompts/a.prompt.md` }
const own = { uri: 'file:///profile/a.prompt.md' }

function prompt(body: string, place: Pick<PromptFile, 'uri' | 'folder'> = shared): PromptFile {
  return { name: 'a', description: '', body, withoutEffect: [], ...place }
}

const filesIn = (body: string, place?: Pick<PromptFile, 'uri' | 'folder'>) =>
  promptText(prompt(body, place), {}, root).files

test('variables have their values; what has none, or is unknown, stays as it is', () => {
  const body = 'Test ${selection} of ${file} (${fileBasename}, ${file}) in ${workspaceFolder}; ${PATH} and $file stay.'
  const values = { file: 'src/a.ts', fileBasename: 'a.ts', workspaceFolder: '/w' }
  const { text, used, lacking } = promptText(prompt(body), values, root)
  assert.equal(text, 'Test ${selection} of src/a.ts (a.ts, src/a.ts) in /w; ${PATH} and $file stay.')
  assert.deepEqual([used, lacking], [['file', 'fileBasename', 'workspaceFolder'], ['selection']])
})

test('a name of an object is no variable', () => {
  assert.equal(promptText(prompt('${constructor} ${toString}'), {}, root).text, '${constructor} ${toString}')
})

test('an input refers to the message, and is named once with what it is about', () => {
  const { text, inputs } = promptText(
    prompt('Make ${input:form} with ${input:form: the fields } and ${input:x}.'),
    {},
    root,
  )
  assert.equal(text, 'Make "form" of the message with "form" of the message and "x" of the message.')
  assert.deepEqual(inputs, [
    { name: 'form', about: 'the fields' },
    { name: 'x', about: '' },
  ])
})

test('links are relative to the prompt file; `#file:` is found there or in the folder of the workspace', () => {
  assert.deepEqual(filesIn('See [a](../../src/a%20b.ts#L3) and #file:src/c.ts, and again [a](../../src/a%20b.ts).'), [
    [`${root}/.github/prompts/src/c.ts`, `${root}/src/c.ts`],
    [`${root}/src/a%20b.ts`],
  ])
  assert.deepEqual(filesIn("#file:'my file.ts'"), [[`${root}/.github/prompts/my%20file.ts`, `${root}/my%20file.ts`]])
})

test('addresses, places in the text, code and what is outside of the workspace are no files', () => {
  const body =
    '[a](https://example.com) [b](#part) [c](/etc/passwd) [d](../../../x) `#file:e.ts`\n\n```\n#file:f.ts\n```\n'
  assert.deepEqual(filesIn(body), [])
})

test('a prompt of the user’s own names files of the workspace', () => {
  assert.deepEqual(filesIn('[a](a.ts) #file:src/c.ts', own), [[`${root}/src/c.ts`]])
  assert.deepEqual(promptText(prompt('#file:src/c.ts', own), {}, undefined).files, [])
})
