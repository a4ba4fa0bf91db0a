// What to type into other tools so that they use this service; printed on the dashboard, run by a test.
import { contextTokens } from '../tokens.ts'

export interface Snippet {
  readonly id: string
  readonly title: string
  /** One sentence on where it goes. */
  readonly where: string
  readonly text: string
}

export function snippets(baseUrl: string, model: string): readonly Snippet[] {
  const hello = { model, messages: [{ role: 'user', content: 'Hello' }] }
  return [
    {
      id: 'curl-chat',
      title: 'curl, chat completions',
      where: 'In a shell.',
      text: curl(`${baseUrl}/v1/chat/completions`, ['Authorization: Bearer $KOURIER_API_KEY'], hello),
    },
    {
      id: 'curl-responses',
      title: 'curl, responses',
      where: 'In a shell.',
      text: curl(`${baseUrl}/v1/responses`, ['Authorization: Bearer $KOURIER_API_KEY'], { model, input: 'Hello' }),
    },
    {
      id: 'curl-messages',
      title: 'curl, messages',
      where: 'In a shell.',
      text: curl(`${baseUrl}/anthropic/v1/messages`, ['x-api-key: $KOURIER_API_KEY', 'anthropic-version: 2023-06-01'], {
        max_tokens: 256,
        ...hello,
      }),
    },
    {
      id: 'python-openai',
      title: 'Python, openai',
      where: 'After pip install openai.',
      text: `import os

from openai import OpenAI

client = OpenAI(
    base_url=${JSON.stringify(`${baseUrl}/v1`)},
    api_key=os.environ["KOURIER_API_KEY"],
)
completion = client.chat.completions.create(
    model=${JSON.stringify(model)},
    messages=[{"role": "user", "content": "Hello"}],
)
print(completion.choices[0].message.content)`,
    },
    {
      id: 'node-openai',
      title: 'Node, openai',
      where: 'After npm install openai, in a file that ends in .mjs.',
      text: `import OpenAI from ${script('openai')}

const client = new OpenAI({
  baseURL: ${script(`${baseUrl}/v1`)},
  apiKey: process.env.KOURIER_API_KEY,
})
const completion = await client.chat.completions.create({
  model: ${script(model)},
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(completion.choices[0].message.content)`,
    },
    {
      id: 'node-anthropic',
      title: 'Node, Anthropic SDK',
      where: 'After npm install @anthropic-ai/sdk, in a file that ends in .mjs.',
      text: `import Anthropic from ${script('@anthropic-ai/sdk')}

const client = new Anthropic({
  baseURL: ${script(`${baseUrl}/anthropic`)},
  apiKey: process.env.KOURIER_API_KEY,
})
const message = await client.messages.create({
  model: ${script(model)},
  max_tokens: 256,
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(message.content.map(block => block.text ?? '').join(''))`,
    },
    {
      id: 'claude-code',
      title: 'Claude Code and other tools that read ANTHROPIC_ variables',
      where:
        'In the shell from which the tool is started. The models for small jobs are named too; others would be refused.',
      text: `export ANTHROPIC_BASE_URL=${baseUrl}/anthropic
export ANTHROPIC_AUTH_TOKEN="$KOURIER_API_KEY"
export ANTHROPIC_MODEL=${shellWord(model)}
export ANTHROPIC_DEFAULT_OPUS_MODEL="$ANTHROPIC_MODEL"
export ANTHROPIC_DEFAULT_SONNET_MODEL="$ANTHROPIC_MODEL"
export ANTHROPIC_DEFAULT_HAIKU_MODEL="$ANTHROPIC_MODEL"
export ANTHROPIC_SMALL_FAST_MODEL="$ANTHROPIC_MODEL"
unset ANTHROPIC_API_KEY`,
    },
    {
      id: 'openai-variables',
      title: 'Tools that read OPENAI_ variables',
      where: 'In the shell from which the tool is started.',
      text: `export OPENAI_BASE_URL=${baseUrl}/v1
export OPENAI_API_KEY="$KOURIER_API_KEY"`,
    },
    {
      id: 'continue',
      title: 'Continue',
      where: 'In ~/.continue/config.yaml, with a line KOURIER_API_KEY=… in ~/.continue/.env.',
      text: `name: Kourier
version: 1.0.0
schema: v1
models:
  - name: Kourier
    provider: openai
    model: ${JSON.stringify(model)}
    apiBase: ${baseUrl}/v1
    apiKey: \${{ secrets.KOURIER_API_KEY }}
    roles: [chat, edit, apply]`,
    },
    {
      id: 'zed',
      title: 'Zed',
      where: 'In settings.json. Zed takes the key from KOURIER_API_KEY because the provider is named Kourier.',
      text: JSON.stringify(
        {
          language_models: {
            openai_compatible: {
              Kourier: {
                api_url: `${baseUrl}/v1`,
                available_models: [{ name: model, display_name: 'Kourier', max_tokens: contextTokens }],
              },
            },
          },
        },
        undefined,
        2,
      ),
    },
  ]
}

const curl = (url: string, headers: readonly string[], body: object) =>
  [
    `curl ${url}`,
    ...[...headers, 'Content-Type: application/json'].map(header => `-H "${header}"`),
    `-d ${shellWord(JSON.stringify(body))}`,
  ].join(' \\\n  ')

/** In JavaScript, a text as a literal. */
const script = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`

/** In a shell, a text that is taken literally. */
const shellWord = (text: string) => (/^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
