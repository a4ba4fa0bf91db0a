// Which chosen models the service no longer lists, and which revision has taken their place.

export interface Chosen {
  readonly setting: 'model' | 'backgroundModel' | 'completions.model'
  /** Empty where the user has left it open. */
  readonly id: string
}

export interface Missing extends Chosen {
  /** The same model in another revision, if the service lists one. */
  readonly successor: string | undefined
}

/** An empty list says nothing: inference may work all the same. */
export function missingModels(chosen: readonly Chosen[], listed: readonly string[]): Missing[] {
  if (listed.length === 0) return []
  return chosen
    .filter(({ id }) => id && !listed.some(known => isSame(known, id)))
    .map(({ setting, id }) => ({ setting, id, successor: successorOf(id, listed) }))
}

/** The list may name the provider where the user did not, and the other way round. */
const isSame = (known: string, id: string) => known === id || known.endsWith(`/${id}`) || id.endsWith(`/${known}`)

interface Revision {
  /** The id without its provider and its revision. */
  readonly family: string
  /** Only revisions of one form can be compared. */
  readonly form: string
  readonly revision: string
}

/** The latest of those that differ from it only in a later revision, such as `-0901` after `-0815`. */
function successorOf(id: string, listed: readonly string[]): string | undefined {
  const gone = revisionOf(id)
  if (!gone) return undefined
  const order = gone.form === 'monthAndDay' ? aroundYear(gone.revision) : inOrder
  return listed
    .map(known => ({ known, ...revisionOf(known) }))
    .filter(({ family, form }) => family === gone.family && form === gone.form)
    .filter(({ revision = '' }) => order(gone.revision, revision) < 0)
    .toSorted((a, b) => order(a.revision ?? '', b.revision ?? ''))
    .at(-1)?.known
}

const inOrder = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true })

/** Days, were all months as long as the longest: enough to order them. */
const YEAR = 12 * 31
const dayOf = (monthAndDay: string) => Number(monthAndDay.slice(0, 2)) * 31 + Number(monthAndDay.slice(2))

/**
 * A month and a day do not tell their year. What a service still lists is rather later than what it has taken away, so
 * only the quarter before counts as earlier: `-0110` comes after `-1215`.
 */
function aroundYear(gone: string): (a: string, b: string) => number {
  const ahead = (revision: string) => {
    const days = (dayOf(revision) - dayOf(gone) + YEAR) % YEAR
    return days > (3 / 4) * YEAR ? days - YEAR : days
  }
  return (a, b) => ahead(a) - ahead(b)
}

/**
 * What names a revision and nothing else: a date, with hyphens, as month and day or in more digits; a number that begins
 * with 0; what a tag counts (`:r12`). A short number is the version of a model (`gpt-4`, `claude-3-5`), and one with a
 * letter is its size (`-70b`).
 */
const dashedDate = /(?<=[-@:._])\d{4}-\d\d(?:-\d\d)?$/
const monthAndDay = /(?<=[-@:._])(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/
const digits = /(?<=[-@:._])(?:0\d+|\d{4,})$/
const tag = /(?<=[@:])[rv]\d+[a-z]?$/i

function revisionOf(id: string): Revision | undefined {
  const name = id.slice(id.lastIndexOf('/') + 1)
  for (const [form, pattern] of Object.entries({ dashedDate, monthAndDay, digits, tag })) {
    const found = pattern.exec(name)
    if (!found) continue
    const [revision] = found
    const isOfLength = form === 'dashedDate' || form === 'digits'
    return { family: name.slice(0, found.index), form: isOfLength ? `${form} ${revision.length}` : form, revision }
  }
  return undefined
}
