// `TreePlaces`: from a path as the model writes it to the folder that is walked, and why it is not.
import type { NoTree, TreePlace, TreeRoot } from '../workspace/treeSearch.ts'
import { quoted, type ToolPaths } from './toolPaths.ts'

export interface TreePlacePorts {
  readonly paths: Pick<ToolPaths, 'places' | 'missingText'>
  /** The folders of the workspace, with what is left out of them. */
  treeRoots(): readonly TreeRoot[]
}

export type FoundPlaces =
  | { readonly is: 'places'; readonly places: readonly TreePlace[] }
  | { readonly is: 'refused'; readonly output: string }

export class TreePlaces {
  readonly #ports: TreePlacePorts

  constructor(ports: TreePlacePorts) {
    this.#ports = ports
  }

  find(written: string | undefined): FoundPlaces {
    const found = this.#ports.paths.places(written)
    if (found.is === 'refused') return found
    const roots = this.#ports.treeRoots()
    const places = found.uris.flatMap(uri => placeOf(uri, roots) ?? [])
    if (places.length > 0) return { is: 'places', places }
    return { is: 'refused', output: outsideText(written ?? '') }
  }

  /** What happened, what is true now, and what to do. */
  async problemText(written: string | undefined, { is }: NoTree, signal: AbortSignal): Promise<string> {
    const shown = quoted(written ?? '.')
    switch (is) {
      case 'missing':
        return this.#ports.paths.missingText(written ?? '.', signal)
      case 'outside':
        return outsideText(written ?? '.')
      case 'file':
        return `${shown} is no folder. It is a file. Read it with read_file.`
      case 'ignored':
        return (
          `${shown} is left out. Git ignores it, or the settings of the editor exclude it from searches. ` +
          'Go on without it, or read one of its files with read_file, about which the user is asked.'
        )
    }
  }
}

const outsideText = (written: string) =>
  `${quoted(written)} is outside of the workspace. Only the folders of the workspace are listed and searched. ` +
  'Use a path inside of them.'

function placeOf(uri: string, roots: readonly TreeRoot[]): TreePlace | undefined {
  for (const root of roots) {
    const lead = root.uri.replace(/\/$/, '')
    if (uri.replace(/\/$/, '') === lead) return { root, path: '' }
    if (uri.startsWith(`${lead}/`)) return { root, path: decodeURIComponent(uri.slice(lead.length + 1)) }
  }
  return undefined
}
