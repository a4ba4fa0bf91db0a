// `filesIn`: the names of the files directly in a folder.
import { FileType, Uri, workspace } from 'vscode'
import { percentEncoded } from '../../base/text.ts'

/** As parts of a uri, sorted; none where there is no such folder. Links count as what they lead to. */
export async function filesIn(folder: string, ending: string, signal: AbortSignal): Promise<readonly string[]> {
  try {
    const entries = await workspace.fs.readDirectory(Uri.parse(folder))
    signal.throwIfAborted()
    return entries
      .filter(([name, type]) => name.endsWith(ending) && (type & FileType.File) !== 0)
      .map(([name]) => percentEncoded(name))
      .sort()
  } catch {
    signal.throwIfAborted()
    return []
  }
}
