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
  /** The same as a URI, where it is in the workspace. */
  readonly targetUri?: string
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
 * `tool`: a file that the model names; `confirmed tool`: one that the user has confirmed. `attachment`: one that the user names; `confirmed attachment`: one that the user
 * has confirmed after a refusal. `mention`: one of many, in a folder or repository that the user names; `confirmed
 * mention`: where the user has confirmed the place of the folder. A document that the user has open may be outside the
 * workspace and may be ignored by git, except for a tool.
 */
export type AccessPurpose =
  | OpenPurpose
  | 'tool'
  | 'confirmed tool'
  | 'attachment'
  | 'confirmed attachment'
  | 'mention'
  | 'confirmed mention'

export type Refusal =
  | { readonly reason: 'untrusted' | 'outside' | 'ignored' | 'binary' }
  | Exclusion
  | { readonly reason: 'too large'; readonly size: number; readonly limit: number }

export interface ToolVerdict {
  readonly refusal?: Refusal
  readonly concerns: readonly Refusal[]
}

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
  tool: 50_000_000,
  'confirmed tool': 50_000_000,
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

  get isTrusted(): boolean {
    return this.#ports.isTrusted()
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
    const asked = files.filter((_, at) => undecided[at] === 'unless ignored').flatMap(urisOf)
    const ignored = asked.length > 0 ? await this.#ports.ignoredOf(asked, signal) : new Set<string>()
    return files.map((file, at) => {
      const decided = undecided[at]
      if (decided !== 'unless ignored') return decided
      return urisOf(file).some(uri => ignored.has(uri)) ? { reason: 'ignored' } : undefined
    })
  }

  /**
   * For a file that the model names: why it is never read, or else everything that the user is asked about before it is.
   */
  async toolVerdictOf(file: FileFacts, signal: AbortSignal): Promise<ToolVerdict> {
    const refusal = this.#refusalButIgnored(file, 'confirmed tool')
    if (refusal) return { refusal, concerns: [] }
    const exclusion = this.#exclusionOf(file)
    const uris = urisOf(file)
    const ignored = file.isInWorkspace ? await this.#ports.ignoredOf(uris, signal) : new Set<string>()
    const concerns: (Refusal | false | undefined)[] = [
      !file.isInWorkspace && { reason: 'outside' },
      exclusion,
      uris.some(uri => ignored.has(uri)) && { reason: 'ignored' },
    ]
    return { concerns: concerns.filter(one => one !== false && one !== undefined) }
  }

  #exclusionOf(file: FileFacts): Exclusion | undefined {
    return exclusionOf({ ...file, text: file.text ?? '' }, this.#ports.excludedGlobs(file))
  }

  #refusalButIgnored(file: FileFacts, purpose: AccessPurpose): Refusal | undefined {
    const isConfirmed = purpose === 'confirmed attachment' || purpose === 'confirmed tool'
    const limit = sizeLimits[purpose]
    if (!this.#ports.isTrusted()) return { reason: 'untrusted' }
    if (!mayBeOutside(file, purpose) && !file.isInWorkspace) return { reason: 'outside' }
    if (file.size > limit) return { reason: 'too large', size: file.size, limit }
    const exclusion = isConfirmed ? undefined : this.#exclusionOf(file)
    if (exclusion) return exclusion
    return file.text?.slice(0, HEAD_UNITS).includes('\0') ? { reason: 'binary' } : undefined
  }
}

function mayBeOutside({ isOpen = false }: FileFacts, purpose: AccessPurpose): boolean {
  switch (purpose) {
    case 'completion':
    case 'context':
    case 'confirmed tool':
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

/** git ignores a link by its own path, and what it leads to by another. */
const urisOf = ({ uri, targetUri }: FileFacts) => (targetUri === undefined ? [uri] : [uri, targetUri])
