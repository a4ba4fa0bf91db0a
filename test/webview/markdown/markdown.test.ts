// Model text into blocks: the same whether it streams or comes at once, nothing made twice, nothing dangerous, no end.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  type Block,
  type Blocks,
  continueBlocks,
  noBlocks,
  wholeBlock,
} from '../../../src/webview/markdown/markdown.ts'
import { englishWords as words } from '../../support/englishPage.ts'
import { heavy, hostile } from '../hostile.ts'

const blocksOf = (text: string) => continueBlocks(noBlocks, text, words).blocks

test('what the user has written keeps its line ends, names and commands, and is Markdown otherwise', () => {
  const own = (text: string) =>
    continueBlocks(noBlocks, text, words, true).blocks.map(block => (block.kind === 'html' ? block.html : block.kind))
  assert.deepEqual(own('Why does __init__ of *this*\nuse $HOME:$PATH and _x_?'), [
    '<p>Why does __init__ of <em>this</em><br>\nuse $HOME:$PATH and _x_?</p>\n',
  ])
  assert.deepEqual(own('See https://example.com/a_b_c'), [
    '<p>See <a href="https://example.com/a_b_c" title="https://example.com/a_b_c">https://example.com/a_b_c</a></p>\n',
  ])
  assert.deepEqual(own('```ts\nlet a_b\n```\n'), ['code'])
  assert.match(own('| a_b |\n|---|\n| __c__ |')[0] ?? '', /<td>__c__<\/td>/)
})
const htmlOf = (text: string) =>
  blocksOf(text)
    .map(block => (block.kind === 'html' ? block.html : ''))
    .join('')

/** Every state on the way, one character at a time. */
function* streamed(text: string): Generator<Blocks> {
  let blocks = noBlocks
  for (let end = 1; end <= text.length; end++) {
    blocks = continueBlocks(blocks, text.slice(0, end), words)
    yield blocks
  }
}

const streamedBlocks = (text: string) => [...streamed(text)].at(-1)?.blocks ?? []

const answer = `# Title

A paragraph with **bold**, \`code\` and [a link](https://example.com/a).
Its second line.

1. one
2. two

   \`\`\`ts
   const inside = 'a list'
   \`\`\`

   - deeper

   still two
3. three

\`\`\`py
def f():

    return "\`\`"
\`\`\`

| a | b |
|--:|:-:|
| 1 | 2 |
> quote
> - with a list

> [!WARNING]
> Mind *this*.[^1]

<details>
<summary>More of \`it\`</summary>

- folded

\`\`\`
</details>
\`\`\`
</details>

***
Setext
======

    indented code

- [ ] open
- [x] done
***bold and italic*** at the end`

describe('streaming', () => {
  test('char by char gives the same blocks as all at once', () => {
    assert.deepEqual(streamedBlocks(answer), blocksOf(answer))
    const windows = answer.replaceAll('\n', '\r\n')
    assert.deepEqual(streamedBlocks(windows), blocksOf(answer))
  })

  test('so does a paragraph whose next lines are the head of a table, until they are not', () => {
    for (const text of ['a\nb|c\n-|-x', 'a\n\nb\nc|d\n-|-\n', 'a\n***b'])
      assert.deepEqual(streamedBlocks(text), blocksOf(text), text)
  })

  test('so does any text of markdown pieces, cut anywhere', () => {
    const fragments = [
      'a',
      'b|c',
      '|',
      '-',
      '---',
      '|-|-|',
      '#',
      '# ',
      '***',
      '**',
      '>',
      '> ',
      '- ',
      '* ',
      '1. ',
      '2) ',
    ]
    const more = [
      '```',
      '~~~',
      '`',
      '    ',
      '  ',
      ' ',
      '\n',
      '\n',
      '\n\n',
      '\r\n',
      '\r',
      '===',
      '[x](',
      ')',
      '\t',
      ':-:',
      '\\',
      '$',
      '$$',
      '\\[',
      '\\]',
      '```math\n',
      '[x]',
      '[x]: https://a.example',
      '[x]: <b.ts> "t"\n',
      ': ',
      '<br>',
      '<sub>',
      '</sub>',
    ]
    const text = fc.array(fc.constantFrom(...fragments, ...more), { maxLength: 24 }).map(parts => parts.join(''))
    fc.assert(
      fc.property(text, whole => assert.deepEqual(streamedBlocks(whole), blocksOf(whole))),
      { numRuns: 2_000 },
    )
  })

  test('a finished block is never made twice', () => {
    const seen = new Map<number, Block>()
    for (const { blocks, settled } of streamed(answer)) {
      for (let at = 0; at < settled.blocks; at++) {
        const block = blocks[at]
        assert.ok(block)
        if (seen.has(at)) assert.equal(seen.get(at), block, `block ${at} was made again`)
        seen.set(at, block)
      }
    }
    assert.ok(seen.size > 8)
  })

  test('from one piece to the next only the last blocks can change', () => {
    const before = continueBlocks(noBlocks, answer, words)
    const after = continueBlocks(before, `${answer} and on`, words)
    const same = after.blocks.filter((block, at) => block === before.blocks[at])
    assert.equal(same.length, after.blocks.length - 1)
  })

  test('a definition at the end links what refers to it, and leaves all other blocks as they are', () => {
    const text = 'See [guide][1], [Other] and [more][].\n\nNo link: [a][2].\n\nThe end.\n\n'
    const before = continueBlocks(noBlocks, text, words)
    assert.doesNotMatch(before.blocks.map(block => (block.kind === 'html' ? block.html : '')).join(''), /<a /)
    const end = '[1]: https://example.com/a "Title"\n[other]: <https://other.example>\n[MORE]: src/a.ts'
    let after = before
    for (let length = 1; length <= end.length; length++)
      after = continueBlocks(after, text + end.slice(0, length), words)
    assert.deepEqual(after.blocks, blocksOf(text + end))
    assert.equal(
      htmlOf(text + end),
      '<p>See <a href="https://example.com/a" title="https://example.com/a">guide</a>, ' +
        '<a href="https://other.example" title="https://other.example">Other</a> and ' +
        '<a class="k-file" title="src/a.ts">more</a>.</p>\n<p>No link: [a][2].</p>\n<p>The end.</p>\n',
    )
    assert.equal(after.blocks[1], before.blocks[1])
  })

  test('the same text gives the same object, another text begins anew', () => {
    const before = continueBlocks(noBlocks, 'one\n\ntwo', words)
    assert.equal(continueBlocks(before, 'one\n\ntwo', words), before)
    assert.deepEqual(continueBlocks(before, 'on', words), continueBlocks(noBlocks, 'on', words))
  })

  test('a megabyte streams without growing slower by its length', () => {
    const paragraph = 'A sentence of a paragraph that says little. '.repeat(20)
    let blocks = noBlocks
    let text = ''
    while (text.length < 1_000_000) {
      text += `${paragraph}\n\n`
      blocks = continueBlocks(blocks, text, words)
      assert.ok(text.length - blocks.settled.chars < 3 * paragraph.length)
    }
    assert.equal(blocks.blocks.length, text.split('\n\n').length - 1)
  })
})

describe('what is made', () => {
  test('a code block carries language and text, without the last line end', () => {
    assert.deepEqual(blocksOf('```ts title="a"\nconst a = 1\n\n```'), [
      { kind: 'code', language: 'ts', text: 'const a = 1\n', label: 'ts title="a"', isClosed: true },
    ])
    assert.deepEqual(blocksOf('    x'), [{ kind: 'code', language: '', text: 'x', label: '', isClosed: true }])
    assert.deepEqual(blocksOf('```c++\nx'), [
      { kind: 'code', language: 'c++', text: 'x', label: 'c++', isClosed: false },
    ])
  })

  test('a code block in a list keeps its place in the list', () => {
    const [block] = blocksOf('- a\n  ```js\n  1\n  ```\n- b\n\n      2')
    assert.ok(block?.kind === 'html')
    assert.deepEqual(block.codes, [
      { language: 'js', text: '1', label: 'js', isClosed: true },
      { language: '', text: '2', label: '', isClosed: true },
    ])
    assert.equal(block.html.match(/<pre class="k-code"><\/pre>/g)?.length, 2)
  })

  test('links carry their own address as a tip, in ASCII', () => {
    assert.equal(
      htmlOf('[bank](https://xn--e1awd7f.example "your bank")'),
      '<p><a href="https://xn--e1awd7f.example" title="https://xn--e1awd7f.example">bank</a></p>\n',
    )
    assert.match(htmlOf('https://ехample.com/'), /href="https:\/\/xn--/)
    assert.match(htmlOf('See https://example.com/a.'), /<a href="https:\/\/example.com\/a" /)
  })

  test('of two definitions the first counts, and what leads nowhere is text', () => {
    const first = htmlOf('[a]\n\n[a]: https://one.example\n[a]: https://two.example')
    assert.equal(first, '<p><a href="https://one.example" title="https://one.example">a</a></p>\n')
    for (const line of [
      '[a]: javascript:alert(1)',
      '[a]: #b',
      '[a]: ../b.ts',
      '[^a]: https:',
      '[a]: some words',
      '[]: a.ts',
    ])
      assert.ok(htmlOf(line).startsWith(`<p>${line.slice(0, 4)}`), line)
  })

  test('the rows of a table that are shown when asked have their links', () => {
    const table = `| a |\n|---|\n${'| b |\n'.repeat(200)}| [c] |\n\n[c]: https://example.com`
    const [block] = blocksOf(table)
    assert.ok(block?.kind === 'html' && block.hiddenRows === 1)
    const whole = wholeBlock(block, words)
    assert.ok(whole.kind === 'html' && whole.html.includes('href="https://example.com"'))
  })

  test('an address that begins with www. is a link, another without a scheme is none', () => {
    assert.equal(
      htmlOf('(www.example.com/a?b), www.example.com.'),
      '<p>(<a href="https://www.example.com/a?b" title="https://www.example.com/a?b">www.example.com/a?b</a>), ' +
        '<a href="https://www.example.com" title="https://www.example.com">www.example.com</a>.</p>\n',
    )
    for (const text of [
      'example.com',
      'www.',
      'www.com',
      'www.javascript:alert(1)',
      'a@www.example.com',
      'ftp.example.com',
    ])
      assert.equal(htmlOf(text), `<p>${text}</p>\n`)
  })

  test('tags that Markdown has no sign for are drawn, all others and unfinished ones are text', () => {
    const cases: Readonly<Record<string, string>> = {
      'Press <kbd>Ctrl</kbd>+<KBD>C</KBD>': 'Press <kbd>Ctrl</kbd>+<kbd>C</kbd>',
      'H<sub>2</sub>O and x<sup>**2**</sup>': 'H<sub>2</sub>O and x<sup><strong>2</strong></sup>',
      'a<br>b<br/>c<br />d': 'a<br>\nb<br>\nc<br>\nd',
      '*a <sub>b* c</sub>': '*a <sub>b* c</sub>',
      '`<br>` <sub>a': '<code>&lt;br&gt;</code> &lt;sub&gt;a',
      '<kbd onclick="a()">b</kbd>': '&lt;kbd onclick=&quot;a()&quot;&gt;b&lt;/kbd&gt;',
      '<br class="a"> <u>b</u>': '&lt;br class=&quot;a&quot;&gt; &lt;u&gt;b&lt;/u&gt;',
    }
    for (const [text, html] of Object.entries(cases)) assert.equal(htmlOf(text), `<p>${html}</p>\n`)
  })

  test('a quote of one of five kinds has a title, and others stay quotes', () => {
    const quoted = (inside: string, kind = '') => `<blockquote${kind}>\n${inside}</blockquote>\n`
    const cases: Readonly<Record<string, string>> = {
      '> [!NOTE]\n> Read *this*.': quoted(
        '<p class="k-title">Note</p>\n<p>Read <em>this</em>.</p>\n',
        ' class="k-note"',
      ),
      '> [!caution]\n>\n> - a': quoted(
        '<p class="k-title">Caution</p>\n\n<ul>\n<li>a</li>\n</ul>\n',
        ' class="k-caution"',
      ),
      '> [!OTHER]\n> a': quoted('<p>[!OTHER]\na</p>\n'),
      '> [!NOTE] a': quoted('<p>[!NOTE] a</p>\n'),
      '[!NOTE]\na': '<p>[!NOTE]\na</p>\n',
    }
    for (const [text, html] of Object.entries(cases)) assert.equal(htmlOf(text), html)
  })

  test('what is folded away has its title and all that Markdown has, and goes on to its end', () => {
    const folded = (title: string, inside: string) =>
      `<details class="k-fold">\n<summary><span>${title}</span></summary>\n${inside}</details>\n`
    const cases: Readonly<Record<string, string>> = {
      '<details>\n<summary>The **log**</summary>\n\n- a\n\n</details>\nafter': `${folded('The <strong>log</strong>', '<ul>\n<li>a</li>\n</ul>\n')}<p>after</p>\n`,
      'before\n<details><summary>a</summary>\nb\n</details>': `<p>before</p>\n${folded('a', '<p>b</p>\n')}`,
      '<details>\n\na\n\n</details>': folded('Details', '<p>a</p>\n'),
      '<details><summary>a</summary>\n<details><summary>b</summary>\nc\n</details>\nd\n</details>': folded(
        'a',
        `${folded('b', '<p>c</p>\n')}<p>d</p>\n`,
      ),
      '<details>\n<summary>a</summary>\n\nstill com': folded('a', '<p>still com</p>\n'),
      '- a\n  <details><summary>b</summary>\n  c\n  </details>': `<ul>\n<li>a\n${folded('b', '<p>c</p>\n')}</li>\n</ul>\n`,
      '<details open>\na': '<p>&lt;details open&gt;\na</p>\n',
    }
    for (const [text, html] of Object.entries(cases)) assert.equal(htmlOf(text), html)
    const [block] = blocksOf('<details><summary>a</summary>\n\n```html\n</details>\n```\n\nb\n</details>')
    assert.ok(block?.kind === 'html')
    assert.deepEqual(
      block.codes.map(({ text }) => text),
      ['</details>'],
    )
    assert.equal(block.html, folded('a', '<pre class="k-code"></pre>\n<p>b</p>\n'))
  })

  test('notes with a number are raised, patterns are not', () => {
    const cases: Readonly<Record<string, string>> = {
      'So it is.[^1] And:[^12]': 'So it is.<sup>1</sup> And:<sup>12</sup>',
      '[^1]: The **source**.\n[^2]: Another.': '<sup>1</sup> The <strong>source</strong>.\n<br>\n<sup>2</sup> Another.',
      'see [^1]: so': 'see <sup>1</sup>: so',
      '[^a-z] `[^1]` [^1](https://example.com/)':
        '[^a-z] <code>[^1]</code> <a href="https://example.com/" title="https://example.com/">^1</a>',
    }
    for (const [text, html] of Object.entries(cases)) assert.equal(htmlOf(text), `<p>${html}</p>\n`)
  })

  test('columns are aligned by attribute, never by style', () => {
    const html = htmlOf('| a | b |\n|--:|:-:|\n| 1 | 2 |')
    assert.match(html, /<td align="right">1<\/td>/)
    assert.doesNotMatch(html, /style/)
  })

  test('boxes of a task list', () => {
    assert.match(htmlOf('- [ ] open\n- [x] done'), /<li class="k-open">open[\s\S]*<li class="k-done">done/)
  })

  test('empty text has no blocks', () => {
    for (const text of ['', ' ', '\n\n', '\r']) assert.deepEqual(blocksOf(text), [])
  })
})

describe('caps', () => {
  const table = (rows: number) => `| n |\n|---|\n${Array.from({ length: rows }, (_, row) => `| ${row} |`).join('\n')}`

  test('a table shows 200 rows, and all of them when asked', () => {
    const [block] = blocksOf(table(5_000))
    assert.ok(block?.kind === 'html')
    assert.equal(block.hiddenRows, 4_800)
    assert.equal(block.html.match(/<tr>/g)?.length, 201)
    assert.match(block.html, /<td>199<\/td>\n<\/tr>\n<\/tbody>\n<\/table>\n$/)
    const whole = wholeBlock(block, words)
    assert.ok(whole.kind === 'html')
    assert.equal(whole.hiddenRows, 0)
    assert.equal(whole.html.match(/<tr>/g)?.length, 5_001)
  })

  test('what follows a long table in the same list is still there', () => {
    const inList = `- ${table(300).replaceAll('\n', '\n  ')}\n\n  after\n\n- | m |\n  |---|\n  | one |`
    const [block] = blocksOf(inList)
    assert.ok(block?.kind === 'html')
    assert.equal(block.hiddenRows, 100)
    assert.match(block.html, /after[\s\S]*<td>one<\/td>/)
  })

  test('nothing is left out in silence: what is too deep comes as plain text', () => {
    const deep = `${'>'.repeat(4_000)} deep`
    assert.deepEqual(blocksOf(deep), [{ kind: 'plain', text: deep }])
    const [quote] = blocksOf(`${'>'.repeat(20)} deep`)
    assert.ok(quote?.kind === 'html' && quote.html.includes('deep'))
  })

  for (const [name, text] of Object.entries(heavy)) {
    test(`${name}: made at once and in pieces without a fault`, () => {
      let blocks = noBlocks
      for (let end = 0; end < text.length + 7_919; end += Math.max(7_919, Math.ceil(text.length / 8))) {
        blocks = continueBlocks(blocks, text.slice(0, end), words)
      }
      assert.ok(blocksOf(text).length > 0)
    })
  }
})

describe('hostile text', () => {
  const tags = new Set(
    'p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong s kbd sub sup table thead tbody tr th td a span details summary'.split(
      ' ',
    ),
  )

  /** Every tag with its attributes; text between them is escaped by construction. */
  function judge(html: string): void {
    for (const [whole, tag, attributes] of html.matchAll(/<\/?([^\s>/]*)([^>]*)>/g)) {
      assert.ok(tag && tags.has(tag), `tag in ${whole}`)
      const rest = (attributes ?? '').replaceAll(
        / (?:href|title)="(?:https?:\/\/|mailto:)[^"<>]*"| start="\d+"| align="\w+"| class="k-(?:code|math|display|open|done)"/g,
        '',
      )
      const isFile = /^ class="k-file" title="[^"<>]*"$/.test(rest)
      assert.ok(rest === '' || isFile, `attributes in ${whole}`)
    }
  }

  for (const [name, text] of Object.entries(hostile)) {
    test(`${name}: only our own tags, in every state of streaming`, () => {
      for (const { blocks } of streamed(text)) {
        for (const block of blocks) if (block.kind === 'html') judge(block.html)
      }
    })
  }

  test('an image becomes a link with its name', () => {
    assert.equal(
      htmlOf('![a *cat*](https://example.com/c.png)'),
      '<p><a href="https://example.com/c.png" title="https://example.com/c.png">Image: a cat</a></p>\n',
    )
    assert.doesNotMatch(htmlOf('[![a](https://example.com/c)](https://example.com/d)'), /<a[\s\S]*<a/)
  })

  test('[T40] a link to a file has its name and no address; one that leads out stays text', () => {
    assert.equal(
      htmlOf('[x](src/a%20b.ts#L3) ![y](./c.png)'),
      '<p><a class="k-file" title="src/a b.ts#L3">x</a> <a class="k-file" title="./c.png">Image: y</a></p>\n',
    )
    for (const path of [
      '../a.ts',
      '%2e%2e/a.ts',
      '%252e%252e/a.ts',
      '//h/a.ts',
      '%5c%5ch%5ca.ts',
      'a%E2%80%AE.ts',
      '~/a.ts',
    ])
      assert.doesNotMatch(htmlOf(`[x](${path})`), /<a/, path)
  })

  test('links that lead into the editor stay text', () => {
    for (const url of [
      'command:x',
      'vscode:x',
      'file:///x',
      'data:text/html,x',
      'javascript:x',
      '//x/y',
      '#x',
      'a/b',
    ]) {
      assert.doesNotMatch(htmlOf(`[x](${url}) <${url}>`), /<a/)
    }
  })

  test('what hides is marked: as it comes, by entity, in code, in names', () => {
    assert.equal(htmlOf('a\u202eb'), '<p>a⟦U+202E⟧b</p>\n')
    assert.equal(htmlOf('a&#x202e;b'), '<p>a⟦U+202E⟧b</p>\n')
    assert.deepEqual(blocksOf('```sh\na\u001b[8mb\n```'), [
      { kind: 'code', language: 'sh', text: 'a⟦U+001B⟧[8mb', label: 'sh', isClosed: true },
    ])
    assert.match(htmlOf('![a\u200b](https://example.com/)'), /Image: a⟦U\+200B⟧</)
  })
})
