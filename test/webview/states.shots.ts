// Pictures of the chat's page in every state, theme, language and width, for people to look at; and sheets of them.
// With `STATES`, a regular expression, those of the states whose names match.
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { Page } from '@playwright/test'
import { ChatPage, type PageServer } from './chatPage.ts'
import { chatStates } from './chatStates.ts'
import { test } from './fixtures.ts'
import type { Theme } from './themes.ts'

const folder = join(import.meta.dirname, '../../build/states')
const chosen = new RegExp(process.env['STATES'] ?? '')
const themes: readonly Theme[] = ['dark', 'light', 'high-contrast', 'high-contrast-light']
const languages = ['en', 'de'] as const
const widths = [320, 200, 900] as const
/** So that a sheet can be read on a screen. */
const sheetWidth = 1_800

test.describe.configure({ mode: 'parallel' })

for (const theme of themes)
  for (const language of languages)
    for (const width of widths)
      test(`${theme} ${language} ${width}`, async ({ context, server }) => {
        const place = join(folder, `${theme}-${language}-${width}`)
        mkdirSync(place, { recursive: true })
        const files: string[] = []
        for (const name of Object.keys(chatStates).filter(state => chosen.test(state))) {
          const file = join(place, `${name.replace(/\W+/g, '-')}.png`)
          const page = await context.newPage()
          page.setDefaultTimeout(5_000)
          await picture(page, server, name, { theme, width, language }, file)
          await page.close()
          files.push(file)
        }
        await sheets(await context.newPage(), files, width, place)
      })

interface Look {
  readonly theme: Theme
  readonly width: number
  readonly language: 'en' | 'de'
}

async function picture(page: Page, server: PageServer, name: string, look: Look, file: string): Promise<void> {
  const { messages, act, height = 560 } = chatStates[name] ?? { messages: [] }
  const { language, ...rest } = look
  const german = language === 'de' ? { language } : {}
  const chat = await ChatPage.open(page, server, { ...rest, ...german, height, reducedMotion: true })
  await chat.post(...messages)
  try {
    await act?.(chat)
  } catch (fault) {
    throw new Error(`'${name}' cannot be brought about.`, { cause: fault })
  }
  await page.evaluate('new Promise(done => setTimeout(done, 150))')
  await page.screenshot({ path: file })
}

/** A few pictures on each, in the order of the states. */
async function sheets(page: Page, files: readonly string[], width: number, place: string): Promise<void> {
  const perRow = Math.max(1, Math.floor(sheetWidth / (width + 12)))
  const perSheet = perRow * 2
  await page.setViewportSize({ width: sheetWidth, height: 600 })
  for (let at = 0; at * perSheet < files.length; at++) {
    const shown = files.slice(at * perSheet, (at + 1) * perSheet)
    const images = shown.map(file => `<img src="data:image/png;base64,${readFileSync(file, 'base64')}">`)
    await page.setContent(`<body style="margin:6px;background:#888;display:flex;flex-wrap:wrap;gap:12px;
      align-items:flex-start">${images.join('')}`)
    await page.screenshot({ path: `${place}-${at + 1}.png`, fullPage: true })
  }
}
