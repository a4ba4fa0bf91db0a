// `FileAccess`: reads a file that the user named, after the access policy, and judges those of a list.
import { never } from '../../base/fault.ts'
import type { LineRange, PartOf } from '../../protocol/conversation.ts'
import type { AccessPolicy, AccessPurpose, FileFacts, Refusal } from '../workspace/accessPolicy.ts'
import type { FileText, FoundFile, TextFiles } from '../workspace/textFiles.ts'
import { attachment, type NewAttachment } from './attachment.ts'
import type { OmissionReason, Resolved, ResolveOptions } from './contextSources.ts'
import { MOST_IMAGE_FILE_BYTES } from './imageFile.ts'
import type { ImageScaler } from './imageScaler.ts'

export interface FileAccessPorts {
  readonly files: TextFiles
  readonly access: Pick<AccessPolicy, 'refusalsOf'>
  readonly images: ImageScaler
  readonly newId: () => string
}

export interface OpenOptions extends ResolveOptions {
  readonly range?: LineRange
}

export type Read = { readonly file: FoundFile; readonly read: FileText }

/** `context`: of files that are open, which may be outside and ignored. */
export type MentionPurpose = Extract<AccessPurpose, 'mention' | 'confirmed mention' | 'context'>

/** A file that is ready, or how its reference is resolved instead. */
export type Opened = ({ readonly is: 'read' } & Read) | Exclude<Resolved, { is: 'ready' | 'image' }>

/** A file of a list that is ready, or why it is left out. */
export type Taken = ({ readonly is: 'read' } & Read) | { readonly is: 'omitted'; readonly why: OmissionReason }

export class FileAccess {
  readonly files: TextFiles
  readonly #access: FileAccessPorts['access']
  readonly #images: ImageScaler
  readonly #newId: () => string

  constructor({ files, access, images, newId }: FileAccessPorts) {
    this.files = files
    this.#access = access
    this.#images = images
    this.#newId = newId
  }

  part(values: NewAttachment): PartOf<'attachment'> {
    return attachment(this.#newId(), values)
  }

  /** The file that the user named, or the range of it; a folder is unsupported. Its text is read only where path and size allow it. */
  async open(uri: string, of: OpenOptions, signal: AbortSignal): Promise<Opened> {
    const { isConfirmed, range } = of
    const file = await this.files.find(uri, signal)
    const name = this.files.pathOf(uri)
    if (!file) return { is: 'unavailable', why: 'missing', name }
    if (file.kind === 'elsewhere') return { is: 'unavailable', why: 'elsewhere', name }
    if (file.kind === 'other') return { is: 'unavailable', why: 'binary', name }
    if (file.kind === 'folder') return { is: 'unavailable', why: 'unsupported', name }
    const purpose = isConfirmed ? 'confirmed attachment' : 'attachment'
    // The range of an open document is read without the rest.
    const facts = range && file.isOpen ? { ...factsOf(file), size: 0 } : factsOf(file)
    const before = await this.refusalOf(facts, purpose, signal)
    if (before) return refused(before, file)
    const read = await this.files.read(file.uri, range, signal)
    if (!read) return { is: 'unavailable', why: 'binary', name: file.path }
    const after = await this.refusalOf(factsOf(file, read), purpose, signal)
    return after ? refused(after, file) : { is: 'read', file, read }
  }

  /** The image that the user named, in a size that models take. */
  async image(uri: string, { isConfirmed }: ResolveOptions, signal: AbortSignal): Promise<Resolved> {
    const file = await this.files.find(uri, signal)
    const name = file?.path ?? this.files.pathOf(uri)
    if (!file) return { is: 'unavailable', why: 'missing', name }
    if (file.kind === 'elsewhere') return { is: 'unavailable', why: 'elsewhere', name }
    if (file.kind !== 'file') return { is: 'unavailable', why: 'unsupported', name }
    const purpose = isConfirmed ? 'confirmed attachment' : 'attachment'
    // The limit for the size of a text is none for an image.
    const refusal = await this.refusalOf({ ...factsOf(file), size: 0 }, purpose, signal)
    if (refusal) return refused(refusal, file)
    if (file.size > MOST_IMAGE_FILE_BYTES) return { is: 'unavailable', why: 'too-large', name }
    const bytes = await this.files.readBytes(file.uri, signal)
    const image = bytes && (await this.#images.scaled(bytes, signal))
    if (!image) return { is: 'unavailable', why: 'unsupported', name }
    return { is: 'image', part: { kind: 'image', id: this.#newId(), ...image, name } }
  }

  /** A folder that the user named: only what its own path and place forbid. */
  async openFolder(uri: string, { isConfirmed }: ResolveOptions, signal: AbortSignal) {
    const file = await this.files.find(uri, signal)
    if (!file) return { is: 'unavailable', why: 'missing', name: this.files.pathOf(uri) } as const
    if (file.kind === 'elsewhere') return { is: 'unavailable', why: 'elsewhere', name: file.path } as const
    const refusal = await this.refusalOf({ ...factsOf(file), size: 0 }, 'attachment', signal)
    const answer = refusal && refused(refusal, file)
    if (answer && !(isConfirmed && answer.is === 'ask')) return answer
    const purpose: MentionPurpose = answer ? 'confirmed mention' : 'mention'
    return { is: 'folder', file, purpose } as const
  }

  async refusalOf(facts: FileFacts, purpose: AccessPurpose, signal: AbortSignal): Promise<Refusal | undefined> {
    const [refusal] = await this.#access.refusalsOf([facts], purpose, signal)
    return refusal
  }

  refusalsOf(files: readonly FileFacts[], purpose: AccessPurpose, signal: AbortSignal) {
    return this.#access.refusalsOf(files, purpose, signal)
  }

  /** One of many files, which was judged by its path already. */
  async take(uri: string, purpose: MentionPurpose, signal: AbortSignal): Promise<Taken> {
    const file = await this.files.find(uri, signal)
    if (file?.kind !== 'file') return { is: 'omitted', why: 'unreadable' }
    const refusal = await this.refusalOf(factsOf(file), purpose, signal)
    if (refusal) return { is: 'omitted', why: omissionReason(refusal) }
    const read = await this.files.read(file.uri, undefined, signal)
    if (!read) return { is: 'omitted', why: 'binary' }
    const after = await this.refusalOf(factsOf(file, read), purpose, signal)
    return after ? { is: 'omitted', why: omissionReason(after) } : { is: 'read', file, read }
  }

  filePart({ file, read }: Read, source: 'file' | 'instructions' = 'file'): PartOf<'attachment'> {
    return this.part({ source, name: file.path, uri: file.uri, ...textMembers(read) })
  }
}

/** The members of an attachment that come from the file's text. */
export function textMembers({ text, language, version, hash }: FileText) {
  return { text, language, ...(version !== undefined && { version }), ...(hash !== undefined && { hash }) }
}

export function factsOf(file: FoundFile, read?: FileText): FileFacts {
  const { uri, path, fullPath, targetPath, targetUri, isInWorkspace, isOpen } = file
  return {
    uri,
    path,
    fullPath,
    ...(targetPath !== undefined && { targetPath }),
    ...(targetUri !== undefined && { targetUri }),
    isInWorkspace,
    isOpen,
    language: read?.language ?? '',
    size: read?.text.length ?? file.size,
    text: read?.head,
  }
}

function refused(
  refusal: Refusal,
  { path, fullPath, targetPath }: FoundFile,
): Exclude<Resolved, { is: 'ready' | 'image' }> {
  switch (refusal.reason) {
    case 'secret':
    case 'excluded':
    case 'ignored':
      return { is: 'ask', why: refusal.reason, name: path, ...(targetPath !== undefined && { target: targetPath }) }
    case 'outside':
      return { is: 'ask', why: 'outside', name: fullPath, ...(targetPath !== undefined && { target: targetPath }) }
    case 'too large':
      return { is: 'unavailable', why: 'too-large', name: path }
    case 'untrusted':
    case 'binary':
      return { is: 'unavailable', why: refusal.reason, name: path }
    default:
      return never(refusal)
  }
}

export function omissionReason({ reason }: Refusal): OmissionReason {
  if (reason === 'too large') return 'too-large'
  return reason === 'untrusted' ? 'unreadable' : reason
}
