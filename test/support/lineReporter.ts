// Reports to `test/run.ts`, one line each, how every Playwright test went.
import { relative } from 'node:path'
import process from 'node:process'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestCase, TestError, TestResult } from '@playwright/test/reporter'
import { jsonLine } from './jsonLine.ts'
import type { TestLine } from './testFiles.ts'

export default class LineReporter implements Reporter {
  onTestBegin(test: TestCase, { retry }: TestResult): void {
    if (retry === 0) report('start', test)
  }

  onTestEnd(test: TestCase, { status, retry }: TestResult): void {
    if (status !== test.expectedStatus && status !== 'interrupted' && retry < test.retries) return
    report('end', test)
    const outcome = test.outcome()
    if (outcome === 'expected') report('pass', test)
    if (outcome === 'flaky') report('flaky', test, accountOf(test))
    if (outcome === 'unexpected') report('fail', test, accountOf(test))
  }

  /** What no test is to blame for: a file that cannot be read, or a worker that does not end well. */
  onError(error: TestError): void {
    const file = error.location ? placeOf(error.location.file) : ''
    print({ kind: 'fail', name: 'outside the tests', file, text: textOf(error) })
  }

  onStdOut(chunk: string | Buffer, test?: TestCase): void {
    note(chunk, test)
  }

  onStdErr(chunk: string | Buffer, test?: TestCase): void {
    note(chunk, test)
  }

  printsToStdio(): boolean {
    return true
  }
}

function report(kind: TestLine['kind'], test: TestCase, text = ''): void {
  print({ kind, name: nameOf(test), file: placeOf(test.location.file), text })
}

/** What went wrong at each run, and what shows it: texts as they are, files by their paths. */
function accountOf(test: TestCase): string {
  return test.results
    .filter(({ status }) => status !== test.expectedStatus)
    .map(({ retry, errors, attachments }) => {
      const seen = attachments.flatMap(({ name, path, body, contentType }) => {
        if (path) return [`${name}: ${placeOf(path)}`]
        return body && contentType === 'text/plain' ? [`${name}:\n${body}`] : []
      })
      return [`run ${retry + 1}:`, ...errors.map(textOf), ...seen].join('\n')
    })
    .join('\n')
}

/** The groups that a test is in and its own name, without the project and the file. */
function nameOf(test: TestCase): string {
  return test.titlePath().slice(3).join(' › ')
}

function textOf({ stack, message, value, snippet }: TestError): string {
  return stripVTControlCharacters([stack ?? message ?? value ?? '', snippet ?? ''].join('\n').trim())
}

function note(chunk: string | Buffer, test: TestCase | undefined): void {
  const file = test ? placeOf(test.location.file) : ''
  print({ kind: 'note', name: '', file, text: String(chunk) })
}

function placeOf(file: string): string {
  return relative(process.cwd(), file)
}

function print(line: TestLine): void {
  process.stdout.write(jsonLine(line))
}
