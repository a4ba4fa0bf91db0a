// 120 scripted sequences of edits in 12 languages, half of them without an edit that follows; and a name with ten uses.
import type { Problem } from '../../../src/core/nextEdit/languageServer.ts'
import { settled } from '../../support/fakeClock.ts'
import { a, NextEditHarness } from './nextEditHarness.ts'

export interface SequenceResults {
  readonly count: number
  /** Where an edit follows, and another or none was shown. */
  readonly missed: readonly string[]
  /** Where none follows, and one was shown. */
  readonly wrong: readonly string[]
}

interface Language {
  readonly name: string
  readonly variable: (name: string, value: string) => string
  readonly head: (name: string, parameters: string) => string
  readonly end: string
  readonly call: (name: string, inside: string) => string
  readonly comment: string
  readonly import: string
}

const plainCall = (end: string) => (name: string, inside: string) => `${name}(${inside})${end}`

const languages: readonly Language[] = [
  {
    name: 'TypeScript',
    variable: (n, v) => `const ${n} = ${v}`,
    head: (n, p) => `function ${n}(${p}) {`,
    end: '}',
    call: plainCall(''),
    comment: '//',
    import: "import { read } from 'a'",
  },
  {
    name: 'JavaScript',
    variable: (n, v) => `let ${n} = ${v};`,
    head: (n, p) => `function ${n}(${p}) {`,
    end: '}',
    call: plainCall(';'),
    comment: '//',
    import: "const { read } = require('a')",
  },
  {
    name: 'Python',
    variable: (n, v) => `${n} = ${v}`,
    head: (n, p) => `def ${n}(${p}):`,
    end: '    pass',
    call: plainCall(''),
    comment: '#',
    import: 'from a import read',
  },
  {
    name: 'Go',
    variable: (n, v) => `${n} := ${v}`,
    head: (n, p) => `func ${n}(${p}) {`,
    end: '}',
    call: plainCall(''),
    comment: '//',
    import: 'import "read"',
  },
  {
    name: 'Rust',
    variable: (n, v) => `let ${n} = ${v};`,
    head: (n, p) => `fn ${n}(${p}) {`,
    end: '}',
    call: plainCall(';'),
    comment: '//',
    import: 'use a::read;',
  },
  {
    name: 'Java',
    variable: (n, v) => `int ${n} = ${v};`,
    head: (n, p) => `static int ${n}(${p}) {`,
    end: '}',
    call: plainCall(';'),
    comment: '//',
    import: 'import a.read;',
  },
  {
    name: 'C#',
    variable: (n, v) => `var ${n} = ${v};`,
    head: (n, p) => `static int ${n}(${p}) {`,
    end: '}',
    call: plainCall(';'),
    comment: '//',
    import: 'using A;',
  },
  {
    name: 'C',
    variable: (n, v) => `int ${n} = ${v};`,
    head: (n, p) => `int ${n}(${p}) {`,
    end: '}',
    call: plainCall(';'),
    comment: '//',
    import: '#include "read.h"',
  },
  {
    name: 'Ruby',
    variable: (n, v) => `${n} = ${v}`,
    head: (n, p) => `def ${n}(${p})`,
    end: 'end',
    call: plainCall(''),
    comment: '#',
    import: "require 'read'",
  },
  {
    name: 'PHP',
    variable: (n, v) => `$${n} = ${v};`,
    head: (n, p) => `function ${n}(${p}) {`,
    end: '}',
    call: plainCall(';'),
    comment: '//',
    import: 'use a\\read;',
  },
  {
    name: 'Kotlin',
    variable: (n, v) => `val ${n} = ${v}`,
    head: (n, p) => `fun ${n}(${p}) {`,
    end: '}',
    call: plainCall(''),
    comment: '//',
    import: 'import a.read',
  },
  {
    name: 'Swift',
    variable: (n, v) => `let ${n} = ${v}`,
    head: (n, p) => `func ${n}(${p}) {`,
    end: '}',
    call: plainCall(''),
    comment: '//',
    import: 'import Read',
  },
]

interface Sequence {
  readonly name: string
  /** Documents one after the other, with the cursor at `|`. */
  readonly steps: readonly string[]
  /** What the hint makes of the last; undefined where there must be none. */
  readonly expected: string | undefined
  /** What a model would answer, eager to change something. */
  readonly search?: string
  readonly replace?: string
  readonly problem?: string
}

const text = (...lines: string[]) => `${lines.join('\n')}\n`

function sequencesOf({ variable, head, end, call, comment, import: importing }: Language): readonly Sequence[] {
  const declared = (name: string, value = '1') => variable(name, value)
  const uses = (name: string) => [call('add', name), call('show', `${name}, 2`)]
  const program = (...changed: string[]) => text(...changed, '', head('main', ''), end)
  const begun = (name: string, value = '1') => program(declared(name, value), ...uses('count'))
  const at = (marked: string, word: string) => marked.replace(word, `${word}|`)
  const others = { search: call('show', 'count, 2'), replace: call('show', 'other, 2') }
  const signature = (parameters: string) => program(head('join', parameters), end, '', call('join', 'first'))
  const puts = (...names: string[]) => program(...names.map((name, place) => call(name, `key${place}, 1`)))
  return [
    {
      name: 'a name at its declaration',
      steps: [at(begun('count'), 'count'), at(begun('counter'), 'counter')],
      expected: program(declared('counter'), call('add', 'counter'), call('show', 'count, 2')),
    },
    {
      name: 'a name at a use',
      steps: [program(declared('count'), call('add', 'count|')), program(declared('count'), call('add', 'total|'))],
      expected: program(declared('total'), call('add', 'total')),
    },
    {
      name: 'a missing import',
      steps: [`${begun('count')}|`, `${begun('count')}${call('read', '')}|`],
      expected: `${importing}\n${begun('count')}${call('read', '')}`,
      problem: 'read is unknown',
    },
    {
      name: 'another parameter',
      steps: [at(signature('first'), 'join('), signature('first, second').replace('second', 'second|')],
      expected: signature('first, second').replace(call('join', 'first'), call('join', 'first, 2')),
      search: call('join', 'first'),
      replace: call('join', 'first, 2'),
    },
    {
      name: 'a repeated change',
      steps: [
        at(puts('put', 'put', 'put'), 'put'),
        at(puts('store', 'put', 'put'), 'store'),
        puts('store', 'store', 'put').replace('key1', 'key1|'),
      ],
      expected: puts('store', 'store', 'store'),
      search: call('put', 'key2, 1'),
      replace: call('store', 'key2, 1'),
    },
    {
      name: 'a number',
      steps: [at(begun('count'), '1'), at(begun('count', '12'), '12')],
      expected: undefined,
      ...others,
    },
    {
      name: 'a new line',
      steps: [`${begun('count')}|`, `${begun('count')}${call('log', 'count')}|`],
      expected: undefined,
      ...others,
    },
    {
      name: 'a comment',
      steps: [`${comment} one thing|\n${begun('count')}`, `${comment} one other thing|\n${begun('count')}`],
      expected: undefined,
      ...others,
    },
    {
      name: 'another variable',
      steps: [
        program(declared('count'), declared('other'), call('add', 'count|'), call('show', 'count, 2')),
        program(declared('count'), declared('other'), call('add', 'other|'), call('show', 'count, 2')),
      ],
      expected: undefined,
      ...others,
    },
    {
      name: 'another argument',
      steps: [program(call('add', '1|'), call('add', '2')), program(call('add', '13|'), call('add', '2'))],
      expected: undefined,
      search: call('add', '2'),
      replace: call('add', '3'),
    },
  ]
}

async function hintOf(
  { steps, problem, search, replace = '' }: Sequence,
  language: Language,
): Promise<string | undefined> {
  const harness = new NextEditHarness('count', 'total', 'counter')
  harness.language = language.name.toLowerCase()
  harness.answer = document => {
    const start = search === undefined ? -1 : document.indexOf(search)
    return start < 0 || search === undefined ? undefined : { start, end: start + search.length, text: replace }
  }
  harness.fix = () => ({ replacements: [{ start: 0, end: 0, text: `${language.import}\n` }] })
  let result: string | undefined
  for (const step of steps) result = await harness.type(step)
  if (problem === undefined) return result
  const line = (steps.at(-1) ?? '').split('\n').length - 1
  const range: Problem['range'] = { startLine: line, startCharacter: 0, endLine: line, endCharacter: 4 }
  harness.edits.updateProblems(a, [{ range, message: problem }])
  await harness.quiet()
  return harness.result
}

export async function runSequences(): Promise<SequenceResults> {
  const missed: string[] = []
  const wrong: string[] = []
  let count = 0
  for (const language of languages) {
    for (const sequence of sequencesOf(language)) {
      count++
      const result = await hintOf(sequence, language)
      if (result === sequence.expected) continue
      const list = sequence.expected === undefined ? wrong : missed
      list.push(`${language.name}: ${sequence.name}`)
    }
  }
  return { count, missed, wrong }
}

export interface RenameResult {
  /** From the last key to the first hint. */
  readonly firstHintMs: number
  /** How often Tab has made a change. */
  readonly changes: number
  /** What is left at the end. */
  readonly text: string
  readonly requests: number
}

/** The user writes another name at the declaration, and takes each hint. */
export async function renameTenUses(): Promise<RenameResult> {
  const program = (declared: string, used: string) =>
    `const ${declared} = 1\n${Array.from({ length: 10 }, (_, at) => `add(${used}, ${at})\n`).join('')}`
  const harness = new NextEditHarness('count')
  await harness.type(program('count|', 'count'))
  for (const name of ['coun|', 'cou|', 'co|', 'c|', '|', 't|', 'to|', 'tot|', 'tota|']) {
    harness.edits.follow(harness.followed.change(program(name, 'count')), [])
    await harness.clock.advance(120)
  }
  harness.edits.follow(harness.followed.change(program('total|', 'count')), [])
  const typedAt = harness.clock.elapsed()
  while (!harness.edits.hint && harness.clock.elapsed() - typedAt < 5_000) {
    await harness.clock.advance(10)
    await settled()
  }
  const firstHintMs = harness.clock.elapsed() - typedAt
  let changes = 0
  for (; harness.edits.hint && changes < 20; changes++) await harness.apply()
  const text = harness.followed.documents.get(a)?.text ?? ''
  return { firstHintMs, changes, text, requests: harness.questions.length }
}
