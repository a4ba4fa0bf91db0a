// `searchTools`: what lists and searches the files of the workspace for the agent.
import { type ExtensionContext, Uri } from 'vscode'
import { findSymbolTool } from '../core/tools/findSymbolTool.ts'
import { listFilesTool } from '../core/tools/listFilesTool.ts'
import { searchTextTool } from '../core/tools/searchTextTool.ts'
import type { Tool } from '../core/tools/tool.ts'
import type { ToolPaths } from '../core/tools/toolPaths.ts'
import { TreePlaces } from '../core/tools/treePlaces.ts'
import type { TextFiles } from '../core/workspace/textFiles.ts'
import { completionSettings } from '../editor/complete/completionSettings.ts'
import { diskPath, editorTreeRoots, unsavedTexts } from '../editor/context/editorTreeRoots.ts'
import { editorVirtualFiles } from '../editor/context/editorVirtualFiles.ts'
import { editorSymbolPlaces } from '../editor/tools/editorSymbolPlaces.ts'
import { ThreadSearch } from '../node/search/threadSearch.ts'
import { TreeThreads } from '../node/search/treeThreads.ts'
import { VirtualSearch } from '../node/search/virtualSearch.ts'
import { WorkspaceSearch } from '../node/search/workspaceSearch.ts'
import type { Services } from './services.ts'

/** No thread runs before the first search. */
export function searchTools(
  { extensionUri }: ExtensionContext,
  { clock, life }: Services,
  paths: ToolPaths,
  files: Pick<TextFiles, 'read'>,
): readonly Tool[] {
  const script = Uri.joinPath(extensionUri, 'dist', 'searchWorker.cjs').fsPath
  const threads = life.add(new TreeThreads({ script, clock }))
  const disk = new ThreadSearch({ threads, clock, pathOf: diskPath })
  const search = new WorkspaceSearch(disk, new VirtualSearch(editorVirtualFiles, threads))
  const unsent = (uri: Uri) => completionSettings({ id: uri.toString(), language: '' }).exclude
  const places = new TreePlaces({ paths, treeRoots: () => editorTreeRoots(unsent) })
  return [
    findSymbolTool({ paths, files, symbols: editorSymbolPlaces(clock) }),
    listFilesTool({ places, search }),
    searchTextTool({ places, search, unsaved: unsavedTexts }),
  ]
}
