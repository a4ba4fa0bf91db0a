// `protectedGlobs`: what the setting for protected files adds for a file, of the user and of the workspace together.
import { Uri, workspace } from 'vscode'

/** All levels count, because a workspace may only protect more. */
export function protectedGlobs(uri: string): readonly string[] {
  const found = workspace.getConfiguration('kourier', Uri.parse(uri, true)).inspect<unknown>('agent.protect')
  const levels = [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue]
  return levels.flatMap(level => (Array.isArray(level) ? level.filter(glob => typeof glob === 'string') : []))
}
