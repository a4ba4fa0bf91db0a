// `ripgrep`, `gitGrep`: the same search by the programs that others use, and what they find.
import { spawn, spawnSync } from 'node:child_process'
import type { BenchPattern } from './patterns.ts'

/** `path:line:text` of each line. */
export interface OtherSearch {
  readonly lines: readonly string[]
  readonly ms: number
}

const ripgrepFlags = [
  '--hidden',
  '--no-heading',
  '--line-number',
  '--null',
  '--crlf',
  '--no-require-git',
  '--no-messages',
]
const sameFiles = ['--glob=!.git', '--no-ignore-global', '--no-ignore-dot', '--max-filesize=5M', '--no-config']

export const hasRipgrep = () => spawnSync('rg', ['--version']).status === 0

/** `path`: a folder below it. */
export function ripgrep(folder: string, { pattern, isLiteral }: BenchPattern, path = '.'): Promise<OtherSearch> {
  // Classes such as \w are those of ASCII in JavaScript.
  const kind = isLiteral ? ['--fixed-strings'] : [...(/\\[wWdDbBsS]/.test(pattern) ? ['--no-unicode'] : [])]
  return search('rg', [...ripgrepFlags, ...sameFiles, ...kind, '--regexp', pattern, path], folder, /^\.\//)
}

/** Undefined for a pattern that its syntax does not have. */
export function gitGrep(folder: string, { pattern, isLiteral }: BenchPattern): Promise<OtherSearch> | undefined {
  if (!isLiteral && /\\[dDsSWwb]|\(\?/.test(pattern)) return undefined
  const kind = isLiteral ? '--fixed-strings' : '--extended-regexp'
  return search('git', ['grep', '--untracked', '-n', '-I', '--null', kind, '-e', pattern], folder, /^/)
}

function search(program: string, args: readonly string[], cwd: string, lead: RegExp): Promise<OtherSearch> {
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
    const chunks: Buffer[] = []
    child.stdout.on('data', chunk => chunks.push(chunk))
    child.on('error', reject)
    child.on('close', () => {
      const ms = performance.now() - start
      const rows = Buffer.concat(chunks)
        .toString('utf8')
        .split('\n')
        .filter(row => row !== '')
      resolve({ ms, lines: rows.map(row => lineOf(row, lead)) })
    })
  })
}

/** `path`, a NUL, the line's number, then a colon or, by git, another NUL, then the text. */
function lineOf(row: string, lead: RegExp): string {
  const [, path = '', line = '', text = ''] = /^([^\0]*)\0(\d+)[:\0](.*)$/s.exec(row) ?? []
  return `${path.replace(lead, '')}:${line}:${text.replace(/\r$/, '')}`
}
