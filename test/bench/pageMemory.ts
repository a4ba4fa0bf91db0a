// What the chat's page keeps in memory after a long answer, counted in heap snapshots of the page alone.
import type { CDPSession } from '@playwright/test'
import { launchChromium } from '../editor/chromium.ts'
import { PageConversation } from '../support/pageConversation.ts'
import { ChatPage, PageServer } from '../webview/chatPage.ts'
import { longMarkdown } from './longMarkdown.ts'
import type { Row } from './row.ts'

const TOKENS = 4_000
const CHARS_PER_TOKEN = 4
/** As many tokens as one frame of the page brings at some 500 tokens/s. */
const TOKENS_PER_EVENT = 8

interface Heap {
  readonly bytes: number
  /** Elements that are in no document any more, though something still holds them. */
  readonly detached: number
}

/** The editor's own windows around the page are not in these figures. */
export async function pageMemory(): Promise<Row[]> {
  const server = await PageServer.start()
  const browser = await launchChromium()
  try {
    const page = await browser.newPage()
    const chat = await ChatPage.open(page, server)
    const conversation = new PageConversation()
    const account = { kind: 'account', account: { is: 'in', service: 'Kourier' } } as const
    await chat.post(account, conversation.replay())
    const session = await page.context().newCDPSession(page)
    const before = await heapOf(session)
    await chat.post(conversation.replay(question, { role: 'assistant', id: 'a', text: '', state: 'streaming' }))
    const text = longMarkdown(TOKENS * CHARS_PER_TOKEN)
    const size = TOKENS_PER_EVENT * CHARS_PER_TOKEN
    for (let at = 0; at < text.length; at += size) await chat.post(conversation.delta(at, text.slice(at, at + size)))
    const after = await heapOf(session)
    await chat.post(new PageConversation('next').replay())
    const emptied = await heapOf(session)
    return [
      { what: 'page’s heap, empty', value: before.bytes / 2 ** 20, unit: 'MiB' },
      { what: '  after 4,000 tokens', value: after.bytes / 2 ** 20, unit: 'MiB' },
      { what: '  in the next conversation', value: emptied.bytes / 2 ** 20, unit: 'MiB' },
      { what: '  detached elements then', value: emptied.detached, unit: 'elements' },
    ]
  } finally {
    await browser.close()
    server.close()
  }
}

const question = { role: 'user', text: 'Go on' } as const

async function heapOf(session: CDPSession): Promise<Heap> {
  const chunks: string[] = []
  const take = ({ chunk }: { readonly chunk: string }) => void chunks.push(chunk)
  session.on('HeapProfiler.addHeapSnapshotChunk', take)
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  session.off('HeapProfiler.addHeapSnapshotChunk', take)
  return totalOf(JSON.parse(chunks.join('')) as HeapSnapshot)
}

/** https://chromium.googlesource.com/v8/v8/+/main/src/profiler/heap-snapshot-generator.cc, `HeapSnapshotJSONSerializer` */
interface HeapSnapshot {
  readonly snapshot: { readonly meta: { readonly node_fields: readonly string[] } }
  readonly nodes: readonly number[]
}

function totalOf({ snapshot, nodes }: HeapSnapshot): Heap {
  const fields = snapshot.meta.node_fields
  const [size, detachedness] = [fields.indexOf('self_size'), fields.indexOf('detachedness')]
  let bytes = 0
  let detached = 0
  for (let at = 0; at < nodes.length; at += fields.length) {
    bytes += nodes[at + size] ?? 0
    if (nodes[at + detachedness] === 2) detached++
  }
  return { bytes, detached }
}
