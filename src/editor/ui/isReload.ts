// `isReload`: whether a change of a document is one of its file on the disk, and not of the user.
import type { TextDocument } from 'vscode'

/** Valid within the event of the change. Whatever is typed leaves unsaved changes; those of a cell are its notebook's. */
export function isReload({ isDirty, uri: { scheme } }: TextDocument): boolean {
  return !isDirty && (scheme === 'file' || scheme === 'vscode-remote')
}
