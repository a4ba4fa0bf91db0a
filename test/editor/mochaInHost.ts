// Runs mocha inside the extension host and leaves its results in a file.
import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { inspect } from 'node:util'
import Mocha from 'mocha'

interface Result {
  readonly name: string
  readonly error?: string
}

/** `load` brings the test files, which find `it` and its like ready. Rejects when a test failed. */
export async function runMocha(load: () => void): Promise<void> {
  const results: Result[] = []
  try {
    const mocha = new Mocha({ ui: 'bdd', timeout: 30_000, reporter: Mocha.reporters.Base })
    mocha.suite.emit('pre-require', globalThis, '', mocha)
    load()
    await new Promise<void>(done => {
      mocha
        .run(() => done())
        // Left at once, so that the output of a run that hangs and is stopped shows where.
        .on('test', test => leave([...results, { name: test.fullTitle(), error: 'It did not end.' }]))
        .on('pass', test => results.push({ name: test.fullTitle() }))
        .on('fail', (test, error: unknown) => results.push({ name: test.fullTitle(), error: inspect(error) }))
    })
  } catch (error) {
    results.push({ name: 'The test files load', error: inspect(error) })
  }
  leave(results)
  if (results.some(({ error }) => error)) throw new Error('Tests failed; the report says which.')
}

function leave(results: readonly Result[]): void {
  const report = process.env['KOURIER_HOST_REPORT']
  if (report) writeFileSync(report, JSON.stringify(results))
}
