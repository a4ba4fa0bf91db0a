// The ports of commands: starts them, keeps what they write, and compares the workspace before and after them.
import type { Event } from '../../base/event.ts'

/** Starts commands, each in a process group of its own. */
export interface CommandStarter {
  /** What reads the commands, such as `bash`. */
  readonly shell: string
  /** The length of the longest command that the system starts. */
  readonly maxChars: number
  /** The system's sandbox has been shown to hold. */
  hasSandbox(): Promise<boolean>
  /** Rejects with a fault if the command cannot be started. Once the signal aborts nothing is started any more. */
  start(start: CommandStart, signal?: AbortSignal): Promise<StartedCommand>
}

/** `folder`: a path on the disk. `isSandboxed`: in the sandbox or not at all. */
export interface CommandStart {
  readonly command: string
  readonly folder: string
  readonly isSandboxed?: boolean
}

export interface StartedCommand {
  readonly output: CommandOutput
  readonly onOutput: Event<OutputUpdate>
  readonly end: Promise<CommandEnd>
  /** Resolves when nothing that it has started runs any more. */
  readonly gone: Promise<void>
  /** In the sandbox git has no history, because there are secret files in it. */
  readonly hidesHistory?: boolean
  /** Nobody waits for it any more. */
  moveToBackground?(): void
  /** Whether one of these paths leads to something that the sandbox does not show. */
  hides(paths: readonly string[]): boolean
  /** Resolves when the whole group has ended. */
  stop(): Promise<void>
}

/** `settled`: text that will not change. `pending`: what follows it so far, in place of the last `pending`. */
export interface OutputUpdate {
  readonly settled: string
  readonly pending: string
}

/** The workspace cannot be guarded, so nothing was started in the sandbox. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
}

/** A protected file or folder that a command in the sandbox has made. `path`: on the disk. `name`: in the workspace. */
export interface TakenFile {
  readonly id: string
  readonly path: string
  readonly name: string
}

/**
 * What has happened to protected files while a command ran in the sandbox. `taken`: it made them, and they are not there
 * any more. `left`: they have changed, and may be somebody else's work. `isKnown`: false where there were too many files.
 */
export interface GuardReport {
  readonly taken: readonly TakenFile[]
  readonly left: readonly string[]
  readonly isKnown: boolean
  /** The command was stopped, because this file with secrets came, and was not hidden from it. */
  readonly secret?: string
}

/** `hasRest`: something that the command started is still running. `guard`: of a command in the sandbox. */
export interface CommandEnd {
  readonly exitCode: number | undefined
  readonly signal: string | undefined
  readonly hasRest: boolean
  readonly guard?: GuardReport
}

/** What a command has written, cleaned. The beginning and the end of a very long output are kept. */
export interface CommandOutput {
  readonly sizeChars: number
  /** At most `lengthChars` characters; `from`: where they begin, which is later than asked for where text was dropped. */
  read(from: number, lengthChars: number): Promise<{ readonly from: number; readonly text: string }>
}
