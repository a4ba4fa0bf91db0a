// Which ids the tests claim: in square brackets at the start of a test's name, such as `'[T08] [R38] a key …'`.
import { globSync, readFileSync } from 'node:fs'

const startOfName = /['"`]((?:\[[^\][\s]+\] ?)+)/g

/** Every id of the given form, whether anybody knows it or not. */
export function claimedIds(files: readonly string[], form: RegExp): ReadonlySet<string> {
  const ids = globSync([...files], { exclude: ['**/node_modules/**'] })
    .flatMap(file => [...readFileSync(file, 'utf8').matchAll(startOfName)])
    .flatMap(([, brackets = '']) => brackets.match(/[^\][\s]+/g) ?? [])
  return new Set(ids.filter(id => form.test(id)))
}
