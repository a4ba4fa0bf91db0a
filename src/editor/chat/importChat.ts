// `importChat`: makes a conversation of a file that was exported as JSON.
import { l10n, type Uri, window, workspace } from 'vscode'
import { contentHash } from '../../base/contentHash.ts'
import type { Session } from '../../core/agent/session.ts'
import type { Sessions } from '../../core/agent/sessions.ts'
import { type ImportProblem, readExportedChat } from '../../core/conversation/exportedChat.ts'
import { sanitize } from '../ui/sanitize.ts'

const LARGEST_BYTES = 64 * 1024 * 1024
const MIB = 1024 * 1024

export interface ImportChatOptions {
  readonly sessions: Sessions
  /** The workspace that the conversation belongs to, as a URI. */
  readonly workspace: string | undefined
  readonly newId: () => string
  /** Shows the conversation. */
  readonly show: (session: Session) => Promise<void>
}

/** A file that was imported before opens the conversation that was made of it then. */
export async function importChat(options: ImportChatOptions): Promise<void> {
  const [file] =
    (await window.showOpenDialog({
      title: l10n.t('Import Chat'),
      openLabel: l10n.t('Import'),
      canSelectMany: false,
      filters: { JSON: ['json'] },
    })) ?? []
  if (!file) return
  const problem = await importFile(file, options)
  if (problem) void window.showWarningMessage(problem)
}

/** Resolves with a sentence if the file cannot be imported. */
async function importFile(file: Uri, { sessions, workspace: own, newId, show }: ImportChatOptions) {
  const name = sanitize(file.path.split('/').at(-1) ?? '')
  const { size } = await workspace.fs.stat(file)
  if (size > LARGEST_BYTES)
    return l10n.t('{name} is larger than {count} MB, so it was not imported.', { name, count: LARGEST_BYTES / MIB })
  const bytes = await workspace.fs.readFile(file)
  const read = readExportedChat(new TextDecoder().decode(bytes), newId)
  if (typeof read === 'string') return problemText(read, name)
  const source = await contentHash(bytes)
  const time = read[0]?.time
  const created = {
    kind: 'created',
    source,
    ...(own && { workspace: own }),
    ...(time !== undefined && { time }),
  } as const
  await sessions.add(`import-${source.slice(0, 32)}`, [created, ...read], async session => {
    if (session.conversation.isDeleted) await session.setFlag('deleted', false)
    await show(session)
  })
  return undefined
}

function problemText(problem: ImportProblem, name: string): string {
  switch (problem) {
    case 'no chat':
      return l10n.t('{name} is not a chat that Kourier has exported as JSON.', { name })
    case 'later':
      return l10n.t('{name} was exported by a newer version of Kourier. Update Kourier to import it.', { name })
    case 'damaged':
      return l10n.t('{name} is damaged, so it was not imported. Export the chat again.', { name })
    case 'empty':
      return l10n.t('{name} contains no messages.', { name })
  }
}
