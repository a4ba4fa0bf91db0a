// `takeOverChats`: makes journals of the chats that version 0.1.0 stored, once.
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, readFile, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { faultText } from '../../base/fault.ts'
import { eventLine, headerLine } from '../../core/conversation/journalLines.ts'
import { storedChatEvents } from '../../core/conversation/storedChatEvents.ts'
import type { Log } from '../../core/log/log.ts'
import type { ConversationEvent } from '../../protocol/conversation.ts'
import { parsedJson } from '../../protocol/json.ts'
import { storedChat } from '../../protocol/stored.ts'
import type { JournalFolder } from './journalFolder.ts'

/** Version 0.1.0 read none that was larger. */
const LARGEST_BYTES = 64 * 1024 * 1024

export interface TakeOver {
  /** Where 0.1.0 stored the chats of this workspace. */
  readonly chats: string
  readonly journals: JournalFolder
  readonly workspace: string | undefined
  readonly log: Log
}

/**
 * Makes a journal of each chat, and removes the chat's file only when the journal is on disk. May be interrupted at any
 * moment and run again, also by two windows at once: no chat is taken over twice. A file that is no chat, or was stored
 * by a later version, stays as it is. Returns the new conversations, the one written last first.
 */
export async function takeOverChats(takeOver: TakeOver): Promise<readonly string[]> {
  const names = await readdir(takeOver.chats).catch(() => [])
  const taken: { conversation: string; time: number }[] = []
  for (const name of names.filter(ending => ending.endsWith('.json'))) {
    try {
      taken.push(...(await takeOne(join(takeOver.chats, name), takeOver)))
    } catch (fault) {
      takeOver.log.warn('A stored chat could not be taken over', { fault: faultText(fault) })
    }
  }
  return taken.sort((a, b) => b.time - a.time).map(({ conversation }) => conversation)
}

async function takeOne(path: string, { journals, workspace }: TakeOver) {
  const { size, mtimeMs: time } = await stat(path)
  if (size > LARGEST_BYTES) return []
  const bytes = await readFile(path)
  const read = storedChat.safeParse(parsedJson(bytes.toString('utf8')))
  if (!read.success) return []
  const source = createHash('sha256').update(bytes).digest('hex')
  const { id, messages } = read.data
  if (messages.length === 0) return []
  for (const conversation of [id, `${id}-${source.slice(0, 16)}`]) {
    const events = storedChatEvents(messages, { conversation, time, workspace, source })
    const journal = journals.pathOf(conversation)
    const isNew = await makeJournal(journal, conversation, events)
    // A journal of that name may hold an older state of the chat, if a window of 0.1.0 was still open.
    if (!isNew && !(await holds(journal, source))) continue
    await unlink(path)
    return isNew ? [{ conversation, time }] : []
  }
  return []
}

/** Makes the journal as a whole or not at all, and replaces none; false where there is one already. */
async function makeJournal(path: string, conversation: string, events: readonly ConversationEvent[]): Promise<boolean> {
  const draft = `${path}.${crypto.randomUUID()}`
  await mkdir(join(path, '..'), { recursive: true })
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(headerLine(conversation) + events.map(eventLine).join(''))
      await file.sync()
    } finally {
      await file.close()
    }
    return await placeDraft(draft, path)
  } finally {
    await unlink(draft).catch(() => {})
  }
}

async function placeDraft(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path)
    return true
  } catch (fault) {
    if (isThere(fault)) return false
  }
  // A file system without links.
  try {
    await copyFile(draft, path, constants.COPYFILE_EXCL)
    return true
  } catch (fault) {
    if (isThere(fault)) return false
    throw fault
  }
}

function isThere(fault: unknown): boolean {
  return fault instanceof Error && 'code' in fault && fault.code === 'EEXIST'
}

/** Whether the journal was made from the file with this hash. */
async function holds(journal: string, source: string): Promise<boolean> {
  const file = await open(journal, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4_096), 0, 4_096, 0)
    return buffer.toString('utf8', 0, bytesRead).includes(source)
  } finally {
    await file.close()
  }
}
