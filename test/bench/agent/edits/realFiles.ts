// Real source files in many languages, from the fixtures of this repository and from the packages that it uses.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileLanguage } from '../../../../src/core/context/fileLanguage.ts'
import { randomFrom } from '../../../support/random.ts'

export interface RealFile {
  readonly name: string
  readonly language: string
  readonly text: string
}

const root = join(import.meta.dirname, '../../../..')
const languages = [
  ...[
    'typescript',
    'javascript',
    'tsx',
    'css',
    'json',
    'python',
    'rust',
    'go',
    'java',
    'cs',
    'c',
    'sql',
    'html',
    'yaml',
  ],
  ...['bash', 'markdown'],
]
/** Of one language. */
const MOST_FILES = 40

/** The same files every time, as long as the packages are. */
export function realFiles(): readonly RealFile[] {
  const fixtures = filesBelow(join(root, 'test/bench/typing/sources')).map(path =>
    fileOf(path, path.replace(/\.txt$/, '')),
  )
  const others = ['src', 'node_modules'].flatMap(folder =>
    filesBelow(join(root, folder)).map(path => fileOf(path, path)),
  )
  const random = randomFrom(7)
  const shuffled = others
    .map(file => ({ file, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ file }) => file)
  return languages.flatMap(language =>
    [...fixtures, ...shuffled]
      .filter(file => file.language === language)
      .slice(0, MOST_FILES)
      .map(file => ({
        ...file,
        text: readFileSync(file.path, 'utf8')
          .replace(/^\ufeff/, '')
          .replaceAll(/\r\n?/g, '\n'),
      }))
      .filter(({ text }) => text.split('\n').length >= 20 && !text.split('\n').some(line => line.length > 1_000)),
  )
}

const fileOf = (path: string, name: string) => ({
  path,
  name: name.slice(root.length + 1),
  language: fileLanguage(name),
})

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(path => {
      const { size } = statSync(path)
      return size > 500 && size < 150_000
    })
    .sort()
}
