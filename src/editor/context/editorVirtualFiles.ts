// `editorVirtualFiles`: the files of a workspace that is on no disk, as the editor finds and reads them.
import { FileType, RelativePattern, Uri, workspace } from 'vscode'
import type { TreePlace } from '../../core/workspace/treeSearch.ts'
import type { VirtualFiles } from '../../core/workspace/virtualFiles.ts'
import { withToken } from '../ui/cancellation.ts'
import { isExcluded } from './excludedByEditor.ts'

const MOST_FOUND = 20_000

export const editorVirtualFiles: VirtualFiles = {
  async kindOf(place) {
    try {
      const { type } = await workspace.fs.stat(uriOf(place))
      return (type & FileType.Directory) === 0 ? 'file' : 'folder'
    } catch {
      return undefined
    }
  },

  async find(place, signal) {
    const root = Uri.parse(place.root.uri, true)
    const pattern = new RelativePattern(uriOf(place), '**/*')
    const found = await withToken(signal, token => workspace.findFiles(pattern, undefined, MOST_FOUND, token))
    return found
      .map(uri => uri.path.slice(root.path.replace(/\/$/, '').length + 1))
      .filter(path => !/(?:^|\/)\.git\//.test(path) && !isExcluded(path, place.root.excluded))
  },

  async read(place, mostBytes) {
    try {
      const uri = uriOf(place)
      const { size } = await workspace.fs.stat(uri)
      return size > mostBytes ? undefined : await workspace.fs.readFile(uri)
    } catch {
      return undefined
    }
  },
}

function uriOf({ root, path }: TreePlace): Uri {
  const uri = Uri.parse(root.uri, true)
  return path === '' ? uri : Uri.joinPath(uri, path)
}
