// A server of the Model Context Protocol that is set up in the editor: the model is offered its tool once that is selected, and calls it after a question.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { dialog, message, pick, quickInput, runCommand } from '../editor/workbench.ts'
import { callOf } from '../support/turnFixture.ts'
import { allow, card, openAgent, send } from './agentSteps.ts'
import { withoutGit } from './editorHarness.ts'
import { test } from './fixtures.ts'
import { inferences } from './inferences.ts'

// The editor knows of such servers only where its own chat is on.
test.use({ editorNeeds: { builtIn: withoutGit }, settings: { 'chat.disableAIFeatures': false } })

/** The server: one message in JSON on each line, as the protocol has it for programs. */
const scales = `
import { createInterface } from 'node:readline'
const properties = { parcel: { type: 'string' } }
const weigh = {
  name: 'weigh',
  description: 'Weighs a parcel.',
  inputSchema: { type: 'object', properties, required: ['parcel'] },
}
const results = {
  initialize: ({ protocolVersion }) =>
    ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'scales', version: '1.0.0' } }),
  'tools/list': () => ({ tools: [weigh] }),
  'tools/call': ({ arguments: { parcel } }) => ({ content: [{ type: 'text', text: parcel + ': 1,200 g.' }] }),
}
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  const result = results[method]?.(params) ?? {}
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
}
`

test('the tool of an MCP server is offered once it is selected, asked about, and its result goes to the model', async ({
  editor,
  service,
  windows,
}) => {
  const program = join(editor.userDataDir, 'scales.mjs')
  writeFileSync(program, scales)
  const servers = { scales: { type: 'stdio', command: process.execPath, args: [program] } }
  writeFileSync(join(editor.userDataDir, 'User/mcp.json'), JSON.stringify({ servers }))
  const offered = () => JSON.stringify((inferences(service).at(-1)?.body as { tools?: unknown })?.tools)

  const { page, chat } = await openAgent(windows)
  await runCommand(page, 'MCP: List Servers')
  await pick(page, 'scales')
  await pick(page, 'Start Server')
  await page.getByText('Discovered 1 tools').waitFor()
  service.replies.add({ text: 'With what?' })
  await send(page, chat, 'Weigh it.')
  await message(chat, 'Kourier').getByText('With what?').waitFor()
  assert.doesNotMatch(offered(), /weigh/)

  await runCommand(page, 'Kourier: Select Tools')
  await quickInput(page).getByRole('checkbox', { name: 'mcp_scales_weigh', exact: true }).click()
  await quickInput(page).getByText('1 Selected').waitFor()
  await quickInput(page).getByRole('button', { name: 'OK' }).click()
  await quickInput(page).waitFor({ state: 'hidden' })
  service.replies.add({ toolCalls: [callOf('mcp_scales_weigh', { parcel: 'The red one' })] }, { text: 'It is light.' })
  await send(page, chat, 'With the scales.')
  await card(chat, 'mcp_scales_weigh').getByText('It sends these values to MCP server scales').waitFor()
  await card(chat, 'mcp_scales_weigh')
    .getByText(/"The red one"/)
    .waitFor()
  assert.match(offered(), /mcp_scales_weigh/)
  await allow(chat, 'mcp_scales_weigh')
  // The editor has a question of its own before a tool that may change something.
  await dialog(page).getByRole('button', { name: 'Yes' }).click()
  await message(chat, 'Kourier').getByText('It is light.').waitFor()
  assert.match(JSON.stringify(inferences(service).at(-1)?.body), /The red one: 1,200 g\./)
})
