// `askFormer`: gets what is unsent from a page that has lost the extension, for the page that takes its place; `answerNext`.
import { type Kept, readKept } from './store.ts'

/** A page that is there answers within a few milliseconds, unless its thread is busy. */
const WAIT_MS = 1_000

/**
 * Only the extension and the page itself know the id, so no other page of this origin takes part.
 */
const channelOf = (page: string) => new BroadcastChannel(`kourier-page-${page}`)

/** Answers the page that takes the place of this one, which has the id `page`. */
export function answerNext(page: string, kept: () => unknown): void {
  const channel = channelOf(page)
  channel.onmessage = ({ data }) => {
    if (data === 'ask') channel.postMessage(kept())
  }
}

/** Undefined if there is no such page, or it has shown no conversation. */
export function askFormer(page: string): Promise<Kept | undefined> {
  return new Promise(resolve => {
    const channel = channelOf(page)
    const end = (kept?: Kept) => {
      clearTimeout(timer)
      channel.close()
      resolve(kept?.conversation ? kept : undefined)
    }
    const timer = setTimeout(end, WAIT_MS)
    channel.onmessage = ({ data }) => {
      if (data !== 'ask') end(readKept(data))
    }
    channel.postMessage('ask')
  })
}
