// `editorStorage`: where the editor and its extensions keep what they know, which no command in the sandbox reads.
import { join } from 'node:path'

/** The folders of storage that an extension has: for all workspaces, and for this one. */
export interface ExtensionStorage {
  readonly all: string
  readonly workspace: string | undefined
}

/** Of every workspace and every profile; some may not exist. */
export function editorStorage({ all, workspace }: ExtensionStorage): readonly string[] {
  // With a profile, the storage for all workspaces is in the folder of the profile.
  const users = [join(all, '../..'), ...(workspace === undefined ? [] : [join(workspace, '../../..')])]
  // The editor's own copies of files, also of secret ones, are its local history and what is not saved.
  const names = ['globalStorage', 'workspaceStorage', 'History', 'profiles', 'sync', '../Backups', '../logs']
  return [...new Set([join(all, '..'), ...users.flatMap(user => names.map(name => join(user, name)))])]
}
