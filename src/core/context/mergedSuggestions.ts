// `merged`: the suggestions of several sources as one list, of which each part grows at its own pace.
import { linkedAbort } from '../../base/abort.ts'
import type { ContextQuery, Suggestion } from './contextSources.ts'

type Suggest = (signal: AbortSignal) => AsyncIterable<readonly Suggestion[]>

/**
 * A source without its share leaves it to the others. Where nothing was typed, a few files come first and then what is no
 * file. Else what is no file and is named by the text comes first, then what begins with it, then what has its letters.
 */
export async function* merged(
  sources: readonly Suggest[],
  { text, limit }: ContextQuery,
  signal: AbortSignal,
): AsyncIterable<readonly Suggestion[]> {
  const lists: (readonly Suggestion[])[] = sources.map(() => [])
  const abort = linkedAbort(signal)
  const iterators = sources.map(suggest => started(suggest, abort.signal))
  const pending = new Map(iterators.map((_, at) => [at, next(iterators, at)]))
  try {
    while (pending.size > 0) {
      const { at, value } = await Promise.race(pending.values())
      signal.throwIfAborted()
      if (!value) pending.delete(at)
      else {
        lists[at] = value
        pending.set(at, next(iterators, at))
        yield sorted(shared(lists, limit), text)
      }
    }
  } finally {
    abort.stop()
    abort.unlink()
  }
}

/** A source that throws at once fails like one that does so later. */
async function* started(suggest: Suggest, signal: AbortSignal) {
  yield* suggest(signal)
}

/** A source that fails has no more suggestions; the other ones still have. */
async function next(iterators: readonly AsyncIterator<readonly Suggestion[]>[], at: number) {
  try {
    const result = await iterators[at]?.next()
    return { at, value: result && !result.done ? result.value : undefined }
  } catch {
    return { at, value: undefined }
  }
}

/** Each source in turn one suggestion until the limit, then in the order of the sources. */
function shared(lists: readonly (readonly Suggestion[])[], limit: number): readonly Suggestion[] {
  const shares = lists.map(() => 0)
  let left = limit
  for (let isGrowing = true; isGrowing && left > 0; ) {
    isGrowing = false
    for (const [at, list] of lists.entries()) {
      const share = shares[at] ?? 0
      if (left === 0 || share >= list.length) continue
      shares[at] = share + 1
      left--
      isGrowing = true
    }
  }
  return lists.flatMap((list, at) => list.slice(0, shares[at]))
}

function sorted(all: readonly Suggestion[], text: string): readonly Suggestion[] {
  const typed = text.trim().toLowerCase()
  const rankOf = typed === '' ? openingRanks() : (one: Suggestion) => typedRank(one, typed)
  const ranked = all.map(one => ({ one, rank: rankOf(one) }))
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ one }) => one)
}

function typedRank({ label, isNamed }: Suggestion, typed: string): number {
  if (isNamed) return 0
  return label.toLowerCase().startsWith(typed) ? 1 : 2
}

/** Kinds of which there are many. */
const many: readonly Suggestion['icon'][] = ['file', 'folder', 'symbol', 'commit']

/** As many files are before what is no file. */
const FIRST_FILES = 5

/** A hidden file is rarely meant, and may be secret. */
function openingRanks(): (one: Suggestion) => number {
  let files = 0
  return ({ icon, label }) => {
    if (icon === 'selection') return 0
    if (icon === 'file' && label.startsWith('.')) return 4
    if (icon === 'file' && files++ < FIRST_FILES) return 1
    return many.includes(icon) ? 3 : 2
  }
}
