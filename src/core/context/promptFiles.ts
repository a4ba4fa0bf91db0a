// `PromptFiles`: prompts that the user or the workspace keeps in files, to be used as slash commands.
import { sanitizeLine } from '../../base/text.ts'
import type { FileAccess } from './fileAccess.ts'
import { frontMatter } from './frontMatter.ts'

export interface PromptFile {
  /** That in its front matter or of the file, without its ending: lower case, without spaces. */
  readonly name: string
  readonly description: string
  readonly body: string
  readonly uri: string
  /** That of the workspace in which it is; none for the user's own. */
  readonly folder?: string
  /** What it sets beside its text and has no effect: a file decides neither what the model may do nor which model is asked. */
  readonly withoutEffect: readonly string[]
}

export interface PromptFilePorts {
  /** The folders of the workspace; none while it is not trusted. */
  readonly workspaceFolders: () => readonly string[]
  /** The folder of the profile that the window has. */
  readonly profileFolder: string
  readonly filesIn: (folder: string, ending: string, signal: AbortSignal) => Promise<readonly string[]>
  /** A file of the user's own, which no policy keeps from them. */
  readonly readOwn: (uri: string, signal: AbortSignal) => Promise<string | undefined>
}

const ENDING = '.prompt.md'
const MOST_CHARS = 60_000

/** The user's own come first and hide those of the workspace that have the same name. */
export async function promptFiles(
  access: FileAccess,
  ports: PromptFilePorts,
  signal: AbortSignal,
): Promise<readonly PromptFile[]> {
  const own = await filesOf(ports.profileFolder, undefined, uri => ports.readOwn(uri, signal))
  const shared = await Promise.all(
    ports.workspaceFolders().map(folder =>
      filesOf(`${folder}/.github/prompts`, folder, async uri => {
        const taken = await access.take(uri, 'mention', signal)
        return taken.is === 'read' ? taken.read.text : undefined
      }),
    ),
  )
  const byName = new Map([...own, ...shared.flat()].toReversed().map(one => [one.name, one]))
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))

  async function filesOf(
    place: string,
    folder: string | undefined,
    read: (uri: string) => Promise<string | undefined>,
  ): Promise<PromptFile[]> {
    const names = await ports.filesIn(place, ENDING, signal)
    const files = await Promise.all(
      names.map(async name => promptFile(`${place}/${name}`, name, await read(`${place}/${name}`))),
    )
    return files.flatMap(file => (file ? [{ ...file, ...(folder !== undefined && { folder }) }] : []))
  }
}

function promptFile(uri: string, fileName: string, text: string | undefined): PromptFile | undefined {
  if (text === undefined || text.length > MOST_CHARS) return undefined
  const { values, body } = frontMatter(text)
  const name = (values.get('name')?.[0] ?? decodeURIComponent(fileName).slice(0, -ENDING.length))
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_-]+/gu, '-')
  const description = sanitizeLine(values.get('description')?.join(', ') ?? '', 200)
  const withoutEffect = settings.filter(one => values.has(one))
  return name === '' || body.trim() === '' ? undefined : { name, description, body, uri, withoutEffect }
}

/** Of the front matter of other assistants. */
const settings = ['agent', 'mode', 'model', 'tools']
