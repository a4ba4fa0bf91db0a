// `walkSources`: every node of the syntax trees of some source files, with the nodes above it.
import type { Node, SourceFile } from 'typescript/unstable/ast'
import { createVirtualFileSystem } from 'typescript/unstable/fs'
import { API } from 'typescript/unstable/sync'

/** `above`: the parent first. `where`: file and line. */
export interface Visited {
  readonly node: Node
  readonly above: readonly Node[]
  readonly file: string
  readonly where: string
}

/** `files`: the text of each by its path. They are parsed alone: what they import is not read. */
export function* walkSources(files: Readonly<Record<string, string>>): Generator<Visited> {
  const options = { noLib: true, noResolve: true, types: [], jsx: 'preserve', allowImportingTsExtensions: true }
  const at = (path: string) => `/sources/${path}`
  const config = at('tsconfig.json')
  const all = Object.entries(files).map(([path, text]) => [at(path), text])
  const project = JSON.stringify({ compilerOptions: options, files: all.map(([path]) => path) })
  const fs = createVirtualFileSystem({ ...Object.fromEntries(all), [config]: project })
  const api = new API({ cwd: '/sources', fs })
  try {
    const [found] = api.updateSnapshot({ openProjects: [config] }).getProjects()
    for (const file of Object.keys(files)) {
      const source = found?.program.getSourceFile(at(file))
      if (!source) throw new Error(`${file} was not parsed.`)
      yield* visit(source, [], source, file)
    }
  } finally {
    api.close()
  }
}

function* visit(node: Node, above: readonly Node[], source: SourceFile, file: string): Generator<Visited> {
  const line = source.text.slice(0, node.getStart(source)).split('\n').length
  yield { node, above, file, where: `${file}:${line}` }
  const children: Node[] = []
  node.forEachChild(child => void children.push(child))
  for (const child of children) yield* visit(child, [node, ...above], source, file)
}
