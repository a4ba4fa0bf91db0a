// The granted model in the editor's own list of models, asked as another extension asks it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import {
  CancellationTokenSource,
  ConfigurationTarget,
  type LanguageModelChat,
  LanguageModelChatMessage,
  LanguageModelChatToolMode,
  LanguageModelDataPart,
  LanguageModelPromptTsxPart,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
  workspace,
} from 'vscode'
import { type Service, startService } from '../localService/server.ts'
import { observed } from './observed.ts'
import { Questions } from './questions.ts'

const email = 'ada@example.com'
/** The editor itself looks at pictures on their way, so it has to be one. */
const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

describe('the model in the editor’s own list', () => {
  let service: Service
  let model: LanguageModelChat
  let questions: Questions
  const editor = () => observed().vscode

  before(async () => {
    service = await startService({ plan: 'pro' })
    await workspace.getConfiguration('kourier').update('baseUrl', service.baseUrl, ConfigurationTarget.Global)
    const key = service.state.issueKey(email, 'Test')
    questions = new Questions({ typed: { 'API key for': key }, buttons: { 'Sign out of': 'Sign Out Only' } })
    await editor().commands.executeCommand('kourier.useApiKey')
    const [found] = await untilListed()
    assert.ok(found)
    model = found
  })
  after(async () => {
    await editor().commands.executeCommand('kourier.signOut')
    questions[Symbol.dispose]()
    await service.close()
  })

  const untilListed = async () => {
    for (;;) {
      const changed = Promise.withResolvers<void>()
      // Before the question: the change may come together with its answer.
      const listening = editor().lm.onDidChangeChatModels(() => changed.resolve())
      try {
        const found = await editor().lm.selectChatModels({ vendor: 'kourier' })
        if (found.length > 0) return found
        await changed.promise
      } finally {
        listening.dispose()
      }
    }
  }

  const ask = (messages: LanguageModelChatMessage[], options = {}, token = new CancellationTokenSource().token) =>
    model.sendRequest(messages, options, token)

  it('is listed with its limits', () => {
    assert.deepEqual([model.id, model.vendor, model.maxInputTokens], [service.model, 'kourier', 262_144])
  })

  it('answers in pieces, and the system text goes where it belongs', async () => {
    service.replies.add({ tokens: ['Good', ' day'] })
    const { text } = await ask([LanguageModelChatMessage.User('Hello')])
    let answer = ''
    for await (const chunk of text) answer += chunk
    assert.equal(answer, 'Good day')
  })

  it('calls tools and takes their results and pictures', async () => {
    service.replies.add({ toolCalls: [{ name: 'weather', arguments: { town: 'Graz' } }] })
    const tools = [{ name: 'weather', description: 'Tells the weather', inputSchema: { type: 'object' } }]
    const question = LanguageModelChatMessage.User([
      new LanguageModelTextPart('How is it?'),
      LanguageModelDataPart.image(onePixel, 'image/png'),
    ])
    const { stream } = await ask([question], { tools, toolMode: LanguageModelChatToolMode.Required })
    const calls: LanguageModelToolCallPart[] = []
    for await (const part of stream) if (part instanceof LanguageModelToolCallPart) calls.push(part)
    const [call] = calls
    assert.deepEqual([call?.name, call?.input], ['weather', { town: 'Graz' }])
    const asked = service.log.calls.at(-1)?.body
    assert.match(JSON.stringify(asked), /data:image\/png;base64,iVBORw0KGgo/)
    assert.match(JSON.stringify(asked), /"tool_choice":"required"/)

    service.replies.add({ text: 'Sunny.' })
    const result = new LanguageModelToolResultPart(call?.callId ?? '', [
      new LanguageModelTextPart('22 degrees'),
      new LanguageModelPromptTsxPart({ wind: 'none' }),
      LanguageModelDataPart.image(onePixel, 'image/png'),
    ])
    const { text } = await ask([
      question,
      LanguageModelChatMessage.Assistant(calls),
      LanguageModelChatMessage.User([result]),
    ])
    let answer = ''
    for await (const chunk of text) answer += chunk
    assert.equal(answer, 'Sunny.')
    assert.match(
      JSON.stringify(service.log.calls.at(-1)?.body),
      /"role":"tool","tool_call_id":"call_1","content":"22 degrees\{\\"wind\\":\\"none\\"\}"\},\{"role":"user","content":\[.*data:image\/png;base64,iVBORw0KGgo/,
    )
  })

  it('counts tokens without asking anybody', async () => {
    const before = service.log.calls.length
    const counts = await Promise.all(Array.from({ length: 1_000 }, () => model.countTokens('some words of text')))
    assert.ok(counts.every(count => count > 2 && count < 10))
    assert.equal(service.log.calls.length, before)
  })

  it('counts calls of tools, their results and pictures', async () => {
    const words = 'some words of text '.repeat(100)
    const count = (message: LanguageModelChatMessage) => model.countTokens(message)
    const text = await count(LanguageModelChatMessage.User(words))
    assert.ok(text > 300)
    const call = new LanguageModelToolCallPart('1', 'weather', { town: words })
    assert.ok((await count(LanguageModelChatMessage.Assistant([call]))) >= text)
    const result = new LanguageModelToolResultPart('1', [new LanguageModelTextPart(words)])
    assert.ok((await count(LanguageModelChatMessage.User([result]))) >= text)
    const picture = LanguageModelDataPart.image(onePixel, 'image/png')
    assert.ok((await count(LanguageModelChatMessage.User([picture]))) > 1_000)
  })

  it('stops when it is told to, and the service sees it', async () => {
    const gate = service.replies.hold(1)
    service.replies.add({ tokens: ['one', ' two'] })
    const source = new CancellationTokenSource()
    const { text } = await ask([LanguageModelChatMessage.User('Count')], {}, source.token)
    const reading = (async () => {
      for await (const chunk of text) if (chunk) source.cancel()
    })().catch(() => {})
    await service.log.until(call => call.path === '/v1/chat/completions' && call.isAborted === true)
    await reading
    gate.release()
    assert.equal(service.slots.open, 0)
  })

  it('[R15] shows no error at the plan’s limit, but the wait, and goes on when the user says now', async () => {
    const body = { error: { message: 'Full' } }
    service.faults.add({
      on: '/v1/chat/completions',
      kind: 'status',
      status: 429,
      body,
      headers: { 'retry-after': '120' },
    })
    service.replies.add({ text: 'Your turn.' })
    const shown = Promise.withResolvers<string>()
    const over = Promise.withResolvers<void>()
    const { withProgress } = editor().window
    const watched: typeof withProgress = async (options, task) => {
      const report = ({ message }: { message?: string }) => shown.resolve(`${options.title}: ${message}`)
      const done = await task({ report } as never, new CancellationTokenSource().token)
      over.resolve()
      return done
    }
    Object.assign(editor().window, { withProgress: watched })
    try {
      const asking = ask([LanguageModelChatMessage.User('Hello')])
      assert.match(
        await shown.promise,
        /^Kourier: The plan's limit is reached; the service asks to wait \d+ (s|minutes)\. \[Retry now\]\(command:kourier\.retryNow\)$/,
      )
      await editor().commands.executeCommand('kourier.retryNow')
      let answer = ''
      for await (const chunk of (await asking).text) answer += chunk
      assert.equal(answer, 'Your turn.')
      await over.promise
    } finally {
      Object.assign(editor().window, { withProgress })
    }
  })

  it('[R27] a limit that comes in the middle of an answer keeps what arrived, and is one sentence without a stack', async () => {
    const text = `data: ${JSON.stringify({ error: { message: 'Full', code: 429 } })}\n\n`
    service.faults.add({ on: '/v1/chat/completions', kind: 'insert', before: 3, text })
    service.replies.add({ tokens: ['Half', ' of', ' it'] })
    // The editor drops pieces that come at once with a fault.
    const gate = service.replies.hold(1)
    let answer = ''
    const asking = async () => {
      for await (const chunk of (await ask([LanguageModelChatMessage.User('Hello')])).text) {
        answer += chunk
        gate.release()
      }
    }
    await assert.rejects(asking(), (fault: Error) => {
      assert.equal(fault.message, "The plan's limit is reached; try again in a moment.")
      assert.doesNotMatch(fault.stack ?? '', /extension\.cjs/)
      return true
    })
    assert.match(answer, /^Half/)
  })

  it('fails with one sentence and no stack', async () => {
    service.faults.add({ on: '/v1/chat/completions', kind: 'html' })
    const asking = async () => {
      const { text } = await ask([LanguageModelChatMessage.User('Hello')])
      for await (const chunk of text) assert.fail(chunk)
    }
    await assert.rejects(asking(), (fault: Error) => {
      assert.match(fault.message, /answered with a web page/)
      assert.doesNotMatch(fault.message, /\bat .*extension\.cjs/)
      return true
    })
  })
})
