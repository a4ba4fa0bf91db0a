// `PromptFiles`: prompts that the user or the workspace keeps in files, to be used as slash commands.
import { sanitizeLine } from '../../base/text.ts'
import type { FileAccess } from './fileAccess.ts'
import { frontMatter } from './frontMatter.ts'

export interface PromptFile {
  /** Of the file, without its ending: lower case, without spaces. */
  readonly name: string
  readonly description: string
  readonly body: string
  readonly uri: string
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
  const own = await filesOf(ports.profileFolder, uri => ports.readOwn(uri, signal))
  const shared = await Promise.all(
    ports.workspaceFolders().map(folder =>
      filesOf(`${folder}/.github/prompts`, async uri => {
        const taken = await access.take(uri, 'mention', signal)
        return taken.is === 'read' ? taken.read.text : undefined
      }),
    ),
  )
  const byName = new Map([...own, ...shared.flat()].toReversed().map(one => [one.name, one]))
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))

  async function filesOf(folder: string, read: (uri: string) => Promise<string | undefined>): Promise<PromptFile[]> {
    const names = await ports.filesIn(folder, ENDING, signal)
    const files = await Promise.all(
      names.map(async name => promptFile(`${folder}/${name}`, name, await read(`${folder}/${name}`))),
    )
    return files.flatMap(file => file ?? [])
  }
}

function promptFile(uri: string, fileName: string, text: string | undefined): PromptFile | undefined {
  if (text === undefined || text.length > MOST_CHARS) return undefined
  const name = decodeURIComponent(fileName)
    .slice(0, -ENDING.length)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_-]+/gu, '-')
  const { values, body } = frontMatter(text)
  const description = sanitizeLine(values.get('description')?.join(', ') ?? '', 200)
  return name === '' || body.trim() === '' ? undefined : { name, description, body, uri }
}
