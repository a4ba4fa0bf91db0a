// Which package is made again before it is used.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { isFresh } from './extensionPackage.ts'

/** A project with a package; `write` gives a file its time. */
function project(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'kourier-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const write = (name: string, text: string, at: number) => {
    writeFileSync(join(folder, name), text)
    utimesSync(join(folder, name), at, at)
  }
  mkdirSync(join(folder, 'dist'))
  write('package.json', '{}', 1000)
  write('dist/kourier.vsix', 'packed', 2000)
  write('dist/baseUrl', '', 2000)
  return { folder, write }
}

test('a package no older than what it is made from', t => {
  const { folder, write } = project(t)
  assert.equal(isFresh(folder), true)
  write('README.md', 'newer', 3000)
  assert.equal(isFresh(folder), false)
})

test('a package that knows the address of one service is none to test with', t => {
  const { folder, write } = project(t)
  write('dist/baseUrl', 'https://api.example.com', 2000)
  assert.equal(isFresh(folder), false)
})

test('a package that is missing, or was not made to its end', t => {
  const { folder, write } = project(t)
  rmSync(join(folder, 'dist/baseUrl'))
  assert.equal(isFresh(folder), false)
  write('dist/baseUrl', '', 2000)
  rmSync(join(folder, 'dist/kourier.vsix'))
  assert.equal(isFresh(folder), false)
})
