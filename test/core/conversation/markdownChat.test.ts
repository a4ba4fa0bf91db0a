// A conversation as Markdown is whole wherever it is read: nothing in it changes how the rest is read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import MarkdownIt from 'markdown-it'
import { markdownChat } from '../../../src/core/conversation/markdownChat.ts'
import type { EventBody, Part, PromptPart } from '../../../src/protocol/conversation.ts'
import { emptyConversation, reduce } from '../../../src/protocol/conversationState.ts'
import { chatWords as words } from '../../support/chatWords.ts'

const text = (text: string) => ({ kind: 'text', id: `t${text.length}`, text }) as const

function exported(prompt: readonly PromptPart[], parts: readonly Part[], state: 'done' | 'stopped' = 'done'): string {
  const bodies: EventBody[] = [
    { kind: 'turn-started', turn: 't', origin: { is: 'new' }, prompt },
    { kind: 'step-started', turn: 't', model: 'm' },
    ...parts.map(value => ({ kind: 'part-started', turn: 't', value }) as const),
    { kind: 'turn-ended', turn: 't', state },
    { kind: 'turn-started', turn: 'u', parent: 't', origin: { is: 'new' }, prompt: [text('And then?')] },
    { kind: 'turn-ended', turn: 'u', state: 'done' },
  ]
  const state2 = bodies.reduce(
    (before, body, at) => reduce(before, { ...body, conversation: 'c', n: at + 1, time: at }),
    emptyConversation('c'),
  )
  return markdownChat(state2, 'A *title*\nof <two> lines', words)
}

/** As GitHub draws it, which lets HTML through. */
const drawn = (markdown: string) => new MarkdownIt({ html: true }).render(markdown)

test('questions, answers, attachments, reasoning and calls have their place', () => {
  const markdown = exported(
    [
      { kind: 'attachment', id: 'a', source: 'file', name: 'src/`odd`.ts', sizeChars: 3, text: 'secret text' },
      { kind: 'image', id: 'i', mediaType: 'image/png', base64: 'AAAA', name: 'shot.png' },
      text('How?\n\nLike this?'),
    ],
    [
      { kind: 'reasoning', id: 'r', text: 'Let me <think>.' },
      text('So:\n\n```ts\nparse()\n```'),
      {
        kind: 'tool-call',
        id: 'c',
        call: 'c',
        name: 'read',
        inputText: '{}',
        isWritten: true,
        input: { path: 'a' },
        result: { outcome: 'ok', content: [{ kind: 'text', text: 'has ````` in it' }] },
      },
    ],
  )
  assert.equal(
    markdown,
    `# A \\*title\\* of \\<two\\> lines

## You

Attached: \`\`src/\`odd\`.ts\`\`

Image: \`shot.png\`

> How?
>
> Like this?

## Kourier

<details>
<summary>Thinking</summary>

> Let me \\<think>.

</details>

So:

\`\`\`ts
parse()
\`\`\`

<details>
<summary>Tool: read</summary>

\`\`\`json
{
  "path": "a"
}
\`\`\`

Result:

\`\`\`\`\`\`
has \`\`\`\`\` in it
\`\`\`\`\`\`

</details>

## You

> And then?
`,
  )
})

const open: Readonly<Record<string, string>> = {
  'a fence': 'See:\n\n```ts\nconst half = ',
  'a longer fence of tildes': '~~~~md\n```\ninner\n```',
  'a fence in a list': '1. First\n   ```sh\n   ls',
  'a comment': 'before <!-- never closed',
  'a script': '<script>\nalert(1)',
  details: '<details><summary>x',
  'a code span': 'a ` b',
}
for (const [name, answer] of Object.entries(open))
  test(`an answer that leaves ${name} open ends where it ends`, () => {
    for (const html of [drawn(exported([text('q')], [text(answer)])), drawn(exported([text(answer)], [text('ok')]))]) {
      assert.match(html, /<h2>You<\/h2>\s*<blockquote>\s*<p>And then\?<\/p>\s*<\/blockquote>\s*$/)
      assert.doesNotMatch(html, /<script|<!--/)
    }
  })

test('code stays as it was written, and links stay links', () => {
  const code = 'Use `<div>` and <https://example.com>:\n\n```html\n<div>\n```'
  const markdown = exported([text('q')], [text(code)])
  assert.ok(markdown.includes(code), markdown)
})

test('an answer that was cut says so', () => {
  assert.match(exported([text('q')], [text('half')], 'stopped'), /half\n\n\*The answer is stopped\.\*/)
})
