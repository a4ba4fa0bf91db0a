// `filesIn`, `foldersIn`: the names of what is directly in a folder.
import { FileType, Uri, workspace } from 'vscode'
import { percentEncoded } from '../../base/text.ts'

/** Those with an ending. As parts of a uri, sorted; none where there is no such folder. Links count as what they lead to. */
export async function filesIn(folder: string, ending: string, signal: AbortSignal): Promise<readonly string[]> {
  return (await namesIn(folder, FileType.File, signal)).filter(name => name.endsWith(percentEncoded(ending)))
}

/** The same of folders. */
export function foldersIn(folder: string, signal: AbortSignal): Promise<readonly string[]> {
  return namesIn(folder, FileType.Directory, signal)
}

async function namesIn(folder: string, wanted: FileType, signal: AbortSignal): Promise<readonly string[]> {
  try {
    const entries = await workspace.fs.readDirectory(Uri.parse(folder))
    signal.throwIfAborted()
    return entries
      .filter(([, type]) => (type & wanted) !== 0)
      .map(([name]) => percentEncoded(name))
      .sort()
  } catch {
    signal.throwIfAborted()
    return []
  }
}
