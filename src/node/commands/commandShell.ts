// `commandShell`: the program that reads the commands of the agent, and how it is started.
import { accessSync, constants } from 'node:fs'
import { posix, win32 } from 'node:path'
import process from 'node:process'

export interface CommandShell {
  /** Such as `bash`. */
  readonly name: string
  readonly path: string
  /** The arguments with which the shell runs the command. */
  args(command: string): readonly string[]
  readonly maxChars: number
}

type Environment = Readonly<Record<string, string | undefined>>

/** The user's shell where its grammar is that of `sh`; a model that writes for `sh` would fail in others. */
const known = ['bash', 'zsh']

/** Linux starts no program with a longer argument. */
const MAX_CHARS = 100_000
/** Windows allows 32,767 characters for a command line, and base64 of UTF-16 makes almost three of each. */
const MAX_WINDOWS_CHARS = 10_000

export function commandShell(
  environment: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
  mayRun: (path: string) => boolean = isProgram,
): CommandShell {
  return platform === 'win32' ? powerShell(environment, mayRun) : posixShell(environment, mayRun)
}

function posixShell(environment: Environment, mayRun: (path: string) => boolean): CommandShell {
  const own = environment['SHELL'] ?? ''
  const isOwn = posix.isAbsolute(own) && known.includes(posix.basename(own)) && mayRun(own)
  const path = isOwn ? own : '/bin/sh'
  return { name: posix.basename(path), path, args: command => ['-c', command], maxChars: MAX_CHARS }
}

/** By absolute paths, because Windows looks into the current folder first. */
function powerShell(environment: Environment, mayRun: (path: string) => boolean): CommandShell {
  const programs = environment['ProgramFiles'] ?? 'C:\\Program Files'
  const system = environment['SystemRoot'] ?? 'C:\\Windows'
  const modern = win32.join(programs, 'PowerShell', '7', 'pwsh.exe')
  const old = win32.join(system, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe')
  const isModern = mayRun(modern)
  return {
    name: isModern ? 'PowerShell 7' : 'Windows PowerShell',
    path: isModern ? modern : old,
    args: command => ['-NoLogo', '-NoProfile', '-NonInteractive', '-EncodedCommand', encoded(command)],
    maxChars: MAX_WINDOWS_CHARS,
  }
}

/** With output in UTF-8, no progress bars, and the exit code of the last program. */
function encoded(command: string): string {
  const script = [
    '[Console]::OutputEncoding = $OutputEncoding = [Text.UTF8Encoding]::new($false)',
    "$ProgressPreference = 'SilentlyContinue'",
    command,
    '$kourierDone = $?',
    'if ($LASTEXITCODE) { exit $LASTEXITCODE }',
    'if (-not $kourierDone) { exit 1 }',
  ]
  return Buffer.from(script.join('\n'), 'utf16le').toString('base64')
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
