// `fileLabel`: a file's path as the user reads it.
import { Uri, workspace } from 'vscode'
import { sanitizeLine } from '../../base/text.ts'

/** Relative to its folder where it is in one. */
export function fileLabel(uri: string): string {
  const target = Uri.parse(uri, true)
  return sanitizeLine(target.scheme === 'untitled' ? target.path : workspace.asRelativePath(target))
}
