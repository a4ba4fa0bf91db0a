// What each part of the bench exports.
import type { Row } from './rows.ts'

export interface PartOptions {
  /** How many of what the part repeats; without it so many that the part takes a few minutes at most. */
  readonly count?: number
  /** The `dist` folder of a package without the agent, which `rest` compares this one with. */
  readonly before?: string
}

export interface Part {
  run(options: PartOptions): Promise<readonly Row[]>
}
