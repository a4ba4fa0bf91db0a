// `readWithin`: reads files of a list until a budget is used up.
import type { ListedFile } from '../workspace/textFiles.ts'
import { type FileAccess, type MentionPurpose, omissionReason, type Read } from './fileAccess.ts'
import type { Omissions } from './omissions.ts'

/** How many files are read at the same time. */
const READ_AT_ONCE = 8

export interface ReadLimits {
  readonly purpose: MentionPurpose
  /** The characters of all texts together. */
  readonly chars: number
}

export interface ReadFiles {
  readonly read: readonly Read[]
  /** Paths of files that are allowed and did not fit. */
  readonly overBudget: readonly string[]
}

/** In the order of the list. What is left out is added to `omitted`. */
export async function readWithin(
  access: FileAccess,
  files: readonly ListedFile[],
  { purpose, chars }: ReadLimits,
  omitted: Omissions,
  signal: AbortSignal,
): Promise<ReadFiles> {
  const allowed = await allowedByPath(access, files, purpose, omitted, signal)
  const read: Read[] = []
  const overBudget: string[] = []
  let left = chars
  for (let at = 0; at < allowed.length; at += READ_AT_ONCE) {
    signal.throwIfAborted()
    const some = allowed.slice(at, at + READ_AT_ONCE)
    const taken = left > 0 ? await Promise.all(some.map(({ uri }) => access.take(uri, purpose, signal))) : []
    for (const [index, { path }] of some.entries()) {
      const one = taken[index]
      if (one?.is === 'omitted') omitted.add(one.why, path)
      else if (!one || one.read.text.length > left) overBudget.push(path)
      else {
        left -= one.read.text.length
        read.push(one)
      }
    }
  }
  for (const path of overBudget) omitted.add('budget', path)
  return { read, overBudget }
}

/** Judged before anything is read; where links lead is only known of a file that is read. */
export async function allowedByPath<F extends ListedFile>(
  access: FileAccess,
  files: readonly F[],
  purpose: MentionPurpose,
  omitted: Omissions,
  signal: AbortSignal,
): Promise<readonly F[]> {
  const facts = files.map(({ uri, path }) => ({ uri, path, language: '', isInWorkspace: true, size: 0 }))
  const refusals = await access.refusalsOf(facts, purpose, signal)
  return files.filter(({ path }, at) => {
    const refusal = refusals[at]
    if (refusal) omitted.add(omissionReason(refusal), path)
    return refusal === undefined
  })
}
