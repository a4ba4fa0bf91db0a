// Extensions as the colours of code read them: from values, and those that the editor under test brings along.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { ExtensionPart, SourceFile } from '../../src/core/colour/extensionPart.ts'

type Files = Readonly<Record<string, string>>

export function sourceFile(files: Files, path: string): SourceFile {
  return {
    path,
    read: async () => {
      const text = files[path]
      if (text === undefined) throw new Error(`There is no ${path}`)
      return text
    },
    beside: other => sourceFile(files, posix.join(posix.dirname(path), other)),
  }
}

export function extensionPart(id: string, contributes: unknown, files: Files = {}): ExtensionPart {
  return { id, contributes, file: path => sourceFile(files, path) }
}

const builtIn = join(import.meta.dirname, '../editor/node_modules/code-server/lib/vscode/extensions')

/** Whether the editor under test is there; plain unit tests go without it. */
export const hasEditor = existsSync(builtIn)

/** Those of the editor under test. */
export function builtInParts(): readonly ExtensionPart[] {
  return readdirSync(builtIn, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && entry.name !== 'node_modules')
    .map(({ name }) => {
      const folder = join(builtIn, name)
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      const { publisher, contributes } = manifest
      return { id: `${publisher}.${manifest.name}`, contributes, file: path => fileOnDisk(join(folder, path)) }
    })
}

const fileOnDisk = (path: string): SourceFile => ({
  path,
  read: () => readFile(path, 'utf8'),
  beside: other => fileOnDisk(join(path, '..', other)),
})
