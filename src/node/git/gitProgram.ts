// `gitProgram`: runs git for reading, without anything that a repository's configuration could have it start.
import { spawn } from 'node:child_process'
import { devNull, homedir } from 'node:os'
import { until } from '../../base/abort.ts'
import { faultCode } from '../../base/fault.ts'
import type { Git, GitOutput } from '../../core/workspace/git.ts'
import { childEnvironment } from '../childEnvironment.ts'

const TIMEOUT_MS = 20_000
const MOST_CHARS = 64_000_000

/** Switches off each program that the configuration of a repository may name. */
const safe = [
  '--no-pager',
  '-c',
  'core.fsmonitor=false',
  '-c',
  `core.hooksPath=${devNull}`,
  '-c',
  'core.quotePath=false',
  '-c',
  'diff.external=',
  '-c',
  'core.alternateRefsCommand=',
]

/** Started in the home folder, because Windows looks for a program in the folder in which it is started. */
export const gitProgram: Git = (folder, args, { input, mostChars = MOST_CHARS }, signal) =>
  until<GitOutput | undefined>(signal, (done, fail) => {
    const child = spawn('git', [...safe, '-C', folder, ...args], {
      cwd: homedir(),
      env: gitEnvironment(),
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: TIMEOUT_MS,
      windowsHide: true,
    })
    const chunks: string[] = []
    let sizeChars = 0
    let isCut = false
    child.stdout.setEncoding('utf8')
    child.stdout.on('data', (text: string) => {
      const room = Math.max(mostChars - sizeChars, 0)
      chunks.push(text.slice(0, room))
      sizeChars += text.length
      if (text.length <= room) return
      isCut = true
      child.kill()
    })
    child.on('error', fault => (faultCode(fault) === 'ENOENT' ? done(undefined) : fail(fault)))
    child.on('close', code => {
      if (code === null && !isCut) fail(new Error('git did not end'))
      else done({ code: code ?? 0, text: chunks.join(''), isCut })
    })
    // It may have ended before it has read everything.
    child.stdin.on('error', () => {})
    child.stdin.end(input ?? '')
    return () => void child.kill()
  })

const cleared = /^(?:GIT_|LD_|DYLD_)|^(?:PAGER|LESS|EDITOR|VISUAL|NODE_OPTIONS|ELECTRON_RUN_AS_NODE)$/i

export function gitEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const kept = Object.entries(childEnvironment(environment)).filter(([name]) => !cleared.test(name))
  return {
    ...Object.fromEntries(kept),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    GIT_NO_LAZY_FETCH: '1',
    LC_ALL: 'C',
  }
}
