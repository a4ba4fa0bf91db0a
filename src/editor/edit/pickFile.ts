// `pickFile`: the user picks a file of the workspace from a list that follows what is typed.
import { type QuickPickItem, window } from 'vscode'
import { isAbort } from '../../base/abort.ts'
import { DisposableStore } from '../../base/disposable.ts'
import { sanitizeLine } from '../../base/text.ts'
import type { FileSearch } from '../../core/workspace/fileIndex.ts'
import { fileLabel } from './fileLabel.ts'

export interface PickFileOptions {
  readonly title: string
  readonly placeholder: string
  /** The likely ones, above all others while nothing is typed. */
  readonly first: readonly string[]
}

interface FileItem extends QuickPickItem {
  readonly uri: string
}

const MOST_FILES = 100

/** Undefined where the user picks none. */
export function pickFile(search: FileSearch, { title, placeholder, first }: PickFileOptions) {
  const disposables = new DisposableStore()
  const pick = disposables.add(window.createQuickPick<FileItem>())
  pick.title = title
  pick.placeholder = placeholder
  const likely = first.map(uri => itemOf(uri, fileLabel(uri)))
  let running: AbortController | undefined
  const list = async (typed: string) => {
    running?.abort()
    running = new AbortController()
    const { signal } = running
    pick.busy = true
    try {
      const top = likely.filter(item => hasText(item, typed))
      for await (const matches of search.search(typed, { of: 'file', limit: MOST_FILES }, signal)) {
        const others = matches.filter(({ uri }) => !top.some(item => item.uri === uri))
        pick.items = [...top, ...others.map(({ uri, path }) => itemOf(uri, path))]
      }
    } catch (fault) {
      if (!isAbort(fault)) throw fault
    } finally {
      if (!signal.aborted) pick.busy = false
    }
  }
  return new Promise<string | undefined>((resolve, reject) => {
    const follow = (typed: string) => void list(typed).catch(reject)
    disposables.add(pick.onDidChangeValue(follow))
    disposables.add(pick.onDidAccept(() => resolve(pick.selectedItems[0]?.uri)))
    disposables.add(pick.onDidHide(() => resolve(undefined)))
    pick.items = likely
    pick.show()
    follow('')
  }).finally(() => {
    running?.abort()
    disposables.dispose()
  })
}

/** `alwaysShow`: the search has found it, perhaps by letters that the editor would not find. */
function itemOf(uri: string, path: string): FileItem {
  const nameStart = path.lastIndexOf('/') + 1
  const label = sanitizeLine(path.slice(nameStart))
  const description = sanitizeLine(path.slice(0, Math.max(nameStart - 1, 0)))
  return { uri, label, ...(description && { description }), alwaysShow: true }
}

function hasText({ label, description = '' }: FileItem, typed: string): boolean {
  return `${description}/${label}`.toLowerCase().includes(typed.toLowerCase())
}
