// `readPageFiles`: the script and the styles of the chat page, which its HTML holds; `readPageScript`: what it runs at the first use.
import { Uri, workspace } from 'vscode'
import type { ScriptName } from '../../protocol/panel.ts'

/** All that the page may load is in it: what its HTML holds is not. */
export const pageFolder = (extensionUri: Uri) => Uri.joinPath(extensionUri, 'dist', 'page')

export interface PageFiles {
  readonly script: string
  readonly styles: string
}

/** The text of a file that the build has compressed. */
type TextOf = (bytes: Uint8Array) => Promise<string>

export async function readPageFiles(extensionUri: Uri, textOf: TextOf): Promise<PageFiles> {
  const read = (name: string) => readPacked(extensionUri, name, textOf)
  const [script, styles] = await Promise.all([read('page.js.br'), read('chat.css.br')])
  return { script, styles }
}

export function readPageScript(extensionUri: Uri, name: ScriptName, textOf: TextOf): Promise<string> {
  return readPacked(extensionUri, `${name}.js.br`, textOf)
}

async function readPacked(extensionUri: Uri, name: string, textOf: TextOf): Promise<string> {
  return textOf(await workspace.fs.readFile(Uri.joinPath(extensionUri, 'dist', name)))
}
