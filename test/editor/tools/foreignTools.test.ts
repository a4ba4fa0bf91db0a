// Which tools of others the editor offers, how the user selects them, and what a call of one returns.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ForeignTools } from '../../../src/core/tools/foreignTools.ts'
import { FakeMemento } from '../../support/fakeMemento.ts'
import * as fake from '../../support/fakeVscode.ts'
import { never } from '../../support/wire.ts'

const { fakeEditor, withFakeVscode } = fake
const { invokeForeignTool, listForeignTools } = await withFakeVscode(
  () => import('../../../src/editor/tools/editorForeignTools.ts'),
)
const { reportChangedTools, selectTools } = await withFakeVscode(
  () => import('../../../src/editor/tools/selectTools.ts'),
)
const { rememberedTools } = await withFakeVscode(() => import('../../../src/editor/tools/rememberedTools.ts'))

const information = (name: string, description = `Does ${name}.`) => ({
  name,
  description,
  inputSchema: { type: 'object' },
  tags: [],
})

function arrange(): void {
  fakeEditor.reset()
  fakeEditor.manifests = [
    { displayName: 'Tickets', contributes: { languageModelTools: [{ name: 'tickets_find' }, 7] } },
    { contributes: null },
  ]
  fakeEditor.tools = [
    information('tickets_find'),
    information('mcp_github_list_issues', 'Lists\u202e issues.\nAll of them.'),
    information('run_in_terminal'),
  ]
}

function opened(state: FakeMemento, own = 1): ForeignTools {
  return new ForeignTools({
    list: listForeignTools,
    invoke: invokeForeignTool,
    memory: rememberedTools(state),
    ownNames: () => Array.from({ length: own }, (_, at) => `own_${at}`),
    onChanged: reportChangedTools,
  })
}

const names = async (tools: ForeignTools) => (await tools.tools()).map(({ name }) => name)

describe('the list', () => {
  test('has the tools of extensions and servers by owner, and not those of the editor itself', async () => {
    arrange()
    await selectTools(opened(new FakeMemento()))
    const [shown] = fakeEditor.interactions
    assert.ok(shown?.kind === 'pick')
    assert.deepEqual(
      shown.items.map(({ label, description, detail, picked }) => [label, description, detail, picked]),
      [
        ['Tickets', undefined, undefined, undefined],
        ['tickets_find', 'Tickets', 'Does tickets_find.', false],
        ['MCP server github', undefined, undefined, undefined],
        ['mcp_github_list_issues', 'MCP server github', 'Lists issues. All of them.', false],
      ],
    )
  })

  test('what is ticked is kept for the workspace; dismissing it changes nothing', async () => {
    arrange()
    const state = new FakeMemento()
    fakeEditor.ticked = [['tickets_find']]
    await selectTools(opened(state))
    await selectTools(opened(state))
    assert.deepEqual(await names(opened(state)), ['tickets_find'])
    assert.deepEqual(await names(opened(new FakeMemento())), [])
  })

  test('is shown again while too many are ticked, and says so', async () => {
    arrange()
    const state = new FakeMemento()
    fakeEditor.ticked = [['tickets_find', 'mcp_github_list_issues'], ['mcp_github_list_issues']]
    await selectTools(opened(state, 31))
    assert.deepEqual(
      fakeEditor.interactions.map(one => one.kind === 'pick' && one.title),
      ['Tools of Other Extensions and MCP Servers (at Most 1)', '2 tools are ticked, and at most 1 are possible'],
    )
    assert.deepEqual(await names(opened(state)), ['mcp_github_list_issues'])
  })

  test('without any tool there is a sentence in its place', async () => {
    arrange()
    fakeEditor.tools = []
    await selectTools(opened(new FakeMemento()))
    assert.deepEqual(
      fakeEditor.messages.map(({ text }) => text),
      ['No other extension and no MCP server offers tools in this window.'],
    )
  })

  test('a tool that has changed is named, with a button to select it again', async () => {
    arrange()
    const state = new FakeMemento()
    fakeEditor.ticked = [['tickets_find']]
    await selectTools(opened(state))
    fakeEditor.tools = [information('tickets_find', 'Sends everything.')]
    fakeEditor.pressed = 'Select Tools'
    assert.deepEqual(await names(opened(state)), [])
    assert.deepEqual(fakeEditor.messages, [
      {
        text: 'What has changed since you selected it is off until you select it again: tickets_find.',
        buttons: ['Select Tools'],
      },
    ])
    await new Promise<void>(done => setImmediate(done))
    assert.deepEqual(fakeEditor.interactions.at(-1), { kind: 'command', id: 'kourier.selectTools' })
  })
})

describe('a call', () => {
  test('returns texts and images, and of what is neither its size', async () => {
    arrange()
    const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1])
    fakeEditor.onInvokeTool = async (name, input) => [
      new fake.LanguageModelTextPart(`${name} ${JSON.stringify(input)}`),
      new fake.LanguageModelDataPart(new TextEncoder().encode('{"a":1}'), 'application/json'),
      new fake.LanguageModelDataPart(png, 'image/anything'),
      new fake.LanguageModelDataPart(Uint8Array.from([1, 2]), 'image/png'),
      new fake.LanguageModelPromptTsxPart({ node: 1 }),
      undefined,
    ]
    assert.deepEqual(await invokeForeignTool('tickets_find', { a: 1 }, never), [
      { kind: 'text', text: 'tickets_find {"a":1}' },
      { kind: 'text', text: '{"a":1}' },
      { kind: 'image', mediaType: 'image/png', base64: Buffer.from(png).toString('base64') },
      { kind: 'other', mediaType: 'image/png', sizeBytes: 2 },
      { kind: 'other', mediaType: 'prompt-tsx', sizeBytes: 20 },
      { kind: 'other', mediaType: 'unknown', sizeBytes: 0 },
    ])
  })

  test('that the user declines in the editor is no fault of the tool', async () => {
    arrange()
    fakeEditor.onInvokeTool = () => Promise.reject(new fake.CancellationError())
    await assert.rejects(invokeForeignTool('tickets_find', {}, never), { name: 'AbortError' })
    fakeEditor.onInvokeTool = () => Promise.reject(new Error('no server'))
    await assert.rejects(invokeForeignTool('tickets_find', {}, never), /no server/)
  })
})
