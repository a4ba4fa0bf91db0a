// Runs mocha inside the extension host and leaves its results in a file.
import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { inspect } from 'node:util'
import Mocha from 'mocha'

/** `load` brings the test files, which find `it` and its like ready. Rejects when a test failed. */
export async function runMocha(load: () => void): Promise<void> {
  const results: { name: string; error?: string }[] = []
  try {
    const mocha = new Mocha({ ui: 'bdd', timeout: 30_000, reporter: Mocha.reporters.Base })
    mocha.suite.emit('pre-require', globalThis, '', mocha)
    load()
    await new Promise<void>(done => {
      mocha
        .run(() => done())
        .on('pass', test => results.push({ name: test.fullTitle() }))
        .on('fail', (test, error: unknown) => results.push({ name: test.fullTitle(), error: inspect(error) }))
    })
  } catch (error) {
    results.push({ name: 'The test files load', error: inspect(error) })
  }
  const report = process.env['KOURIER_HOST_REPORT']
  if (report) writeFileSync(report, JSON.stringify(results))
  if (results.some(({ error }) => error)) throw new Error('Tests failed; the report says which.')
}
