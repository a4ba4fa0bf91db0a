// What the agent's journeys have in common: a chat in a mode, the card that asks, the list of changes, files and processes.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type FrameLocator, type Locator, type Page } from '@playwright/test'
import type { Editor } from '../editor/codeServer.ts'
import { message, writeMessage } from '../editor/workbench.ts'
import type { Service } from '../localService/server.ts'
import { type ChatWindow, emptyChat, readyChat } from './chatSteps.ts'
import type { EditorWindowOptions, EditorWindows } from './editorWindows.ts'
import { inferences, writtenIn } from './inferences.ts'

/** A new chat in the mode Edit. */
export async function openAgent(windows: EditorWindows, options?: EditorWindowOptions): Promise<ChatWindow> {
  const { page } = await windows.openSignedIn(options)
  return { page, chat: await newChat(page) }
}

export async function newChat(page: Page): Promise<FrameLocator> {
  // A new chat begins in Ask, which shows that it is the new one whose mode is selected then.
  await modeOf(await readyChat(page)).selectOption('Plan')
  const chat = await emptyChat(page)
  await expect(modeOf(chat)).toHaveValue('ask')
  await modeOf(chat).selectOption('Edit')
  return chat
}

export const modeOf = (chat: FrameLocator) => chat.getByRole('combobox', { name: 'Mode' })
export const composer = (chat: FrameLocator) => chat.getByRole('textbox', { name: 'Message' })
export const stopButton = (chat: FrameLocator) => chat.getByRole('button', { name: 'Stop', exact: true })
export const changeList = (chat: FrameLocator) => chat.getByRole('list', { name: 'Changes', exact: true })

/** The question about a call. */
export function card(chat: FrameLocator, tool = 'run_command'): Locator {
  return chat.locator('.approvals').getByRole('group', { name: `Tool: ${tool}` })
}

/** The last call of the tool in the last answer. */
export function call(chat: FrameLocator, tool = 'run_command'): Locator {
  return message(chat, 'Kourier')
    .getByRole('group', { name: `Tool: ${tool}` })
    .last()
}

/** Sends a message by keyboard, whether or not an answer is under way. */
export async function send(page: Page, chat: FrameLocator, text: string): Promise<void> {
  await writeMessage(chat, text)
  await page.keyboard.press('Enter')
}

export const allow = (chat: FrameLocator, tool?: string) => answerCard(chat, 'Allow', tool)
export const deny = (chat: FrameLocator, tool?: string) => answerCard(chat, 'Deny', tool)

/** A card takes no Enter that comes so soon after the one which has sent the message that it may be the same act. */
export async function answerCard(chat: FrameLocator, name: string, tool?: string): Promise<void> {
  const question = await card(chat, tool).getAttribute('data-question')
  const asked = chat.locator(`[data-question="${question}"]`)
  await expect(async () => {
    const button = asked.getByRole('button', { name, exact: true })
    if (await asked.isVisible()) await button.press('Enter', { timeout: 1_000 })
    await expect(asked).toHaveCount(0, { timeout: 2_000 })
  }).toPass({ timeout: 60_000 })
}

export async function answers(chat: FrameLocator, text: string): Promise<void> {
  await message(chat, 'Kourier').getByText(text).waitFor({ timeout: 60_000 })
}

/** The names of the changed files. */
export const changedFiles = async (chat: FrameLocator): Promise<string[]> =>
  (await changeList(chat).locator('.change-file').allInnerTexts()).toSorted()

export async function undoAll(chat: FrameLocator): Promise<void> {
  await chat.getByRole('button', { name: 'Undo all' }).click()
  await changeList(chat).waitFor({ state: 'detached' })
}

/** The roles and texts of the last request, without the instructions. */
export function lastMessages(service: Service): string[] {
  const { body } = inferences(service).at(-1) ?? assert.fail('nothing was sent')
  const { messages } = body as { messages: { role: string; content: unknown }[] } // as: the service has checked it
  return messages.slice(1).map(one => {
    const [role, text] = writtenIn(one)
    return `${role}: ${text}`
  })
}

/** Each file of the workspace with its mode and its bytes. */
export function filesOf({ workspace }: Pick<Editor, 'workspace'>): Readonly<Record<string, string>> {
  const files = readdirSync(workspace, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !/[\\/]\.git(?:[\\/]|$)/.test(entry.parentPath))
    .map(({ parentPath, name }) => join(parentPath, name))
  return Object.fromEntries(
    files.map(path => [
      path.slice(workspace.length + 1),
      `${(statSync(path).mode & 0o777).toString(8)} ${readFileSync(path, 'latin1')}`,
    ]),
  )
}

/** The numbers of the processes with this text in their command line. */
export function processesWith(text: string): readonly string[] {
  return readdirSync('/proc').filter(id => {
    try {
      return /^\d+$/.test(id) && readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(text)
    } catch {
      return false // it has just ended
    }
  })
}
