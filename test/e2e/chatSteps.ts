// What journeys through the chat begin with: a chat that is ready, and an empty one.
import type { FrameLocator, Page } from '@playwright/test'
import { message, openChat, runCommand, statusBarItem } from '../editor/workbench.ts'
import type { EditorWindowOptions, EditorWindows } from './editorWindows.ts'

/** As long as for a window, because the extension starts here, often while another one is ended. */
const startMs = 60_000

export interface ChatWindow {
  readonly page: Page
  readonly chat: FrameLocator
}

/** The chat in the side bar, once the user is signed in and the model is known. */
export async function readyChat(page: Page): Promise<FrameLocator> {
  await statusBarItem(page, /Signed in to/).waitFor({ timeout: startMs })
  const chat = await openChat(page)
  await chat.getByRole('button', { name: 'Model: kourier-1-0815' }).waitFor({ timeout: startMs })
  return chat
}

/** An empty conversation in it. */
export async function emptyChat(page: Page): Promise<FrameLocator> {
  const chat = await readyChat(page)
  await runCommand(page, 'Kourier: New Chat')
  await message(chat, 'You').waitFor({ state: 'detached' })
  return chat
}

export async function openEmptyChat(windows: EditorWindows, options?: EditorWindowOptions): Promise<ChatWindow> {
  const { page } = await windows.openSignedIn(options)
  return { page, chat: await emptyChat(page) }
}

export const queue = (chat: FrameLocator) => chat.getByRole('list', { name: 'Queued messages' })

/** The page shows a message before the extension has it; only then it can be sent at once. */
export function isQueued(chat: FrameLocator, text: string): Promise<void> {
  return queue(chat).getByRole('listitem').filter({ hasText: text }).getByRole('button', { name: 'Send now' }).waitFor()
}
