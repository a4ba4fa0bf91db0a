// The snippets of Connect your tools, taken from the served page and run as they are printed.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { type Service, startService } from '../localService/server.ts'
import { Browser } from '../service/browser.ts'
import { email } from '../service/caller.ts'

const hello = 'Good day.'

describe('the snippets of Connect your tools', () => {
  let service: Service
  let key = ''
  let page = ''
  before(async () => {
    service = await startService({ plan: 'pro' })
    const browser = new Browser()
    await browser.signIn(service.siteUrl, email)
    await browser.press('Generate key')
    page = browser.page.html
    key = /id="new-key">([^<]+)</.exec(page)?.[1] ?? assert.fail('no key on the page')
  })
  after(() => service.close())

  const printed = (id: string): string => {
    const [, html] = new RegExp(`<code id="snippet-${id}">([^<]*)</code>`).exec(page) ?? []
    assert.ok(html, `no snippet ${id} on the page`)
    return unescaped(html)
  }

  /** With the key in the environment, as the page shows, and nothing else of this machine's own settings. */
  const run = async (program: string, ...args: readonly string[]): Promise<string> => {
    service.replies.add({ text: hello })
    const excluded = /^(OPENAI|ANTHROPIC|KOURIER)_/
    const own = Object.entries(process.env).filter(([name]) => !excluded.test(name))
    const env = { ...Object.fromEntries(own), KOURIER_API_KEY: key }
    const { stdout } = await promisify(execFile)(program, [...args], { env })
    return stdout.trim()
  }
  const inShell = (text: string) => run('sh', '-ec', text)
  const inNode = (text: string) => run(process.execPath, '--input-type=module', '--eval', text)

  it('[dashboard.tools] every one that speaks to the service runs or is looked at here', () => {
    const ids = [...page.matchAll(/id="snippet-([\w-]+)"/g)].map(([, id]) => id)
    assert.deepEqual(ids, [
      'curl-chat',
      'curl-responses',
      'curl-messages',
      'python-openai',
      'node-openai',
      'node-anthropic',
      'claude-code',
      'openai-variables',
      'continue',
      'zed',
    ])
    assert.equal(page.includes(`${key}</code></pre>`), false, 'no snippet has the key in it')
  })

  it('[dashboard.tools] curl asks all three surfaces', async () => {
    const chat = JSON.parse(await inShell(printed('curl-chat')))
    assert.equal(chat.choices[0].message.content, hello)
    const response = JSON.parse(await inShell(printed('curl-responses')))
    assert.equal(response.output[0].content[0].text, hello)
    const message = JSON.parse(await inShell(printed('curl-messages')))
    assert.equal(message.content[0].text, hello)
  })

  it('[dashboard.tools] the clients of Node ask both kinds of surfaces', async () => {
    assert.equal(await inNode(printed('node-openai')), hello)
    assert.equal(await inNode(printed('node-anthropic')), hello)
  })

  it('[dashboard.tools] the variables are those that the clients read by themselves', async () => {
    const asks = (text: string) => `node --input-type=module --eval "${text}"`
    const anthropic = `import Anthropic from '@anthropic-ai/sdk'
      const models = ['', 'DEFAULT_OPUS_', 'DEFAULT_SONNET_', 'DEFAULT_HAIKU_', 'SMALL_FAST_']
      const model = new Set(models.map(name => process.env['ANTHROPIC_' + name + 'MODEL']))
      const asked = { model: [...model].join(), max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }] }
      console.log((await new Anthropic().messages.create(asked)).content[0].text)`
    assert.equal(await inShell(`${printed('claude-code')}\n${asks(anthropic)}`), hello)
    const openai = `import OpenAI from 'openai'
      const asked = { model: '${service.model}', input: 'Hello' }
      console.log((await new OpenAI().responses.create(asked)).output_text)`
    assert.equal(await inShell(`${printed('openai-variables')}\n${asks(openai)}`), hello)
  })

  it('[dashboard.tools] the Python snippet runs where its package is, and is Python anyway', async t => {
    const text = printed('python-openai')
    for (const part of [`"${service.baseUrl}/v1"`, `"${service.model}"`, 'os.environ["KOURIER_API_KEY"]'])
      assert.ok(text.includes(part), part)
    const has = (test: string) =>
      inPython(test).then(
        () => true,
        () => false,
      )
    const inPython = (script: string) => run('python3', '-c', script)
    if (await has('import openai')) assert.equal(await inPython(text), hello)
    else if (await has('import ast')) await run('python3', '-c', 'import ast, sys; ast.parse(sys.argv[1])', text)
    else t.diagnostic('There is no Python on this machine.')
  })

  it('[dashboard.tools] settings of editors name the service, the model and the variable', () => {
    const zed = JSON.parse(printed('zed')).language_models.openai_compatible
    // Zed makes the variable's name from that of the provider.
    assert.deepEqual(
      Object.keys(zed).map(name => `${name.toUpperCase()}_API_KEY`),
      ['KOURIER_API_KEY'],
    )
    assert.equal(zed.Kourier.api_url, `${service.baseUrl}/v1`)
    assert.equal(zed.Kourier.available_models[0].name, service.model)
    const lines = printed('continue')
      .split('\n')
      .map(line => line.trim())
    for (const line of [
      `model: "${service.model}"`,
      `apiBase: ${service.baseUrl}/v1`,
      `apiKey: \${{ secrets.KOURIER_API_KEY }}`,
    ])
      assert.ok(lines.includes(line), line)
  })

  it('a model with quotes in its name breaks none of them', async () => {
    const model = `it's "one" \\ $HOME`.replaceAll(' ', '')
    await using other = await startService({ plan: 'pro', model })
    const browser = new Browser()
    await browser.signIn(other.siteUrl, email)
    page = browser.page.html
    key = other.state.issueKey(email, 'Test')
    assert.equal(JSON.parse(await inShell(printed('curl-chat'))).model, model)
    assert.ok((await inNode(printed('node-openai'))).length > 0)
    assert.equal(JSON.parse(printed('zed')).language_models.openai_compatible.Kourier.available_models[0].name, model)
    await inShell(printed('claude-code'))
  })
})

const unescaped = (html: string) =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
