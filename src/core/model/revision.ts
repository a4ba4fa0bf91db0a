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
  return listed
    .map(known => ({ known, ...revisionOf(known) }))
    .filter(({ family, form }) => family === gone.family && form === gone.form)
    .filter(({ revision = '' }) => inOrder(gone.revision, revision) < 0)
    .toSorted((a, b) => inOrder(a.revision ?? '', b.revision ?? ''))
    .at(-1)?.known
}

const inOrder = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true })

/**
 * What names a revision and nothing else: a date, with hyphens or as four digits and more; a number that begins with 0;
 * what a tag counts (`:r12`); a number behind that of the version (`-1-9`). A single number is the version of a model
 * (`gpt-4`), and one with a letter is its size (`-70b`).
 */
const dashedDate = /(?<=[-@:._])\d{4}-\d\d(?:-\d\d)?$/
const digits = /(?<=[-@:._])(?:0\d+|\d{4,})$/
const tag = /(?<=[@:])[rv]\d+[a-z]?$/i
const count = /(?<=[-@:._]\d{1,3}-)\d{1,3}$/

function revisionOf(id: string): Revision | undefined {
  const name = id.slice(id.lastIndexOf('/') + 1)
  for (const [form, pattern] of Object.entries({ dashedDate, digits, tag, count })) {
    const found = pattern.exec(name)
    if (!found) continue
    const [revision] = found
    const isOfLength = form === 'dashedDate' || form === 'digits'
    return { family: name.slice(0, found.index), form: isOfLength ? `${form} ${revision.length}` : form, revision }
  }
  return undefined
}
