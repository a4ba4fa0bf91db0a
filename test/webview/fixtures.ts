// The fixtures of the tests of the chat's page: the server that serves it, and a page that has been sent messages.
import { test as base } from '@playwright/test'
import type { ToPage } from '../../src/protocol/panel.ts'
import { ChatPage, type Look, PageServer } from './chatPage.ts'

type OpenChat = (messages: readonly ToPage[], look?: Look) => Promise<ChatPage>

export const test = base.extend<{ openChat: OpenChat }, { server: PageServer }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: a fixture that needs no other has an empty pattern.
    async ({}, use) => {
      const server = await PageServer.start()
      await use(server)
      server.close()
    },
    { scope: 'worker' },
  ],
  openChat: async ({ page, server }, use) => {
    await use(async (messages, look) => {
      const chat = await ChatPage.open(page, server, look)
      await chat.post(...messages)
      return chat
    })
  },
})
