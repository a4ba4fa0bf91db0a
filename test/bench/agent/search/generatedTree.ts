// `generatedTree`: a folder with 100,000 made-up files of code and text, the same each time; it is made once.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomFrom } from '../../../support/random.ts'
import { runGit } from '../../../support/temporaryRepository.ts'

const FILES = 100_000
const FILES_PER_FOLDER = 12

const syllables = 'ba re ti mo lu ka sen dor vi pra quo xi nel tem fas gor hin jul yor zet'.split(' ')
/** Words of German, Greek and Japanese beside those of code. */
const foreign = ['größe', 'überprüfen', 'λόγος', '検索', 'naïve', '😀']
const kinds = ['ts', 'ts', 'ts', 'py', 'js', 'java', 'md', 'json', 'css', 'txt']

export interface GeneratedTree {
  readonly path: string
  /** From the most frequent to the rarest. */
  readonly words: readonly string[]
}

export function generatedTree(): GeneratedTree {
  const path = join(tmpdir(), `agent-bench-tree-${FILES}`)
  const words = vocabulary(randomFrom(1))
  if (!existsSync(join(path, 'complete'))) write(path, words)
  return { path, words }
}

/** Each word with its rank as frequency. */
function vocabulary(random: () => number): string[] {
  const found = new Set<string>()
  while (found.size < 8_000) {
    const count = 2 + Math.floor(random() * 3)
    const parts = Array.from({ length: count }, () => syllables[Math.floor(random() * syllables.length)] ?? '')
    const [first = '', ...rest] = parts
    const isCamel = random() < 0.5
    found.add(isCamel ? first + rest.map(one => one.charAt(0).toUpperCase() + one.slice(1)).join('') : parts.join('_'))
  }
  return [...found]
}

function write(path: string, words: readonly string[]): void {
  const random = randomFrom(2)
  mkdirSync(path, { recursive: true })
  runGit(path, 'init', '--quiet')
  writeFileSync(join(path, '.gitignore'), 'out/\n*.log\n!keep.log\n/top-only\nnested/**/gen\n')
  const folders: string[] = ['']
  for (let at = 0; at < FILES; at++) {
    if (at % FILES_PER_FOLDER === 0) folders.push(newFolder(path, folders, random))
    const folder = folders.at(-1) ?? ''
    const kind = kinds[Math.floor(random() * kinds.length)]
    const name = random() < 0.01 ? `${at}.log` : `${words[Math.floor(random() * words.length)]}${at}.${kind}`
    writeFileSync(join(path, folder, name), content(words, random))
  }
  writeFileSync(join(path, 'complete'), '')
}

function newFolder(path: string, folders: readonly string[], random: () => number): string {
  const parents = folders.filter(folder => folder.split('/').length < 7)
  const parent = parents[Math.floor(parents.length * random() ** 2)] ?? ''
  const odd = ['out', 'gen', 'keep.log', 'top-only', 'nested', '.hidden']
  const name = random() < 0.02 ? (odd[Math.floor(random() * odd.length)] ?? 'x') : `f${folders.length}`
  const folder = join(parent, name)
  mkdirSync(join(path, folder), { recursive: true })
  if (random() < 0.01) writeFileSync(join(path, folder, '.gitignore'), '*.css\n!keep.css\n/f1*\n# nothing\n')
  return folder
}

function content(words: readonly string[], random: () => number): string | Uint8Array {
  if (random() < 0.01) return Uint8Array.from({ length: 4_000 }, (_, at) => (at % 7 === 0 ? 0 : 65 + (at % 26)))
  // A few words are in most lines, as in real code, and most are rare.
  const word = () => words[Math.floor(words.length * random() ** 4)] ?? ''
  const lineEnd = random() < 0.05 ? '\r\n' : '\n'
  const lines: string[] = []
  const count = Math.floor(20 + 260 * random() ** 1.5)
  for (let at = 0; at < count; at++) lines.push(line(word, random))
  if (random() < 0.005) lines.push(Array.from({ length: 600 }, word).join(';'))
  const mark = random() < 0.01 ? '\ufeff' : ''
  return mark + lines.join(lineEnd) + (random() < 0.95 ? lineEnd : '')
}

function line(word: () => string, random: () => number): string {
  const indent = '  '.repeat(Math.floor(random() * 4))
  const kind = random()
  if (kind < 0.1) return ''
  if (kind < 0.12) return `${indent}// ${word()} ${foreign[Math.floor(random() * foreign.length)]} ${word()}`
  if (kind < 0.2) return `import { ${word()}, ${word()} } from './${word()}.ts'`
  if (kind < 0.3)
    return `${indent}export function ${word()}(${word()}: ${word()}, ${word()} = ${Math.floor(random() * 5_000)}) {`
  if (kind < 0.4) return `${indent}if (${word()} !== ${word()}) throw new ${word()}Error("${word()} ${word()}")`
  if (kind < 0.5) return `${indent}}`
  return `${indent}const ${word()} = ${word()}.${word()}(${word()}, [${Math.floor(random() * 99_999)}])`
}
