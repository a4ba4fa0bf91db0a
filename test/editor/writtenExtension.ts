// `writtenExtension`: a small extension that a test or a benchmark writes for itself.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeAtEnd } from '../support/processGroup.ts'

export interface WrittenExtension {
  readonly name: string
  /** Of the manifest. */
  readonly contributes?: Readonly<Record<string, unknown>>
  readonly program: string
  /** Others beside the manifest and the program, by their names. */
  readonly files?: Readonly<Record<string, string>>
}

/** Returns its folder, which is removed at the end of this process. The extension is activated after the editor's start. */
export function writtenExtension({ name, contributes = {}, program, files = {} }: WrittenExtension): string {
  const folder = mkdtempSync(join(tmpdir(), `kourier-${name}-`))
  removeAtEnd(folder)
  const manifest = {
    ...{ name, publisher: 'test', version: '1.0.0', engines: { vscode: '^1.100.0' } },
    ...{ main: './extension.cjs', activationEvents: ['onStartupFinished'], contributes },
  }
  const all = { ...files, 'package.json': JSON.stringify(manifest), 'extension.cjs': program }
  for (const [file, text] of Object.entries(all)) writeFileSync(join(folder, file), text)
  return folder
}
