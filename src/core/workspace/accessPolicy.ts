// `AccessPolicy`: whether a file may be read for the model, and the reason if not.
import { type Exclusion, exclusionOf } from './exclude.ts'

export interface FileFacts {
  readonly uri: string
  readonly language: string
  /** Relative to its workspace folder; outside of all folders its name alone. Forward slashes. */
  readonly path: string
  /** Path on the disk, if it has one, because a folder that is itself secret may have been opened as the workspace. */
  readonly fullPath?: string
  /** Path of the file that is read, where links lead to another one. */
  readonly targetPath?: string
  /** Both the file and what links lead to. */
  readonly isInWorkspace: boolean
  /** The user has it open in an editor. */
  readonly isOpen?: boolean
  /** Size of the text in UTF-16 code units; of a file that was not read yet, its bytes. */
  readonly size: number
  /** Without it only path and size are checked, so the policy must be asked again before the text is sent anywhere. */
  readonly text?: string | undefined
}

/** `completion`: the document that the user types in. `context`: another open document, sent with it. */
export type OpenPurpose = 'completion' | 'context'

/**
 * `tool`: a file that the model names. `attachment`: one that the user names; `confirmed attachment`: one that the user
 * has confirmed after a refusal. `mention`: one of many, in a folder or repository that the user names; `confirmed
 * mention`: where the user has confirmed the place of the folder. A document that the user has open may be outside the
 * workspace and may be ignored by git, except for a tool.
 */
export type AccessPurpose =
  | OpenPurpose
  | 'tool'
  | 'attachment'
  | 'confirmed attachment'
  | 'mention'
  | 'confirmed mention'

export type Refusal =
  | { readonly reason: 'untrusted' | 'outside' | 'ignored' | 'binary' }
  | Exclusion
  | { readonly reason: 'too large'; readonly size: number; readonly limit: number }

export interface AccessPorts {
  /** The user trusts the workspace. */
  isTrusted(): boolean
  /** The globs of `completions.exclude` for this file. */
  excludedGlobs(file: Pick<FileFacts, 'uri' | 'language'>): readonly string[]
  /** Those of the files that git ignores. */
  ignoredOf(uris: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>>
}

/** In units of `FileFacts.size`; a larger file is refused. */
export const sizeLimits: Readonly<Record<AccessPurpose, number>> = {
  completion: 1_000_000,
  context: 1_000_000,
  tool: 5_000_000,
  attachment: 1_000_000,
  'confirmed attachment': 1_000_000,
  mention: 200_000,
  'confirmed mention': 200_000,
}

/** A NUL within so many code units from the beginning means that the file is binary. */
const HEAD_UNITS = 8_192

/** What of a file is checked before git is asked. */
type Undecided = Refusal | 'unless ignored' | undefined

/** The only place where it is decided. Nothing is cached here, because settings and trust change. */
export class AccessPolicy {
  readonly #ports: AccessPorts

  constructor(ports: AccessPorts) {
    this.#ports = ports
  }

  /** Undefined where the open document may be read for this purpose. */
  refusalOf(file: FileFacts, purpose: OpenPurpose): Refusal | undefined {
    return this.#refusalButIgnored(file, purpose)
  }

  /** For each of the files what `refusalOf` returns for an open document; git is asked once for all of them. */
  async refusalsOf(
    files: readonly FileFacts[],
    purpose: AccessPurpose,
    signal: AbortSignal,
  ): Promise<readonly (Refusal | undefined)[]> {
    const undecided = files.map((file): Undecided => {
      const refusal = this.#refusalButIgnored(file, purpose)
      return refusal ?? (mayBeIgnored(file, purpose) ? undefined : 'unless ignored')
    })
    const asked = files.filter((_, at) => undecided[at] === 'unless ignored').map(({ uri }) => uri)
    const ignored = asked.length > 0 ? await this.#ports.ignoredOf(asked, signal) : new Set<string>()
    return files.map(({ uri }, at) => {
      const decided = undecided[at]
      if (decided !== 'unless ignored') return decided
      return ignored.has(uri) ? { reason: 'ignored' } : undefined
    })
  }

  #refusalButIgnored(file: FileFacts, purpose: AccessPurpose): Refusal | undefined {
    const isConfirmed = purpose === 'confirmed attachment'
    const limit = sizeLimits[purpose]
    if (!this.#ports.isTrusted()) return { reason: 'untrusted' }
    if (!mayBeOutside(file, purpose) && !file.isInWorkspace) return { reason: 'outside' }
    if (file.size > limit) return { reason: 'too large', size: file.size, limit }
    const exclusion = exclusionOf({ ...file, text: file.text ?? '' }, this.#ports.excludedGlobs(file))
    if (exclusion && !isConfirmed) return exclusion
    return file.text?.slice(0, HEAD_UNITS).includes('\0') ? { reason: 'binary' } : undefined
  }
}

function mayBeOutside({ isOpen = false }: FileFacts, purpose: AccessPurpose): boolean {
  switch (purpose) {
    case 'completion':
    case 'context':
    case 'confirmed attachment':
    case 'confirmed mention':
      return true
    case 'attachment':
      return isOpen
    case 'tool':
    case 'mention':
      return false
  }
}

const mayBeIgnored = mayBeOutside
