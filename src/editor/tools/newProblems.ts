// `newProblems`: the problems that a change has brought to a file, as far as the editor finds them soon.
import { type Disposable, languages, Uri, workspace } from 'vscode'
import type { FileProblems } from '../../core/tools/fileChanges.ts'
import { bySeverity, type Problem, type Problems, problemLine } from '../../core/workspace/problems.ts'

const MOST_MS = 2_000
/** The languages of a file report one after the other. */
const SETTLE_MS = 250

export function newProblems(problems: Pick<Problems, 'of'>): FileProblems {
  const of = (uri: string) => problems.of(uri).filter(isSerious).toSorted(bySeverity)
  return {
    of: uri => of(uri).map(nameOf),
    async newSince(uri, before, signal) {
      if (isOpen(uri)) await settled(uri, signal)
      const known = [...before]
      const found = of(uri).filter(problem => {
        const at = known.indexOf(nameOf(problem))
        if (at >= 0) known.splice(at, 1)
        return at < 0
      })
      return found.map(problemLine)
    },
  }
}

const isSerious = ({ severity }: Problem) => severity === 'error' || severity === 'warning'

/** Without its line, which the change may have moved. */
const nameOf = ({ severity, message, source = '' }: Problem) => `${severity} ${source} ${message}`

/** The languages of the editor look at no other files. */
const isOpen = (uri: string) =>
  workspace.textDocuments.some(document => !document.isClosed && document.uri.toString() === uri)

/** Resolves some time after the last report about the file, or after a while. */
function settled(uri: string, signal: AbortSignal): Promise<void> {
  const target = Uri.parse(uri, true).toString()
  return new Promise(resolve => {
    let subscription: Disposable | undefined
    let quiet: NodeJS.Timeout | undefined
    const end = () => {
      clearTimeout(quiet)
      clearTimeout(limit)
      subscription?.dispose()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const limit = setTimeout(end, MOST_MS)
    signal.addEventListener('abort', end)
    subscription = languages.onDidChangeDiagnostics(({ uris }) => {
      if (!uris.some(one => one.toString() === target)) return
      clearTimeout(quiet)
      quiet = setTimeout(end, SETTLE_MS)
    })
  })
}
