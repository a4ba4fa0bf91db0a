// `problemsSource`: what the editor's languages report, one line for each problem.
import { sanitizeLine } from '../../base/text.ts'
import type { ReferenceOf } from '../../protocol/contextReference.ts'
import type { LineRange } from '../../protocol/conversation.ts'
import { bySeverity, type Problem, type Problems, problemLine } from '../workspace/problems.ts'
import type { ContextNames } from './contextNames.ts'
import type { ContextQuery, ContextSource, Description, Resolved, Suggestion } from './contextSources.ts'
import type { FileAccess } from './fileAccess.ts'
import { matching, type Unmatched } from './matching.ts'
import { Omissions } from './omissions.ts'
import { allowedByPath } from './readWithin.ts'

const MOST = 200

export function problemsSource(access: FileAccess, problems: Problems, names: ContextNames): ContextSource<'problems'> {
  const pathOf = (uri: string) => access.files.pathOf(uri)
  return {
    async *suggest(query) {
      yield suggestionsFor(problems, names, query)
    },
    describe: reference => describe(reference, names, pathOf),
    async resolve(reference, _, signal): Promise<Resolved> {
      const { label: name } = describe(reference, names, pathOf)
      const found = problems.of(reference.uri).filter(one => !reference.problem || isSame(one, reference.problem))
      if (found.length === 0) return { is: 'unavailable', why: 'empty', name }
      const omitted = new Omissions()
      const allowed = await allowedByPath(access, found, 'context', omitted, signal)
      if (allowed.length === 0) return { is: 'unavailable', why: 'untrusted', name }
      const sorted = allowed.toSorted(bySeverity)
      for (const { path } of sorted.slice(MOST)) omitted.add('count', path)
      const text = sorted.slice(0, MOST).map(problemLine).join('\n')
      const part = access.part({
        source: 'problems',
        name: reference.uri ? pathOf(reference.uri) : name,
        text,
        ...uriOf(reference),
      })
      return { is: 'ready', parts: [part], omitted: omitted.all }
    },
  }
}

const uriOf = ({ uri }: ReferenceOf<'problems'>) => (uri === undefined ? {} : { uri })

function isSame(one: Problem, { range, message }: { readonly range: LineRange; readonly message: string }): boolean {
  return one.message === message && one.range.startLine === range.startLine
}

function describe(
  { uri, problem }: ReferenceOf<'problems'>,
  names: ContextNames,
  pathOf: (uri: string) => string,
): Description {
  const path = uri === undefined ? '' : pathOf(uri)
  if (problem)
    return {
      label: sanitizeLine(problem.message, 80),
      detail: `${path}:${problem.range.startLine + 1}`,
      icon: 'problems',
    }
  return { label: names.problems, detail: path, icon: 'problems' }
}

/** All and those of the active file; once something is typed, each one below them. */
function suggestionsFor(problems: Problems, names: ContextNames, query: ContextQuery): readonly Suggestion[] {
  const all = problems.of(undefined)
  const { activeFile } = problems
  const first = all.find(({ uri }) => uri === activeFile)
  const whole = all.length > 0 ? [{ reference: { source: 'problems' as const }, path: '' }] : []
  const active = first ? [{ reference: { source: 'problems' as const, uri: first.uri }, path: first.path }] : []
  const lists = [...active, ...whole].map(
    ({ reference, path }): Unmatched => ({
      ...{ reference, label: names.problems, detail: path, icon: 'problems' },
      words: ['problems', 'errors', 'diagnostics'],
    }),
  )
  const matched = matching(lists, query)
  return query.text === '' ? matched : [...matched, ...eachOf(all, matched.length > 0, query)].slice(0, query.limit)
}

/** Those whose message fits; where the word for all of them is typed, every one, errors first. */
function eachOf(all: readonly Problem[], isWordTyped: boolean, query: ContextQuery): readonly Suggestion[] {
  const each = all.toSorted(bySeverity).map(({ uri, path, range, message }): Unmatched => {
    const reference = { source: 'problems' as const, uri, problem: { range, message } }
    return { reference, label: sanitizeLine(message, 80), detail: `${path}:${range.startLine + 1}`, icon: 'problems' }
  })
  return matching(each, isWordTyped ? { ...query, text: '' } : query)
}
