// `askFormer`, `answerNext`: what is unsent, from a page that has lost the extension to the one in its place. `askWindow`, `answerWindows`: whether a window is there.
import { type Kept, readKept } from './store.ts'

/** A page that is there answers within a few milliseconds, unless its thread is busy. */
const WAIT_MS = 1_000

/**
 * Only the extension and the page itself know the id, so no other page of this origin takes part.
 */
const channelOf = (page: string) => new BroadcastChannel(`kourier-page-${page}`)
/** Of the pages of the window, in this browser. */
const channelOfWindow = (window: string) => new BroadcastChannel(`kourier-window-${window}`)

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

/** Answers pages of other windows that this one, with the id `window`, is there. */
export function answerWindows(window: string): void {
  const channel = channelOfWindow(window)
  channel.onmessage = ({ data }) => {
    if (data === 'ask') channel.postMessage('here')
  }
}

/** False if the window was closed, its tab has crashed or was discarded, or it is in another browser. */
export function askWindow(window: string): Promise<boolean> {
  return new Promise(resolve => {
    const channel = channelOfWindow(window)
    const end = (isThere: boolean) => {
      clearTimeout(timer)
      channel.close()
      resolve(isThere)
    }
    const timer = setTimeout(() => end(false), WAIT_MS)
    channel.onmessage = ({ data }) => {
      if (data === 'here') end(true)
    }
    channel.postMessage('ask')
  })
}
