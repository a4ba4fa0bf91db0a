// `LeaderTerms`: which window is the leader, as one file for each term; the file with the highest number counts.
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

/** The coordinator's socket, and the secret that a window has to send there. */
export interface CoordinatorAddress {
  readonly address: string
  readonly pass: string
}

export interface LeaderTerm {
  readonly number: number
  /** Undefined where the file cannot be read as an address. */
  readonly coordinator: CoordinatorAddress | undefined
}

/** Part of the contract between windows of different versions. */
const FILE_PREFIX = 'desk-'
const termFile = new RegExp(`^${FILE_PREFIX}(\\d{1,12})$`)

/**
 * A window becomes the leader by making the next file, which only one window can. The latest file is never removed, so
 * that no number is used twice.
 */
export class LeaderTerms {
  readonly #folder: string

  /** `folder` is made where there is none, and made accessible to this user alone. */
  constructor(folder: string) {
    this.#folder = folder
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
  }

  latest(): LeaderTerm | undefined {
    const number = Math.max(...this.#numbers(), 0)
    return number === 0 ? undefined : { number, coordinator: this.#read(number) }
  }

  /** Makes the file of a term; false when another window has made it, or that of a later term, before. */
  claim(number: number, address: CoordinatorAddress): boolean {
    const draft = join(this.#folder, `draft-${randomUUID()}`)
    writeFileSync(draft, JSON.stringify(address), { flag: 'wx', mode: 0o600 })
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
    return join(this.#folder, `${FILE_PREFIX}${number}`)
  }

  #read(number: number): CoordinatorAddress | undefined {
    try {
      return coordinatorAddress.parse(JSON.parse(readFileSync(this.#path(number), 'utf8')))
    } catch {
      return undefined
    }
  }
}

/** The file appears complete under its name; not quite so on a file system without links, where it is copied. */
function linkExclusively(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (fault) {
    if (faultCode(fault) === 'EEXIST') throw fault
    copyFileSync(from, to, constants.COPYFILE_EXCL)
  }
}
