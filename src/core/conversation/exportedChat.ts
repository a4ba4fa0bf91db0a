// `exportedChat` and `readExportedChat`: a conversation as the JSON of a file, and its events when such a file is imported.
import * as z from 'zod/mini'
import { type ConversationEvent, readEvent, recordOf } from '../../protocol/conversation.ts'
import { type ConversationState, emptyConversation, replay } from '../../protocol/conversationState.ts'
import { parsedJson } from '../../protocol/json.ts'
import { type CopyOptions, copiedEvents, type TimedBody } from './copiedEvents.ts'

const FORMAT = 'kourier-chat'
/** Increased only if an older version would misread the file. */
const VERSION = 1
/** The id of each exported conversation: an import makes its own. */
const CONVERSATION = 'exported'

const exported = z.object({ format: z.literal(FORMAT), version: z.number(), events: z.array(z.unknown()) })

/** Why a file cannot be imported. `later`: a later version wrote it; `damaged`: not all of it can be read. */
export type ImportProblem = 'no chat' | 'later' | 'damaged' | 'empty'

/** The content of the file; ids are numbered, because they have a meaning only inside of it. */
export function exportedChat(state: ConversationState, { isOnlyShown }: Pick<CopyOptions, 'isOnlyShown'>): unknown {
  const bodies = copiedEvents(state, { isOnlyShown, idOf: idsBy(count()) })
  return { format: FORMAT, version: VERSION, events: numbered(bodies).map(recordOf) }
}

/**
 * The events of a new conversation. The file is untrusted: nothing in it is taken over that could approve, run, open or
 * name anything outside of the conversation.
 */
export function readExportedChat(text: string, newId: () => string): readonly TimedBody[] | ImportProblem {
  const read = exported.safeParse(parsedJson(text))
  if (!read.success) return 'no chat'
  if (read.data.version > VERSION) return 'later'
  const events = read.data.events.map(readEvent)
  if (events.some(event => event?.conversation !== CONVERSATION)) return 'damaged'
  const state = replay(
    events.flatMap(event => event ?? []),
    emptyConversation(CONVERSATION),
  )
  const bodies = copiedEvents(state, { isOnlyShown: false, idOf: idsBy(newId) })
  return bodies.some(({ kind }) => kind === 'turn-started') ? bodies : 'empty'
}

function numbered(bodies: readonly TimedBody[]): ConversationEvent[] {
  return bodies.map((body, at) => ({ time: 0, ...body, conversation: CONVERSATION, n: at + 1 }))
}

/** Another id for each id, the same one each time. */
function idsBy(newId: () => string): (id: string) => string {
  const ids = new Map<string, string>()
  return id => {
    const known = ids.get(id) ?? newId()
    ids.set(id, known)
    return known
  }
}

function count(): () => string {
  let last = 0
  return () => String(++last)
}
