// `AccessPolicy`: whether a file may be read for the model, and the reason if not.
import { type Exclusion, exclusionOf } from './exclude.ts'

export interface FileFacts {
  readonly uri: string
  readonly language: string
  /** Relative to its workspace folder; outside of all folders its name alone. Forward slashes. */
  readonly path: string
  /** Path on the disk, if it has one, because a folder that is itself secret may have been opened as the workspace. */
  readonly fullPath?: string
  readonly isInWorkspace: boolean
  /** Size of the text in UTF-16 code units; of a file that was not read yet, its bytes. */
  readonly size: number
  /** Without it only path and size are checked, so the policy must be asked again before the text is sent anywhere. */
  readonly text?: string | undefined
}

/**
 * `completion`: the document that the user types in. `context`: another open document, sent with it. `tool`: a file that
 * the model names. A document that the user has open may be outside the workspace and may be ignored by git.
 */
export type AccessPurpose = 'completion' | 'context' | 'tool'

export type Refusal =
  | { readonly reason: 'untrusted' | 'outside' | 'ignored' | 'binary' }
  | Exclusion
  | { readonly reason: 'too large'; readonly size: number; readonly limit: number }

export interface AccessPorts {
  /** The user trusts the workspace. */
  isTrusted(): boolean
  /** The globs of `completions.exclude` for this file. */
  excludedGlobs(file: Pick<FileFacts, 'uri' | 'language'>): readonly string[]
  /** Git ignores the file. */
  isIgnored(file: Pick<FileFacts, 'uri' | 'path'>): boolean
}

/** In units of `FileFacts.size`; a larger file is refused. */
export const sizeLimits: Readonly<Record<AccessPurpose, number>> = {
  completion: 1_000_000,
  context: 1_000_000,
  tool: 5_000_000,
}

/** A NUL within so many code units from the beginning means that the file is binary. */
const HEAD_UNITS = 8_192

/** Completion asks it; context and tools have limits of their own in it. Nothing is cached, because settings and trust change. */
export class AccessPolicy {
  readonly #ports: AccessPorts

  constructor(ports: AccessPorts) {
    this.#ports = ports
  }

  /** Undefined where the file may be read for this purpose. */
  refusalOf(file: FileFacts, purpose: AccessPurpose): Refusal | undefined {
    const isOpenInEditor = purpose !== 'tool'
    const limit = sizeLimits[purpose]
    if (!this.#ports.isTrusted()) return { reason: 'untrusted' }
    if (!isOpenInEditor && !file.isInWorkspace) return { reason: 'outside' }
    if (file.size > limit) return { reason: 'too large', size: file.size, limit }
    const exclusion = exclusionOf({ ...file, text: file.text ?? '' }, this.#ports.excludedGlobs(file))
    if (exclusion) return exclusion
    if (!isOpenInEditor && this.#ports.isIgnored(file)) return { reason: 'ignored' }
    return file.text?.slice(0, HEAD_UNITS).includes('\0') ? { reason: 'binary' } : undefined
  }
}
