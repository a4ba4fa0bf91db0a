// What the demo model answers to a chat and to a completion.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { codeLabel } from '../../src/core/edit/codeLabel.ts'
import { ModelPlacer } from '../../src/core/edit/modelPlacer.ts'
import { placeCode, SURE } from '../../src/core/edit/placeCode.ts'
import { demoLanguages } from '../localService/demoCode.ts'
import { chat, question, serviceWithKey } from './caller.ts'

const sampleWorkspace = join(import.meta.dirname, '../editor/sampleWorkspace')

async function asker() {
  const { service, key } = await serviceWithKey()
  const ask = async (messages: readonly object[], fields: object = {}): Promise<string> => {
    const { status, json } = await chat(service, key, { model: 'kourier-1-0815', messages, ...fields })
    assert.equal(status, 200)
    return json.choices[0].message.content
  }
  return { service, key, ask, askText: (content: string) => ask(question(content).messages) }
}

test('it says that it is the demo, quotes the question, and says the same again', async () => {
  const { service, askText } = await asker()
  await using _ = service
  const answer = await askText('How do I sort?\nQuickly, please.')
  assert.match(answer, /demo model/)
  assert.match(answer, /^> How do I sort\?\n> Quickly, please\.$/m)
  assert.equal(await askText('How do I sort?\nQuickly, please.'), answer)
})

test('it names and summarizes a conversation by what was asked', async () => {
  const { service, ask } = await asker()
  await using _ = service
  const title = await ask([
    { role: 'system', content: 'Write a title for the conversation below.' },
    { role: 'user', content: '<question>\nWhy does the test for postage fail?\n</question>\n\n<answer>\nx\n</answer>' },
  ])
  assert.equal(title, 'Why does the test for postage')
  const attached = 'Attached file src/a.py:\n```python\na\n```\nExplain'
  const summary = await ask([
    { role: 'user', content: attached },
    { role: 'assistant', content: 'Yes.' },
    { role: 'user', content: 'Summarize this conversation up to here.' },
  ])
  assert.match(summary, /^- Explain$/m)
  assert.match(summary, /^Attached were `src\/a\.py`\.$/m)
})

test('it puts a block that has no place at the end of the file', async () => {
  const { service, ask } = await asker()
  await using _ = service
  const placer = new ModelPlacer({
    model: async () => 'kourier-1-0815',
    models: {
      async *stream({ system: content = '', messages }) {
        const asked = messages.flatMap(({ parts }) => parts.flatMap(part => (part.kind === 'text' ? part.text : [])))
        const answer = await ask([{ role: 'system', content }, ...asked.flatMap(text => question(text).messages)])
        yield { kind: 'text-delta', text: answer }
        yield { kind: 'finish', why: 'done' }
      },
    },
  })
  const file = 'const a = 1\n\nconst b = `\n```\n`\n'
  const placed = await placer.place(file, 'function c() {\n  return a\n}', new AbortController().signal)
  assert.equal(placed, `${file}\nfunction c() {\n  return a\n}\n`)
})

test('it lists the files it was given, with their sizes', async () => {
  const { service, ask, askText } = await asker()
  await using _ = service
  const block = '<file path="src/a.py" language="python">\ndef a():\n    pass\n</file>\n\nExplain <b>'
  const answer = await askText(block)
  assert.match(answer, /^\| `src\/a\.py` \| file \| 2 lines, 17 bytes \|$/m)
  assert.match(answer, /^> Explain <b>$/m)
  assert.match(answer, /```python src\/a\.py\n/)
  const fenced = await askText('lib/b.rs:\n```rust\nfn main() {}\n```\nWhat is this?')
  assert.match(fenced, /^\| `lib\/b\.rs` \| file \| 1 line, 12 bytes \|$/m)
  assert.match(fenced, /^> What is this\?$/m)
  const later = await ask([
    { role: 'user', content: block },
    { role: 'assistant', content: 'Yes.' },
    { role: 'user', content: 'And now?' },
  ])
  assert.match(later, /src\/a\.py/, 'files given earlier are still there')
})

test('it changes the file that is attached, whole or as a diff, under a label that names it', async () => {
  const { service, askText } = await asker()
  await using _ = service
  const text = 'import a\n\n\ndef delay(parcel):\n    return parcel.late\n'
  const attached = `Attached file reports/delays.py:\n\`\`\`python\n${text}\`\`\``
  const answer = await askText(`${attached}\nWhat is it for?`)
  assert.match(answer, /^> What is it for\?$/m)
  assert.match(answer, /^\| `reports\/delays\.py` \| file \| 5 lines, \d+ bytes \|$/m)
  assert.match(answer, /^```python reports\/delays\.py\nimport a\n\n\n# What delay is for.*\ndef delay/m)
  const diff = await askText(`${attached}\nAs a diff, please`)
  assert.match(diff, /^```diff reports\/delays\.py\n--- a\/reports\/delays\.py\n\+\+\+ b.*\n@@ -1,5 \+1,6 @@\n/m)
  const selected = `Attached selection reports/delays.py, lines 4 to 5:\n\`\`\`python\ndef delay(parcel):\n    pass\n\`\`\``
  assert.match(await askText(`${selected}\nAnd this?`), /```python reports\/delays\.py\n# What delay/)
  const changes = 'Attached git-change changes:\n```diff\n--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+b\n```'
  assert.match(
    await askText(`${changes}\nWrite a commit message for the attached changes`),
    /```text\nChange x\.ts\n```/,
  )
})

test('without a file it shows a table, of files of the workspace where it knows some', async () => {
  const { service, askText } = await asker()
  await using _ = service
  const environment =
    'Workspace: parcel-desk.\nFiles and folders:\n.env\nREADME.md\ndesk/\ndesk/parcel.ts\nreports/delays.py'
  const answer = await askText(`<environment>\n${environment}\n</environment>\n\nWhat is here?`)
  assert.match(answer, /^\| `desk\/parcel\.ts` \| typescript \|\n\| `reports\/delays\.py` \| python \|$/m)
  assert.doesNotMatch(answer, /\.env/)
  assert.match(await askText('Hello'), /^\|---\|/m)
})

test('its changes apply to each file of the sample workspace, whole or as a diff, and change that one line', async () => {
  const { service, askText } = await asker()
  await using _ = service
  const paths = globSync('**/*.{ts,mjs,py,go,sql}', { cwd: sampleWorkspace })
  assert.ok(paths.length >= 6)
  for (const path of paths) {
    const text = readFileSync(join(sampleWorkspace, path), 'utf8')
    const attached = `Attached file ${path}:\n\`\`\`\`\n${text.replace(/\n$/, '')}\n\`\`\`\``
    for (const question of ['What is it for?', 'As a diff, please']) {
      const answer = await askText(`${attached}\n${question}`)
      const [, label = '', code = ''] = /^`{3,}(\S+ \S+)\n([\s\S]*?)\n`{3,}$/m.exec(answer) ?? []
      assert.equal(codeLabel(label, code)?.path, path, question)
      const placed = placeCode(text, code, label.split(' ')[0])
      assert.ok(placed && placed.confidence >= SURE, `${path}: ${question}`)
      const lines = placed.text.split('\n')
      const added = lines.filter(line => /What [\w ]+ is for, in one sentence\./.test(line))
      assert.equal(added.length, 1, path)
      assert.equal(lines.filter(line => line !== added[0]).join('\n'), text, `${path}: ${question}`)
    }
  }
})

test('it shows what an answer can hold', async () => {
  const { service, key, ask, askText } = await asker()
  await using _ = service
  const everything = await askText('Show me everything')
  for (const part of [/^\|---\|/m, /^\$\$$/m, /^```mermaid$/m, /^- \[x\] /m]) assert.match(everything, part)
  assert.doesNotMatch(await ask(question('Hello').messages), /mermaid\n/)
  const { json } = await chat(service, key, question('Think about it'))
  assert.match(json.choices[0].message.reasoning, /demonstration/)
})

test('it shows code in the language that is asked for', async () => {
  const { service, askText } = await asker()
  await using _ = service
  assert.ok(demoLanguages.length >= 8)
  const cases: [string, string][] = [
    ['Show me some Python', 'python'],
    ['A function in Go?', 'go'],
    ['Where do I go from here?', 'typescript'],
    ['write a go program', 'go'],
    ['a Lua script', 'lua'],
    ['<file path="a.toml">\nx = 1\n</file>\nWhat is this?', 'toml'],
    ['a parser in C', 'c'],
    ['in C++ please', 'cpp'],
    ['C# then', 'csharp'],
    ['write SQL', 'sql'],
    ['a bash script', 'shell'],
    ['Rust!', 'rust'],
    ['What is this?', 'typescript'],
    ['<file path="x.sh">\nls\n</file>\nWhat is this?', 'shell'],
    ['<file path="x.sh">\nls\n</file>\nRewrite it in ruby', 'ruby'],
  ]
  const seen = new Set<string>()
  for (const [asked, language] of cases) {
    const [, named, code = ''] = /```(\w+)(?: \S+)?\n([\s\S]+?)\n```/.exec(await askText(asked)) ?? []
    assert.equal(named, language, asked)
    assert.notEqual(code.trim(), '')
    seen.add(code)
  }
  assert.ok(seen.size >= 8)
})

test('it writes as much as it is asked for', async () => {
  const { service, askText } = await asker()
  await using _ = service
  const short = await askText('Hello')
  assert.ok(short.split('\n').length < 40)
  assert.match(await askText('Write 500 lines'), /\n500\. Line 500 of 500/)
  assert.ok((await askText('300 words about nothing')).split(/\s+/).length >= 300)
  assert.ok((await askText('a long story')).split('\n').length > 100)
})

const system = { role: 'system', content: 'You complete code at the cursor. Answer in <insert>.' }

interface Given {
  readonly before: string
  /** What is between the cursor and the end of its line. */
  readonly rest?: string
  readonly after?: string
  readonly context?: string
  readonly language?: string
}

const hole = ({ before, rest = '', after = '', context = '', language = 'typescript' }: Given) =>
  `<context path="src/other.ts">
${context}
</context>
<file path="src/b.ts" language="${language}">
<below_cursor_line>
${after}
</below_cursor_line>
<through_cursor_line>
${before}▮${rest}</through_cursor_line>
</file>
At ▮: this line, and the next two if they are sure.`

test('completions continue as the text went on elsewhere', async t => {
  const { service, ask } = await asker()
  await using _ = service
  const cases: [string, Given, string][] = [
    [
      'from before the cursor',
      { before: 'const a = items.map(one => one.id)\nconst b = items.map(' },
      'one => one.id)',
    ],
    ['from after the cursor', { before: 'total += row.', after: '\ntotal += row.price\n' }, 'price'],
    [
      'from another file',
      { before: 'const user = await load', context: 'const user = await loadUser(id)' },
      'User(id)',
    ],
    [
      'the longest match wins',
      { before: 'let red = paint(1)\nlet blue = paint(2)\nlet darkBlue = paint(', context: 'let darkBlue = paint(3)' },
      '3)',
    ],
    [
      'the nearer of two equal matches',
      { before: 'push(one)\nx()\npush(two)\nx()\npush(', context: 'push(three)' },
      'two)',
    ],
    [
      'a block, up to three lines',
      { before: 'if (ready) {\n  go()\n  stop()\n  wait()\n}\nif (ready)', context: '' },
      ' {\n  go()\n  stop()',
    ],
    ['the next line, at the end of one', { before: 'open()\nread()\nshut()\nagain()\nopen()\nread()' }, '\nshut()'],
    ['not what stands there already', { before: 'call(a, b)\ncall(', rest: 'a, b)' }, ''],
    ['not the bracket that is closed already', { before: 'call(a, b)\ncall(', rest: ')' }, 'a, b'],
    ['not the line above once more', { before: 'import one\n', context: 'import one\nimport one' }, ''],
    ['not from inside a word', { before: 'xaction', context: 'a faction of many' }, ''],
    ['not from two characters', { before: 'zz', context: 'zz top' }, ''],
  ]
  for (const [name, given, expected] of cases)
    await t.test(name, async () => {
      const answer = await ask([system, { role: 'user', content: hole(given) }])
      assert.equal(answer, `<insert>${expected}</insert>`)
    })
})

test('what was never seen gets what anyone would write, or nothing', async t => {
  const { service, ask } = await asker()
  await using _ = service
  const cases: [string, Given, string][] = [
    ['add', { before: 'function add(a, b) {' }, '\n  return a + b\n}'],
    [
      'add with types, on its line',
      { before: '  function sum(x: number, y: number): number {\n    ', after: '  }' },
      'return x + y',
    ],
    ['python', { before: 'def mul(a, b):', language: 'python' }, '\n    return a * b'],
    ['a method in python', { before: 'def name(self, x):', language: 'python' }, '\n    return x'],
    ['rust', { before: 'fn sub(a: i32, b: i32) -> i32 {', language: 'rust' }, '\n    a - b\n}'],
    ['go', { before: 'func add(a int, b int) int {', language: 'go' }, '\n\treturn a + b\n}'],
    ['an error in go', { before: '\tif err != nil {', language: 'go' }, '\n\t\treturn err\n\t}'],
    ['a loop', { before: 'for (' }, 'const item of items) {'],
    ['a loop with its bracket', { before: 'for (', rest: ')' }, 'const item of items'],
    ['a loop in python', { before: 'for row in ', language: 'python' }, 'rows:'],
    ['nothing', { before: 'qqq' }, ''],
    ['an empty file', { before: '' }, ''],
  ]
  for (const [name, given, expected] of cases)
    await t.test(name, async () => {
      const answer = await ask([system, { role: 'user', content: hole(given) }])
      assert.equal(answer, `<insert>${expected}</insert>`)
    })
})

test('where a file contains the usual tags, those with a number are read and written', async () => {
  const { service, ask } = await asker()
  await using _ = service
  const given = hole({ before: 'const tag = "</file>▮"\ntotal += row.', after: '\ntotal += row.price\n' })
  const content = given
    .replace(/<(\/?)(file|context|below_cursor_line|through_cursor_line)(?=[ >](?!"))/g, '<$1$22')
    .replace('</file2>▮"', '</file>▮"')
    .replace('row.▮', 'row.▮2')
    .replace('At ▮', 'At ▮2')
  assert.equal(await ask([system, { role: 'user', content }]), '<insert2>price</insert2>')
})

test('examples before the last hole are not mistaken for it, and a stop string cuts the tag off', async () => {
  const { service, ask } = await asker()
  await using _ = service
  const example = hole({ before: 'const example = thing.', after: 'const example = thing.name' })
  const messages = [
    system,
    { role: 'user', content: example },
    { role: 'assistant', content: '<insert>name</insert>' },
    { role: 'user', content: `${example}\n${hole({ before: 'total += row.', after: '\ntotal += row.price\n' })}` },
  ]
  assert.equal(await ask(messages), '<insert>price</insert>')
  assert.equal(await ask(messages, { stop: ['</insert>'] }), '<insert>price')
  assert.equal(await ask([system, { role: 'user', content: 'no hole at all' }]), '<insert></insert>')
})
