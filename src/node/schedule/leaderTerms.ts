// Who keeps the desk: one file per term, made exclusively; the highest counts.
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { faultCode } from '../../base/fault.ts'
import { coordinatorAddress } from '../../protocol/slots.ts'

/** Where a desk is found, and what a window has to say there to be let in. */
export interface CoordinatorAddress {
  readonly address: string
  readonly pass: string
}

export interface LeaderTerm {
  readonly number: number
  /** Undefined where the file cannot be understood. */
  readonly desk: CoordinatorAddress | undefined
}

const termFile = /^desk-(\d{1,12})$/

/**
 * Takes over from a desk that is gone by making the next file, which only one can. The latest file is never removed, so
 * that no number comes twice.
 */
export class LeaderTerms {
  readonly #folder: string

  /** `folder` is for this user alone; it is made if need be. */
  constructor(folder: string) {
    this.#folder = folder
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
  }

  latest(): LeaderTerm | undefined {
    const number = Math.max(...this.#numbers(), 0)
    return number === 0 ? undefined : { number, desk: this.#read(number) }
  }

  /** False when somebody else has claimed it, or a later one, before. */
  claim(number: number, desk: CoordinatorAddress): boolean {
    const draft = join(this.#folder, `draft-${randomUUID()}`)
    writeFileSync(draft, JSON.stringify(desk), { flag: 'wx', mode: 0o600 })
    try {
      linkExclusively(draft, this.#path(number))
    } catch (fault) {
      if (faultCode(fault) === 'EEXIST') return false
      throw fault
    } finally {
      rmSync(draft, { force: true })
    }
    for (const older of this.#numbers()) if (older < number) rmSync(this.#path(older), { force: true })
    return this.latest()?.number === number
  }

  #numbers(): number[] {
    return readdirSync(this.#folder).flatMap(name => Number(termFile.exec(name)?.[1] ?? []))
  }

  #path(number: number): string {
    return join(this.#folder, `desk-${number}`)
  }

  #read(number: number): CoordinatorAddress | undefined {
    try {
      return coordinatorAddress.parse(JSON.parse(readFileSync(this.#path(number), 'utf8')))
    } catch {
      return undefined
    }
  }
}

/** Whole at once under its name; where a file system knows no links, as nearly so as it can. */
function linkExclusively(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (fault) {
    if (faultCode(fault) === 'EEXIST') throw fault
    copyFileSync(from, to, constants.COPYFILE_EXCL)
  }
}
