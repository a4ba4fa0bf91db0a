// `VirtualFiles`: the port to the files of a workspace that is on no disk.
import type { TreePlace } from './treeSearch.ts'

export interface VirtualFiles {
  /** What is at the place; undefined for nothing. */
  kindOf(place: TreePlace, signal: AbortSignal): Promise<'file' | 'folder' | undefined>
  /** The paths of the files below a folder, relative to the root of the place, without what the editor leaves out. */
  find(place: TreePlace, signal: AbortSignal): Promise<readonly string[]>
  /** Undefined for a file that cannot be read or has more bytes. */
  read(place: TreePlace, mostBytes: number, signal: AbortSignal): Promise<Uint8Array | undefined>
}
