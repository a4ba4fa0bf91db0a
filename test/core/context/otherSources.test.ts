// Symbols, open editors, problems and terminals as context, and all sources together.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Resolved, Suggestion } from '../../../src/core/context/contextSources.ts'
import { matching } from '../../../src/core/context/matching.ts'
import { merged } from '../../../src/core/context/mergedSuggestions.ts'
import { openEditorsSource } from '../../../src/core/context/openEditorsSource.ts'
import { problemsSource } from '../../../src/core/context/problemsSource.ts'
import { type FoundSymbol, type Symbols, symbolSource } from '../../../src/core/context/symbolSource.ts'
import { plainTerminalText, terminalSource } from '../../../src/core/context/terminalSource.ts'
import type { Problem, Problems } from '../../../src/core/workspace/problems.ts'
import { contextNames } from '../../support/contextNames.ts'
import { MemoryFiles } from '../../support/memoryFiles.ts'

const { signal } = new AbortController()
const isConfirmed = false
const uriOf = (path: string) => `file:///work/${path}`
const at = (startLine: number, endLine = startLine, endCharacter = 5) => ({
  startLine,
  startCharacter: 0,
  endLine,
  endCharacter,
})

const textsOf = (resolved: Resolved) =>
  resolved.is === 'ready' ? resolved.parts.map(({ name, text }) => [name, text]) : resolved

async function yields(suggestions: AsyncIterable<readonly Suggestion[]>): Promise<string[][]> {
  const all: string[][] = []
  for await (const some of suggestions) all.push(some.map(({ label }) => label))
  return all
}

describe('symbols', () => {
  const open: FoundSymbol[] = [{ name: 'parseText', uri: uriOf('a.ts'), range: at(1, 3) }]
  const symbols: Symbols = {
    ofOpenFiles: async () => open,
    ofWorkspace: async () => [
      { name: 'parseTree', uri: uriOf('b.ts'), range: at(9) },
      { name: 'parseText', uri: uriOf('a.ts'), range: at(1) },
    ],
    wholeRange: async () => at(1, 2, 1),
  }
  const files = new MemoryFiles({ 'a.ts': 'zero\nfunction parseText() {\n}\nthree\n', '.env': 'A=1\n' })

  test('are those of open files first, then of the workspace, each once', async () => {
    const source = symbolSource(files.access, symbols)
    assert.deepEqual(await yields(source.suggest({ text: 'pt', limit: 5 }, signal)), [
      ['parseText'],
      ['parseText', 'parseTree'],
    ])
    assert.deepEqual(await yields(source.suggest({ text: '', limit: 5 }, signal)), [['parseText']])
  })

  test('are attached whole, named by file and symbol', async () => {
    const reference = { source: 'symbol', uri: uriOf('a.ts'), name: 'parseText', range: at(1) } as const
    const resolved = await symbolSource(files.access, symbols).resolve(reference, { isConfirmed }, signal)
    assert.deepEqual(textsOf(resolved), [['a.ts#parseText', 'function parseText() {\n}']])
  })

  test('[T45] of a secret file are asked about before a language is', async () => {
    const never: Symbols = { ...symbols, wholeRange: () => assert.fail('the file would be opened') }
    const reference = { source: 'symbol', uri: uriOf('.env'), name: 'A', range: at(0) } as const
    const asked = await symbolSource(files.access, never).resolve(reference, { isConfirmed }, signal)
    assert.equal(asked.is === 'ask' && asked.why, 'secret')
  })
})

describe('open editors', () => {
  test('are all open files but secret ones, also from outside of the workspace', async () => {
    const files = new MemoryFiles({
      'a.ts': { text: 'a', isOpen: true },
      '/home/me/notes.txt': { text: 'n', isOpen: true },
      '.env': { text: 'A=1', isOpen: true },
    })
    const open = [...files.all.keys()].map(uri => ({ uri, path: files.pathOf(uri) }))
    const source = openEditorsSource(files.access, () => open, contextNames)
    const resolved = await source.resolve({ source: 'open-editors' }, { isConfirmed }, signal)
    assert.deepEqual(textsOf(resolved), [
      ['a.ts', 'a'],
      ['notes.txt', 'n'],
    ])
    assert.deepEqual(resolved.is === 'ready' && resolved.omitted, [{ why: 'secret', count: 1, names: ['.env'] }])
  })

  test('are not suggested where none are open', async () => {
    const source = openEditorsSource(new MemoryFiles({}).access, () => [], contextNames)
    assert.deepEqual(await yields(source.suggest({ text: '', limit: 5 }, signal)), [])
  })
})

describe('problems', () => {
  const problem = (path: string, more: Partial<Problem> = {}): Problem => ({
    uri: uriOf(path),
    path,
    range: at(11),
    severity: 'warning',
    message: 'Unused.',
    ...more,
  })
  const all: Problem[] = [
    problem('b.ts'),
    problem('a.ts', { severity: 'error', message: "Cannot find\n'x'.", source: 'ts', code: '2304' }),
    problem('.env', { message: 'canary' }),
  ]
  const problems: Problems = {
    of: uri => all.filter(one => uri === undefined || one.uri === uri),
    activeFile: uriOf('b.ts'),
  }
  const source = problemsSource(new MemoryFiles({}).access, problems, contextNames)

  test('[T45] are one line each, errors first, without those of secret files', async () => {
    const resolved = await source.resolve({ source: 'problems' }, { isConfirmed }, signal)
    assert.deepEqual(textsOf(resolved), [
      ['Problems', "a.ts:12:1 error ts(2304): Cannot find\n  'x'.\nb.ts:12:1 warning: Unused."],
    ])
    assert.deepEqual(resolved.is === 'ready' && resolved.omitted, [{ why: 'secret', count: 1, names: ['.env'] }])
  })

  test('can be those of one file, or one of them', async () => {
    const ofFile = await source.resolve({ source: 'problems', uri: uriOf('b.ts') }, { isConfirmed }, signal)
    assert.deepEqual(textsOf(ofFile), [['b.ts', 'b.ts:12:1 warning: Unused.']])
    const one = {
      source: 'problems',
      uri: uriOf('b.ts'),
      problem: { range: at(11), message: 'Fixed meanwhile.' },
    } as const
    assert.equal((await source.resolve(one, { isConfirmed }, signal)).is, 'unavailable')
  })

  test('are suggested for the active file, for all, and one by one below these once something is typed', async () => {
    assert.deepEqual(await yields(source.suggest({ text: '', limit: 9 }, signal)), [['Problems', 'Problems']])
    assert.deepEqual(await yields(source.suggest({ text: 'find', limit: 9 }, signal)), [["Cannot find 'x'."]])
    const [some = []] = await yields(source.suggest({ text: 'prob', limit: 3 }, signal))
    assert.deepEqual(some, ['Problems', 'Problems', "Cannot find 'x'."])
  })
})

describe('a terminal', () => {
  test('has its text without colours, titles and what was written over', () => {
    const esc = '\u001b'
    const text = `${esc}]633;C\u0007${esc}[1;31mError${esc}[0m: a\r\n 10%\r 50%\r100%\r\n${esc}]8;;http://x${esc}\\link${esc}]8;;${esc}\\\u0000\r\n`
    assert.equal(plainTerminalText(text), 'Error: a\n100%\nlink\n')
  })

  test('is attached with the command that wrote it, and its end where it is long', async () => {
    const source = terminalSource(new MemoryFiles({}).access, () => [], contextNames)
    const text = `begin\n${'x\n'.repeat(100_000)}the end`
    const resolved = await source.resolve({ source: 'terminal', text, name: 'npm test' }, { isConfirmed }, signal)
    const [part] = resolved.is === 'ready' ? resolved.parts : []
    assert.equal(part?.name, 'npm test')
    assert.ok(part?.text?.endsWith('the end') && !part.text.includes('begin'))
    assert.deepEqual(resolved.is === 'ready' && resolved.omitted.map(({ why }) => why), ['budget'])
  })
})

test('the last command of each terminal is suggested, by the word for terminals or by its own', async () => {
  const command = (name: string, isRunning: boolean) => ({
    reference: { source: 'terminal', text: 'output', name } as const,
    isRunning,
  })
  const commands = [command('npm run dev', true), command('make', false)]
  const source = terminalSource(new MemoryFiles({}).access, () => commands, contextNames)
  const details = async (text: string) => {
    const found: string[] = []
    for await (const some of source.suggest({ text, limit: 9 }, signal)) found.push(...some.map(({ detail }) => detail))
    return found
  }
  assert.deepEqual(await details('term'), ['npm run dev, still running', 'make'])
  assert.deepEqual(await details('run d'), ['npm run dev, still running'])
  assert.deepEqual(await details('cargo'), [])
})

describe('all sources together', () => {
  const suggestion = (label: string, icon: Suggestion['icon'] = 'file'): Suggestion => ({
    reference: { source: 'file', uri: label },
    label,
    detail: '',
    icon,
    labelMatches: [],
    detailMatches: [],
  })
  const of = (...labels: readonly string[]) =>
    async function* () {
      yield labels.map(label => suggestion(label))
    }

  test('have their share of the list, in the order of the sources', async () => {
    const lists = await yields(merged([of('a', 'b', 'c', 'd'), of('e'), of('f', 'g')], { text: '', limit: 5 }, signal))
    assert.deepEqual(lists.at(-1), ['a', 'b', 'e', 'f', 'g'])
  })

  test('begin with those that begin with the text, from whichever source', async () => {
    const sources = [of('cenTs_pER_kilograM', 'terms.ts'), of('Terminal'), of('Staged')]
    const lists = await yields(merged(sources, { text: 'term', limit: 5 }, signal))
    assert.deepEqual(lists.at(-1), ['terms.ts', 'Terminal', 'cenTs_pER_kilograM', 'Staged'])
  })

  test('begin, where nothing was typed, with a few files and what is no file, and end with hidden files', async () => {
    const other = (icon: Suggestion['icon']) =>
      async function* () {
        yield [suggestion(icon, icon)]
      }
    const files = of('.env', '1', '2', '3', '4', '5', '6')
    const sources = [other('selection'), files, other('folder'), other('terminal'), other('commit')]
    const lists = await yields(merged(sources, { text: '', limit: 20 }, signal))
    assert.equal(lists.at(-1)?.join(' '), 'selection 1 2 3 4 5 terminal 6 folder commit .env')
  })

  test('begin with what is no file where one of its words is typed, before files and symbols of that name', async () => {
    const named = async function* () {
      const reference = { source: 'repository' } as const
      yield matching(
        [{ reference, label: 'Gesamtes Repository', detail: '', icon: 'repository', words: ['codebase'] }],
        { text: 'code', limit: 9 },
      )
    }
    const sources = [of('code.ts'), of('codePoint'), named]
    const lists = await yields(merged(sources, { text: 'code', limit: 9 }, signal))
    assert.deepEqual(lists.at(-1), ['Gesamtes Repository', 'code.ts', 'codePoint'])
    assert.deepEqual(matching([{ ...suggestion('Terminal'), words: ['shell'] }], { text: 's', limit: 9 }), [])
  })

  test('one that fails or has nothing does not keep the others back', async () => {
    const failing = () => {
      throw new Error('no')
    }
    const failsLater = async function* (): AsyncIterable<readonly Suggestion[]> {
      yield [suggestion('x')]
      throw new Error('no')
    }
    const lists = await yields(merged([failing, failsLater, of('a')], { text: '', limit: 5 }, signal))
    assert.deepEqual(lists.at(-1), ['x', 'a'])
  })

  test('one that never answers is left as soon as nobody reads any more', async () => {
    const stopped: boolean[] = []
    const waiting = async function* (inner: AbortSignal): AsyncIterable<readonly Suggestion[]> {
      yield [suggestion('first')]
      await new Promise<void>(resolve => inner.addEventListener('abort', () => resolve()))
      stopped.push(true)
    }
    for await (const _ of merged([waiting], { text: '', limit: 5 }, signal)) break
    await Promise.resolve()
    assert.deepEqual(stopped, [true])
  })
})
