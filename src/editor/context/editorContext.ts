// `editorContext`: makes the sources of context out of what the editor offers.
import type { Clock } from '../../base/clock.ts'
import { DisposableStore } from '../../base/disposable.ts'
import { CombinedSources } from '../../core/context/combinedSources.ts'
import type { ContextSources } from '../../core/context/contextSources.ts'
import { FileAccess } from '../../core/context/fileAccess.ts'
import { fileSource, selectionSource } from '../../core/context/fileSources.ts'
import { folderSource } from '../../core/context/folderSource.ts'
import type { AccessPolicy } from '../../core/workspace/accessPolicy.ts'
import type { IgnoredFiles } from '../../core/workspace/ignoredFiles.ts'
import type { FileListing } from '../../core/workspace/textFiles.ts'
import { EditorOffers } from './editorOffers.ts'
import { EditorTextFiles, type RealPath } from './editorTextFiles.ts'
import { WorkspaceFileSearch } from './workspaceFileSearch.ts'

export interface EditorContextNeeds {
  readonly access: AccessPolicy
  readonly listing: FileListing
  readonly ignored: IgnoredFiles
  readonly realPath: RealPath
  readonly newId: () => string
  readonly clock: Clock
}

export function editorContext(needs: EditorContextNeeds): ContextSources {
  const { access, listing, ignored, realPath, newId, clock } = needs
  const life = new DisposableStore()
  const files = new FileAccess({ files: new EditorTextFiles(realPath), access, newId })
  const search = life.add(new WorkspaceFileSearch(listing, ignored, clock))
  const offers = life.add(new EditorOffers(clock))
  const table = {
    file: fileSource(files, search),
    folder: folderSource(files, listing, search),
    selection: selectionSource(files),
  }
  return new CombinedSources(table, offers, life)
}
