// `missingModels`: the selected models that the service no longer lists, and the revision that replaces each.

export interface Chosen {
  readonly setting: 'model' | 'backgroundModel' | 'completions.model'
  /** Empty if the setting is not set. */
  readonly id: string
}

export interface Missing extends Chosen {
  /** A later revision of the same model, if the service lists one. */
  readonly successor: string | undefined
}

/** None if the list is empty, because inference may still work without a list. */
export function missingModels(chosen: readonly Chosen[], listed: readonly string[]): Missing[] {
  if (listed.length === 0) return []
  return chosen
    .filter(({ id }) => id && !listed.some(known => isSame(known, id)))
    .map(({ setting, id }) => ({ setting, id, successor: successorOf(id, listed) }))
}

/** Only one of the two ids may have the provider as a prefix. */
const isSame = (known: string, id: string) => known === id || known.endsWith(`/${id}`) || id.endsWith(`/${known}`)

interface Revision {
  /** The id without its provider and its revision. */
  readonly family: string
  /** Only revisions of the same form are compared. */
  readonly form: string
  readonly revision: string
}

/** The latest model of the same family with a later revision, such as `-0901` after `-0815`. */
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

/** In days, with 31 days for every month, which is enough to order dates. */
const YEAR = 12 * 31
const dayOf = (monthAndDay: string) => Number(monthAndDay.slice(0, 2)) * 31 + Number(monthAndDay.slice(2))

/**
 * Orders dates without a year. A listed model is usually later than one that was removed, so only the dates of the
 * quarter before `gone` count as earlier: `-0110` is after `-1215`.
 */
function aroundYear(gone: string): (a: string, b: string) => number {
  const ahead = (revision: string) => {
    const days = (dayOf(revision) - dayOf(gone) + YEAR) % YEAR
    return days > (3 / 4) * YEAR ? days - YEAR : days
  }
  return (a, b) => ahead(a) - ahead(b)
}

/**
 * The forms of a revision: a date with hyphens, as month and day, or as four or more digits; a number that starts with
 * 0; a tag with a number (`:r12`). A short number is the version of a model (`gpt-4`, `claude-3-5`), and a number with
 * a letter is its size (`-70b`).
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
