// A folder that a fixed list of changes and restores is made in, without an editor.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { contentHash } from '../../../../src/base/contentHash.ts'
import { Changes } from '../../../../src/core/tools/changes.ts'
import { Checkpoints } from '../../../../src/core/tools/checkpoints.ts'
import { WriteGuard } from '../../../../src/core/tools/writeGuard.ts'
import { PathResolver } from '../../../../src/core/workspace/pathResolver.ts'
import { ChangeFolder } from '../../../../src/node/changes/changeFolder.ts'
import { SystemFiles } from '../../../../src/node/changes/systemFiles.ts'
import { systemPaths } from '../../../../src/node/changes/systemPaths.ts'

export const original: Readonly<Record<string, string>> = {
  'a.txt': 'a 1\r\na 2\r\na 3\r\n',
  'b.txt': '\ufeffb 1\nb 2\n',
  'c.txt': 'c 1\nc 2\nc 3',
  'of the user.txt': 'nobody changes this\n',
}

const pathOf = (uri: string) => (uri.startsWith('file:') ? fileURLToPath(uri) : undefined)
const never = new AbortController().signal

export class ChangedFolder {
  readonly root: string
  readonly changes: Changes
  readonly checkpoints: Checkpoints
  readonly #files = new SystemFiles({
    pathOf,
    codec: {
      decode: async bytes => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
      encode: async text => Buffer.from(text),
    },
  })

  constructor(top: string) {
    this.root = join(top, 'work')
    const resolver = new PathResolver({
      roots: () => [{ uri: pathToFileURL(this.root).href, name: 'work', path: this.root }],
      disk: systemPaths,
      uriOf: path => pathToFileURL(path).href,
      pathOf,
    })
    this.changes = new Changes({
      store: new ChangeFolder(join(top, 'storage')),
      files: this.#files,
      guard: new WriteGuard({ resolver, home: undefined }),
      consent: { ask: async () => true },
      now: () => 0,
    })
    this.checkpoints = new Checkpoints({ changes: this.changes, files: this.#files, newId: () => '1' })
  }

  /** `onStep`: after each change of one file. */
  async run(onStep: () => void = () => {}): Promise<void> {
    this.changes.onDidChange(onStep)
    await this.#change('t1', 'a.txt', text => text.replace('a 2', 'a two\na three'))
    await this.#change('t1', 'b.txt', text => text.replace('b 1', 'b one'))
    await this.#change('t2', 'new/d.txt', () => 'd 1\n')
    await this.#change('t2', 'a.txt', text => text.replace('a 1', 'a one'))
    await this.#rename('t2', 'c.txt', 'new/e.txt')
    await this.#change('t3', 'b.txt', () => null)
    await this.#change('t3', 'new/e.txt', text => `${text}\nc 4\n`)
    await this.checkpoints.restore('c', ['t2', 't3'], new Set(), never)
  }

  state(): string {
    const paths = readdirSync(this.root, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
      .sort()
    return JSON.stringify(paths.map(path => [path.slice(this.root.length + 1), readFileSync(path, 'latin1')]))
  }

  #uri(path: string): string {
    return pathToFileURL(join(this.root, path)).href
  }

  async #change(turn: string, path: string, make: (text: string) => string | null): Promise<void> {
    const uri = this.#uri(path)
    const present = await this.#files.read(uri)
    const text = present.is === 'text' ? present.text : null
    const seen = text === null ? null : await contentHash(text)
    const { is } = await this.changes.apply({ conversation: 'c', turn, uri, seen, text: make(text ?? '') }, never)
    if (is !== 'changed') throw new Error(`${path}: ${is}`)
  }

  async #rename(turn: string, from: string, to: string): Promise<void> {
    await this.changes.apply({ conversation: 'c', turn, uri: this.#uri(from), to: this.#uri(to) }, never)
  }
}
