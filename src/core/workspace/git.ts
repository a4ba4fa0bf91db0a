// `Git`: what is asked of the version control of a folder, without changing anything in it.
export interface GitOutput {
  /** The exit code of the program; 128: no repository, or a fault that git itself reports. */
  readonly code: number
  readonly text: string
  /** More than the limit was written, and the rest is missing. */
  readonly isCut: boolean
}

export interface GitOptions {
  readonly input?: string
  readonly mostChars?: number
}

/** Undefined where there is no git on the machine, or the folder is not on its disk. Rejects for a timeout. */
export type Git = (
  folder: string,
  args: readonly string[],
  options: GitOptions,
  signal: AbortSignal,
) => Promise<GitOutput | undefined>
