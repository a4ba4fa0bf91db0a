// `promptText`: the text of a prompt file with the values of its variables, and the files that it names.

import { percentDecoded } from '../../base/text.ts'
import { proseOf, uriBelow } from './namedPaths.ts'
import type { PromptFile } from './promptFiles.ts'

/** What the variables stand for now; a variable without a value stays as it is. */
export type PromptValues = Readonly<Partial<Record<PromptVariable, string>>>

export type PromptVariable =
  | 'selection'
  | 'selectedText'
  | 'file'
  | 'fileBasename'
  | 'fileBasenameNoExtension'
  | 'fileDirname'
  | 'workspaceFolder'
  | 'workspaceFolderBasename'

export interface PromptText {
  readonly text: string
  /** The variables that have a value, once each, and those that have none now. */
  readonly used: readonly PromptVariable[]
  readonly lacking: readonly PromptVariable[]
  /** What the user writes into the message, each with what it is about. */
  readonly inputs: readonly { readonly name: string; readonly about: string }[]
  /** For each file that the text names: where it may be, as URIs, the likeliest first. */
  readonly files: readonly (readonly string[])[]
}

const variables: Readonly<Record<PromptVariable, true>> = {
  selection: true,
  selectedText: true,
  file: true,
  fileBasename: true,
  fileBasenameNoExtension: true,
  fileDirname: true,
  workspaceFolder: true,
  workspaceFolderBasename: true,
}

const isVariable = (name: string): name is PromptVariable => Object.hasOwn(variables, name)

const anyVariable = /\$\{(?:input:(?<input>[\w-]+)(?::(?<about>[^}]*))?|(?<name>\w+))\}/g

/** `root`: the folder of the workspace for a prompt of the user's own. */
export function promptText(prompt: PromptFile, values: PromptValues, root: string | undefined): PromptText {
  const used = new Set<PromptVariable>()
  const lacking = new Set<PromptVariable>()
  const inputs = new Map<string, string>()
  const text = prompt.body.replace(anyVariable, (found, ...groups) => {
    // as: the last argument is the object of the named groups.
    const { input, about = '', name = '' } = groups.at(-1) as Partial<Record<'input' | 'about' | 'name', string>>
    if (input !== undefined) {
      if (!inputs.get(input)) inputs.set(input, about.trim())
      return `"${input}" of the message`
    }
    if (!isVariable(name)) return found
    const value = values[name]
    if (value === undefined) lacking.add(name)
    else used.add(name)
    return value ?? found
  })
  return {
    text,
    used: [...used],
    lacking: [...lacking],
    inputs: [...inputs].map(([name, about]) => ({ name, about })),
    files: filesIn(prompt, root),
  }
}

/** `#file:path`, and Markdown links to files, which are relative to the prompt file. */
function filesIn({ body, uri, folder }: PromptFile, root: string | undefined) {
  const prose = proseOf(body)
  const beside = (path: string) => (folder === undefined ? undefined : uriBelow(folder, uri, path))
  const inRoot = folder ?? root
  const below = (path: string) => (inRoot === undefined ? undefined : uriBelow(inRoot, `${inRoot}/`, path))
  const named = [...prose.matchAll(/(?<=^|\s)#file:(?:"([^"\n]+)"|'([^'\n]+)'|([^\s"']+))/g)]
    .map(([, double, single, plain]) => double ?? single ?? plain?.replace(/[.,;:)]+$/, '') ?? '')
    .map(path => [beside(path), below(path)])
  const linked = [...prose.matchAll(/\]\((?![a-z][\w+.-]*:|[#/])<?([^)\s<>#]+)(?:#[^)\s<>]*)?>?\)/gi)].map(
    ([, path = '']) => [beside(percentDecoded(path))],
  )
  const all = [...named, ...linked].map(places => [...new Set(places.flatMap(place => place ?? []))])
  return [...new Map(all.filter(places => places.length > 0).map(places => [places.join(), places])).values()]
}
