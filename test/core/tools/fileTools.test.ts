// What the tools that change files do to real files, what they ask about, and what they answer.
import assert from 'node:assert/strict'
import { linkSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Tool, ToolInput } from '../../../src/core/tools/tool.ts'
import { ToolFolder, type ToolFolderSetup } from '../../support/toolFolder.ts'
import { never } from '../../support/wire.ts'

function folder(files: ToolFolderSetup['files'] = {}, setup: ToolFolderSetup = {}) {
  const work = new ToolFolder({ files, ...setup })
  const tools = work.newTools()
  return Object.assign(work, {
    tools,
    read: (path: string) => work.call(tools.read, { path }, { isApproved: true }),
    edit: (path: string, old: string, fresh: string, options = {}) =>
      work.call(tools.edit, edit(path, old, fresh), options),
    bytes: (path: string) => readFileSync(join(work.root, path)),
  })
}

const edit = (path: string, old: string, fresh: string) => ({ path, edits: [{ old_text: old, new_text: fresh }] })

describe('edit_file', () => {
  test('makes the edit and names the lines and the revision', async () => {
    using work = folder({ 'src/a.ts': 'a\nb\nc\nd\n' })
    await work.read('src/a.ts')
    assert.match(await work.edit('src/a.ts', 'b', 'x\ny'), /^Edited src\/a\.ts: lines 2 to 3\. revision [0-9a-f]{4}\.$/)
    assert.equal(work.text('src/a.ts'), 'a\nx\ny\nc\nd\n')
    assert.match(await work.edit('src/a.ts', 'y\n', ''), /^Edited src\/a\.ts: lines deleted before 3\./)
    assert.match(await work.edit('src/a.ts', 'd', 'e'), /^Edited src\/a\.ts: line 4\./)
  })

  test('[A21] names the step, if it is not the first', async () => {
    using work = folder({ 'a.py': 'if a:\n    b  \n' })
    await work.read('a.py')
    assert.match(
      await work.edit('a.py', 'if a:\n    b\n', 'if a:\n    c\n'),
      /\nThe edit matched but for white space at the ends of lines\.$/,
    )
    assert.equal(work.text('a.py'), 'if a:\n    c  \n')
  })

  test('[A24] all edits of a call or none', async () => {
    using work = folder({ 'a.ts': 'a\nb\n' })
    await work.read('a.ts')
    const edits = [
      { old_text: 'a', new_text: 'x' },
      { old_text: 'zz', new_text: 'y' },
    ]
    assert.match(
      await work.call(work.tools.edit, { path: 'a.ts', edits }),
      /^No edit of "a\.ts" was made\. Of 2 edits 1 of them/,
    )
    assert.equal(work.text('a.ts'), 'a\nb\n')
  })

  test('[A09] what is there already is no error and asks nobody', async () => {
    using work = folder({ 'a.ts': 'const answer = 42\n' })
    await work.read('a.ts')
    const answer = await work.edit('a.ts', 'const answer = 41', 'const answer = 42', { isAskedAlways: true })
    assert.match(answer, /^Nothing to change in a\.ts, revision [0-9a-f]{4}\.\nThe edit is already there, line 1\.$/)
  })

  test('2.6: a file that was never read, one that changed elsewhere, and one that changed at the place', async () => {
    using work = folder({ 'a.ts': 'aaa\nbbb\nccc\nddd\n' })
    assert.match(await work.edit('a.ts', 'aaa\nbb', 'x'), /^"a\.ts" was not read in this chat\./)
    assert.match(await work.edit('a.ts', 'aaa', 'AAA'), /^Edited/)
    work.put('a.ts', 'AAA\nbbb\nccc\nmine\n')
    assert.match(
      await work.edit('a.ts', 'AAA', 'x'),
      /\nThe file had changed elsewhere since you read it:\n@@ .*\n(?:.*\n)*-ddd\n\+mine$/,
    )
    work.put('a.ts', 'x\nbbb-x\nccc\nmine\n')
    const refused = await work.edit('a.ts', 'bbb', 'y')
    assert.match(refused, /^The lines of this edit in "a\.ts" are not those that you saw\./)
    assert.match(refused, /\n2\tbbb-x\n/)
    assert.equal(work.text('a.ts'), 'x\nbbb-x\nccc\nmine\n')
    assert.match(
      await work.edit('a.ts', 'bbb-x', 'y'),
      /^Edited a\.ts: line 2/,
      'the refusal has shown the present text',
    )
  })

  test('the same knowledge after a reload', async () => {
    using work = folder({ 'a.ts': 'aaa\nbbb\n' })
    await work.read('a.ts')
    await work.reload()
    work.put('a.ts', 'aaa\nbbb-x\n')
    const { edit: tool } = work.newTools()
    assert.match(await work.call(tool, edit('a.ts', 'bbb', 'y')), /^The lines of this edit/)
  })

  test('several calls of one answer see what the ones before them will have done', async () => {
    using work = folder({ 'a.ts': 'a\nb\n' })
    await work.read('a.ts')
    const { write, edit: change, move, delete: remove } = work.tools
    const results = await work.answer(
      [
        [change, edit('a.ts', 'a', 'first')],
        [change, edit('a.ts', 'first', 'second')],
        [write, { path: 'new/b.ts', text: 'one\n' }],
        [change, edit('new/b.ts', 'one', 'two')],
        [move, { from: 'new/b.ts', to: 'c.ts' }],
        [change, edit('c.ts', 'two', 'three')],
        [remove, { path: 'c.ts' }],
        [write, { path: 'c.ts', text: 'again\n' }],
      ],
      { isAskedAlways: true, isApproved: true },
    )
    assert.deepEqual(
      results.map(one => one.split(/[.:] /)[0]),
      [
        'Edited a.ts',
        'Edited a.ts',
        'Created new/b.ts',
        'Edited new/b.ts',
        'Moved new/b.ts to c.ts.',
        'Edited c.ts',
        'Deleted c.ts.',
        'Created c.ts',
      ],
    )
    assert.deepEqual(
      [work.text('a.ts'), work.text('c.ts'), work.text('new/b.ts')],
      ['second\nb\n', 'again\n', undefined],
    )
  })

  test('a call that builds on a declined one is asked about again, and refused where it has no place', async () => {
    using work = folder({ 'a.ts': 'a\nb\n' })
    await work.read('a.ts')
    const { edit: change } = work.tools
    const isDenied = (input: Readonly<Record<string, unknown>>) => JSON.stringify(input).includes('first"')
    const options = {
      isAskedAlways: true,
      isApproved: true,
      isDenied: (input: Readonly<Record<string, unknown>>) => isDenied(input) && JSON.stringify(input).includes('"a"'),
    }
    const results = await work.answer(
      [
        [change, edit('a.ts', 'a', 'first')],
        [change, edit('a.ts', 'first', 'second')],
        [change, edit('a.ts', 'b', 'c')],
      ],
      options,
    )
    assert.equal(results[0], 'denied')
    assert.match(results[1] ?? '', /^old_text is not in "a\.ts"/)
    assert.equal(results[2], 'outdated')
    assert.equal(work.text('a.ts'), 'a\nb\n')
  })

  test('[A28] what was approved is made of the file that was shown, or asked about again', async () => {
    using work = folder({ 'a.ts': 'a\nb\n' })
    await work.read('a.ts')
    const approved = { isAskedAlways: true, isApproved: true, meanwhile: () => work.put('a.ts', 'a\nb\nmine\n') }
    assert.equal(await work.edit('a.ts', 'a', 'x', approved), 'outdated')
    assert.equal(work.text('a.ts'), 'a\nb\nmine\n')
    const unasked = { meanwhile: () => work.put('a.ts', 'a\nb\nmine too\n') }
    assert.match(
      await work.edit('a.ts', 'a', 'x', unasked),
      /^Edited/,
      'nothing was approved, so it is worked out anew',
    )
    assert.equal(work.text('a.ts'), 'x\nb\nmine too\n')
  })

  test('[A27] [A26] a line in place of others, and an edit of nothing', async () => {
    using work = folder({ 'a.ts': 'a\nb\nc\n' })
    assert.match(await work.edit('a.ts', 'a\nb', 'x\n// ... rest of the code'), /^new_text has the line/)
    assert.match(await work.edit('a.ts', 'a', 'a'), /^The edit changes nothing/)
    assert.match(await work.call(work.tools.edit, { path: 'a.ts', edits: [] }), /^The list of edits is empty/)
  })
})

describe('[A23] what the model did not mean to change stays, byte for byte', () => {
  const cases: readonly [what: string, before: Buffer, after: Buffer][] = [
    ['CRLF', Buffer.from('a\r\nb\r\nc'), Buffer.from('a\r\nx\r\ny\r\nc')],
    ['mixed line ends', Buffer.from('a\r\nb\nc\r\nd\r\n'), Buffer.from('a\r\nx\ny\r\nc\r\nd\r\n')],
    ['lone carriage returns', Buffer.from('a\rb\rc\r'), Buffer.from('a\rx\ry\rc\r')],
    ['a byte order mark', Buffer.from('\ufeffa\nb\nc\n'), Buffer.from('\ufeffa\nx\ny\nc\n')],
    ['no last line end', Buffer.from('a\nb'), Buffer.from('a\nx\ny')],
    ['UTF-16', Buffer.from('\ufeffa\nb\nc\n', 'utf16le'), Buffer.from('\ufeffa\nx\ny\nc\n', 'utf16le')],
  ]
  for (const [what, before, after] of cases) {
    test(what, async () => {
      using work = folder({ 'a.txt': before })
      await work.read('a.txt')
      assert.match(await work.edit('a.txt', 'b', 'x\ny'), /^Edited/)
      assert.deepEqual(work.bytes('a.txt'), after)
      await work.tools.changes.undo({ conversation: 'c' })
      assert.deepEqual(work.bytes('a.txt'), before, 'undone')
    })
  }

  test('the mode, also of a file that was deleted', async () => {
    using work = folder()
    work.put('run.sh', 'a\n', 0o755)
    await work.read('run.sh')
    await work.edit('run.sh', 'a', 'b')
    assert.equal(statSync(join(work.root, 'run.sh')).mode & 0o777, 0o755)
    assert.equal(await work.call(work.tools.delete, { path: 'run.sh' }), 'Deleted run.sh.')
    await work.tools.changes.undo({ conversation: 'c' })
    assert.equal(work.text('run.sh'), 'a\n')
    assert.equal(statSync(join(work.root, 'run.sh')).mode & 0o777, 0o755)
  })

  test('bytes that are no text of the encoding are refused, not replaced', async () => {
    using work = folder({ 'a.txt': Buffer.from([0x61, 0xe9, 0x0a]) })
    assert.match(
      await work.edit('a.txt', 'a\ufffd', 'b'),
      /^"a\.txt" cannot be edited as text\. .*bytes that its encoding does not have/,
    )
    assert.deepEqual(work.bytes('a.txt'), Buffer.from([0x61, 0xe9, 0x0a]))
  })
})

test('[A46] [A47] a file is saved after the last edit of an answer; what a formatter makes of it is reported and undone too', async () => {
  using work = folder({ 'a.ts': 'a\nb\nc\n' })
  await work.read('a.ts')
  const write = work.files.write.bind(work.files)
  const saves: string[] = []
  work.files.write = (uri, expected, text, options = {}) => {
    if (options.isUnsaved || text.includes('original')) return write(uri, expected, text, options)
    saves.push(text)
    return write(uri, expected, text.replaceAll(';;', ';'))
  }
  const { edit: change } = work.tools
  const results = await work.answer([
    [change, edit('a.ts', 'a', 'first;;')],
    [change, edit('a.ts', 'first;;\nb', 'first;;\nsecond;;')],
  ])
  assert.deepEqual(saves, ['first;;\nsecond;;\nc\n'])
  assert.match(
    results[1] ?? '',
    /\nWhen it was saved, the editor changed it:\n@@ .*\n-first;;\n-second;;\n\+first;\n\+second;\n c$/,
  )
  assert.match(await work.edit('a.ts', 'first;\nsecond;', 'x'), /^Edited/, 'the model has seen the formatted text')
  await work.tools.changes.undo({ conversation: 'c' })
  assert.equal(work.text('a.ts'), 'a\nb\nc\n')
})

test('[A47] what waits for a later call that is declined is saved at the end of the answer', async () => {
  using work = folder({ 'a.ts': 'a\nb\n' })
  await work.read('a.ts')
  const saved: string[] = []
  work.files.save = async uri => saved.push(uri) > 0
  const { edit: change } = work.tools
  const calls = [
    [change, edit('a.ts', 'a', 'x')],
    [change, edit('a.ts', 'b', 'y')],
  ] as const
  await work.answer(calls, { isDenied: input => JSON.stringify(input).includes('"y"') })
  assert.deepEqual(saved, [work.uri('a.ts')])
})

describe('write_file, move_file, delete_file', () => {
  test('a new file with its folders; a whole file only after it was read', async () => {
    using work = folder({ 'a.ts': `${'line\n'.repeat(50)}` })
    const { write } = work.tools
    assert.match(
      await work.call(write, { path: 'x/y/b.ts', text: 'one\ntwo\n' }),
      /^Created x\/y\/b\.ts: 2 lines\. revision/,
    )
    assert.equal(work.text('x/y/b.ts'), 'one\ntwo\n')
    const refused = await work.call(write, { path: 'a.ts', text: 'new\n' })
    assert.match(
      refused,
      /^"a\.ts" was not read in this chat\. It has 50 lines and 250 characters, and begins:\n1\tline\n/,
    )
    assert.match(refused, /\n40\tline\nRead it first, or change a part of it with edit_file\.$/)
    await work.read('a.ts')
    assert.match(await work.call(write, { path: 'a.ts', text: 'new\n' }), /^Edited a\.ts: line 1\./)
    assert.match(await work.call(write, { path: 'a.ts', text: 'new\n' }), /^a\.ts has exactly this text already\.$/)
  })

  test('2.6: a file of which only a part was read is not overwritten until the rest was read too', async () => {
    using work = folder({ 'a.ts': 'one\ntwo\nthree\n' })
    const write = () => work.call(work.tools.write, { path: 'a.ts', text: 'other\n' })
    const read = (from: number, lines: number) => work.call(work.tools.read, { path: 'a.ts', from, lines })
    await read(1, 1)
    assert.match(await write(), /^"a\.ts" was not written, because only a part of it was read\. It has 3 lines/)
    assert.match(await work.edit('a.ts', 'one', 'ONE'), /^Edited/)
    assert.match(await write(), /only a part of it was read/, 'an edit shows no more of it')
    await read(3, 1)
    await work.reload()
    const { write: later, read: again } = work.newTools()
    const text = { path: 'a.ts', text: 'other\n' }
    assert.match(await work.call(later, text), /only a part of it was read/)
    await work.call(again, { path: 'a.ts', from: 1, lines: 2 })
    assert.match(await work.call(later, text), /^Edited a\.ts/)
    assert.match(await work.call(later, { ...text, text: 'once more\n' }), /^Edited a\.ts/, 'it knows what it wrote')
  })

  test('2.6: a file that has changed since is not overwritten, moved or deleted', async () => {
    using work = folder({ 'a.ts': 'a\n' })
    const { write, move, delete: remove } = work.tools
    for (const [tool, input] of [
      [write, { path: 'a.ts', text: 'x' }],
      [move, { from: 'a.ts', to: 'b.ts' }],
      [remove, { path: 'a.ts' }],
    ] as const) {
      work.put('a.ts', 'a\n')
      await work.read('a.ts')
      work.put('a.ts', 'a\nmine\n')
      assert.match(
        await work.call(tool, input),
        /^"a\.ts" has changed since you read it\. The differences are:\n@@.*\n a\n\+mine\nTake that into account/,
      )
      assert.equal(work.text('a.ts'), 'a\nmine\n')
    }
  })

  test('a name that is taken, a file that is not there, a link', async () => {
    using work = folder({ 'a.ts': 'a\n', 'b.ts': 'b\n' })
    symlinkSync(join(work.root, 'a.ts'), join(work.root, 'link.ts'))
    const { move, delete: remove } = work.tools
    await work.read('a.ts')
    assert.match(
      await work.call(move, { from: 'a.ts', to: 'b.ts' }),
      /^"a\.ts" was not moved\. There is a file "b\.ts" already\./,
    )
    assert.match(await work.call(remove, { path: 'c.ts' }), /^There is no file "c\.ts"\. The most similar paths/)
    await work.read('link.ts')
    assert.match(await work.call(remove, { path: 'link.ts' }), /^"link\.ts" was not deleted\. Its path is a link/)
  })

  test('what is undone after all of them is what was there', async () => {
    using work = folder({ 'a.ts': 'a\r\n', 'b.ts': 'b\n' })
    const { write, move, delete: remove, changes } = work.tools
    await work.read('a.ts')
    await work.read('b.ts')
    await work.edit('a.ts', 'a', 'x')
    await work.call(move, { from: 'a.ts', to: 'c/d.ts' })
    await work.call(remove, { path: 'b.ts' })
    await work.call(write, { path: 'new.ts', text: 'n\n' })
    assert.deepEqual(work.list(), ['c/d.ts', 'new.ts'])
    assert.partialDeepStrictEqual(await changes.undo({ conversation: 'c' }), { left: 0, hasFailed: false })
    assert.deepEqual(work.list(), ['a.ts', 'b.ts'])
    assert.deepEqual([work.bytes('a.ts').toString(), work.text('b.ts')], ['a\r\n', 'b\n'])
  })
})

describe('what the user is asked about', () => {
  test('[T50] [T51] [T41] protected files, other places, links, a second name, a schema', async () => {
    using work = folder({ 'package.json': '{}\n', 'data.json': '{}\n', 'a.ts': 'a\n' })
    writeFileSync(join(work.top, 'far.txt'), 'far\n')
    symlinkSync(join(work.top, 'far.txt'), join(work.root, 'near.txt'))
    linkSync(join(work.top, 'far.txt'), join(work.root, 'hard.txt'))
    symlinkSync(join(work.root, 'a.ts'), join(work.root, 'alias.ts'))
    for (const path of ['package.json', 'data.json', 'near.txt', 'hard.txt', 'alias.ts']) await work.read(path)
    assert.equal(await work.edit('package.json', '{}', '{"a":1}'), 'asked: protected')
    assert.equal(await work.edit('data.json', '{}', '{"$schema":"https://x.example/s"}'), 'asked: remote-schema')
    assert.equal(await work.edit('near.txt', 'far', 'x'), 'asked: outside, link, hard-link')
    assert.equal(await work.edit('hard.txt', 'far', 'x'), 'asked: hard-link')
    assert.equal(await work.edit('alias.ts', 'a', 'x'), 'asked: link')
    assert.equal(await work.call(work.tools.write, { path: '.github/workflows/x.yml', text: 'a' }), 'asked: protected')
    assert.equal(
      await work.call(work.tools.move, { from: 'data.json', to: '.vscode/settings.json' }),
      'asked: protected',
    )
    assert.equal(work.text('package.json'), '{}\n')
    assert.match(await work.edit('package.json', '{}', '{"a":1}', { isApproved: true }), /^Edited package\.json/)
    assert.match(await work.edit('alias.ts', 'a', 'x', { isApproved: true }), /^Edited alias\.ts/)
    assert.equal(work.text('a.ts'), 'x\n', 'the link is one still')
  })

  test('[T45] a secret file that the model was not shown is neither edited nor shown in a refusal', async () => {
    using work = folder({ '.env': 'TOKEN=canary\n' })
    for (const answer of [
      await work.edit('.env', 'TOKEN=canarz', 'x'),
      await work.edit('.env', 'TOKEN=canary', 'TOKEN=x'),
      await work.call(work.tools.write, { path: '.env', text: 'x' }),
      await work.call(work.tools.delete, { path: '.env' }),
    ]) {
      assert.doesNotMatch(answer, /canary/)
      assert.match(answer, /^"\.env" was not read in this chat\./)
    }
    await work.read('.env')
    assert.equal(await work.edit('.env', 'TOKEN=canary', 'TOKEN=x'), 'asked: protected, secret')
  })

  test('[T45] what a secret file has become since the user allowed to read it is not shown either', async () => {
    using work = folder({ '.env': 'TOKEN=old\n' })
    await work.read('.env')
    work.put('.env', 'TOKEN=canary\n')
    for (const answer of [
      await work.edit('.env', 'TOKEN=old', 'x', { isApproved: true }),
      await work.edit('.env', 'TOKEN=canary', 'x', { isApproved: true }),
      await work.call(work.tools.write, { path: '.env', text: 'x' }, { isApproved: true }),
    ])
      assert.match(answer, /^"\.env" has changed since it was read in this chat\. The user is asked/)
    assert.equal(work.text('.env'), 'TOKEN=canary\n')
  })

  test('[T45] a file that git ignores is neither edited nor shown in a refusal before the user was asked', async () => {
    using work = folder({ 'local/a.txt': 'TOKEN=canary\n' }, { ignored: ['local/a.txt'] })
    for (const answer of [
      await work.edit('local/a.txt', 'TOKEN=canarz', 'x'),
      await work.edit('local/a.txt', 'TOKEN=canary', 'TOKEN=x'),
      await work.call(work.tools.write, { path: 'local/a.txt', text: 'x' }),
      await work.call(work.tools.delete, { path: 'local/a.txt' }),
      await work.call(work.tools.move, { from: 'local/a.txt', to: 'a.txt' }),
    ]) {
      assert.doesNotMatch(answer, /canary/)
      assert.match(answer, /^"local\/a\.txt" was not read in this chat\./)
    }
  })

  test('a read-only file is refused before anything else, and a file that git ignores is edited with a note', async () => {
    using work = folder({ 'dist/a.js': 'a\n' }, { ignored: ['dist/a.js'] })
    work.put('b.ts', 'b\n', 0o444)
    await work.read('b.ts')
    assert.match(await work.edit('b.ts', 'b', 'c'), /^"b\.ts" is read-only\./)
    await work.read('dist/a.js')
    assert.match(await work.edit('dist/a.js', 'a', 'b'), /\nGit ignores this file\.$/)
  })
})

/** What the question about the call can show in a diff. */
async function proposed(tool: Tool, input: ToolInput) {
  const context = { conversation: 'c', turn: 't', answer: 'a', part: `p-${input['path']}` }
  const prepared = await tool.prepare?.(input, context, never)
  return prepared?.is === 'ready' ? prepared.proposed : undefined
}

describe('the diff that the user can open before a change is allowed', () => {
  test('[A68] has the whole text of the file, however long, and none for a file that is deleted', async () => {
    const lines = Array.from({ length: 900 }, (_, at) => `line ${at}\n`).join('')
    using work = folder({ 'a.ts': lines, 'b.ts': 'b\n' })
    for (const path of ['a.ts', 'b.ts']) await work.read(path)
    const { write, edit: change, delete: remove } = work.tools
    const text = lines.replaceAll('line', 'other')
    assert.deepEqual(await proposed(write, { path: 'a.ts', text }), { uri: work.uri('a.ts'), text })
    assert.deepEqual(await proposed(change, edit('a.ts', 'other 7\n', '7\n')), {
      uri: work.uri('a.ts'),
      text: text.replace('other 7\n', '7\n'),
    })
    assert.deepEqual(await proposed(remove, { path: 'b.ts' }), { uri: work.uri('b.ts'), text: '' })
  })
})

describe('a notebook', () => {
  const cells = [
    {
      cell_type: 'code',
      execution_count: 1,
      id: 'a1',
      metadata: {},
      outputs: [{ output_type: 'stream', text: '2\n' }],
      source: ['x = 1\n', 'print(x + x)'],
    },
  ]
  const file = JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }, null, 1)

  test('is read as its cells with what they printed, and edited in them; outputs stay', async () => {
    using work = folder({ 'a.ipynb': file })
    const shown = await work.read('a.ipynb')
    assert.match(shown, /^a\.ipynb, lines 1 to 3 of 3, revision/)
    assert.match(shown, /\n1\t%% cell 1 code id=a1\n2\tx = 1\n3\tprint\(x \+ x\)\nOutput of cell 1:\n2$/)
    assert.match(await work.edit('a.ipynb', 'x = 1', 'x = 3'), /^Edited a\.ipynb: line 2\./)
    assert.equal(work.text('a.ipynb'), file.replace('x = 1', 'x = 3'))
  })

  test('is shown as the text of its cells on both sides of the diff', async () => {
    using work = folder({ 'a.ipynb': file })
    await work.read('a.ipynb')
    const { before = '', text = '' } = (await proposed(work.tools.edit, edit('a.ipynb', 'x = 1', 'x = 2'))) ?? {}
    assert.equal(before.replace('x = 1', 'x = 2'), text)
    assert.match(text, /^%% cell 1 /)
  })

  test('takes no edit over the line that names a cell, and says what it takes', async () => {
    using work = folder({ 'a.ipynb': file })
    await work.read('a.ipynb')
    const refused = await work.edit('a.ipynb', '%% cell 1 code id=a1', '%% cell 1 markdown')
    assert.match(refused, /^"a\.ipynb" was not changed, because cell 1 is a code cell.*a line "%% cell code"/)
    assert.equal(work.text('a.ipynb'), file)
  })

  test('is made from cells, and one that is there is rewritten without its outputs being lost', async () => {
    using work = folder({ 'a.ipynb': file })
    await work.call(work.tools.write, { path: 'new.ipynb', text: '%% cell markdown\n# Title\n' })
    assert.match(await work.read('new.ipynb'), /1\t%% cell 1 markdown id=[0-9a-f]{8}\n2\t# Title$/)
    await work.read('a.ipynb')
    await work.call(work.tools.write, { path: 'a.ipynb', text: '%% cell 1 code id=a1\nx = 2\n' })
    assert.deepEqual(JSON.parse(work.text('a.ipynb') ?? '').cells[0], { ...cells[0], source: ['x = 2'] })
  })
})
