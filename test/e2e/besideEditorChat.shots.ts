// Pictures of our chat beside the editor's own, with the same question and answer, for people to compare.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { fewBuiltIns } from '../editor/codeServer.ts'
import { ask, message, notification, openChat, openFile, runCommand } from '../editor/workbench.ts'
import { test } from './fixtures.ts'

const folder = join(import.meta.dirname, '../../build/beside')
const themes = {
  light: 'Light 2026',
  dark: 'Dark 2026',
  'high-contrast': 'Default High Contrast',
  'high-contrast-light': 'Default High Contrast Light',
} as const

const question = 'Let the report show only the five worst routes.'

const answer = `\`late_routes\` already has the worst **first**, so the report needs only the first few:

\`\`\`python
def worst_routes(deliveries: list[Delivery], count: int = 5) -> dict[str, float]:
    """The latest routes, the worst first."""
    delays = late_routes(deliveries)
    return dict(list(delays.items())[:count])
\`\`\`

1. Read the deliveries
   - from the file
   - or from the service
2. Group them by route

| Route | Deliveries | Mean |
|---|---:|---:|
| Harbour | 120 | 12.5 |
| Old town | 87 | 3.1 |

> The order of a dictionary is the order of insertion.

### What is left

See the [documentation](https://docs.example.com/dict) of \`dict\`.
`

for (const [look, theme] of Object.entries(themes)) {
  test.describe(`beside the editor’s own chat, ${look}`, () => {
    test.use({
      settings: {
        'workbench.colorTheme': theme,
        'window.autoDetectColorScheme': false,
        'chat.disableAIFeatures': false,
        'workbench.secondarySideBar.defaultVisibility': 'visible',
      },
      editorNeeds: { builtIn: [...fewBuiltIns, 'copilot'] },
    })
    mkdirSync(folder, { recursive: true })

    test('with one answer', async ({ service, windows }) => {
      const { page } = await windows.openSignedIn()
      await page.setViewportSize({ width: 1500, height: 900 })
      service.replies.add({ text: answer, match: question })
      service.replies.add({ text: answer, match: question })
      await runCommand(page, "Kourier: Use in the Editor's Chat")
      await notification(page, /can now be picked in the editor's chat/).waitFor({ timeout: 30_000 })
      await page.keyboard.press('Control+Alt+Shift+F2') // the notification would lie over the chat
      await page
        .getByRole('button', { name: `Models, ${service.model}` })
        .first()
        .waitFor()
      const input = page.locator('.interactive-input-editor, .chat-editor-container').last()
      await input.click()
      await page.keyboard.type(question)
      await page.keyboard.press('Enter')
      await page.getByText('See the').first().waitFor({ timeout: 30_000 })
      const chat = await openChat(page)
      await ask(chat, question)
      await message(chat, 'Kourier').getByRole('button', { name: 'Retry' }).waitFor()
      await openFile(page, 'reports/delays.py')
      await widen(page)
      await chat.getByRole('group', { name: 'Code: Python', exact: true }).hover()
      await page.screenshot({ path: join(folder, `${look}.png`) })
      await page.mouse.move(750, 400)
      await chat.getByRole('textbox', { name: 'Message' }).click()
      await page.screenshot({ path: join(folder, `${look}-focus.png`) })
    })
  })
}

/** Both side bars as wide as each other. */
async function widen(page: Page): Promise<void> {
  const left = await boxOf(page, 'sidebar')
  await drag(page, left.x + left.width, 498)
  const right = await boxOf(page, 'auxiliarybar')
  await drag(page, right.x - 2, 1_050) // the sash is in the gap between the parts
}

async function boxOf(page: Page, part: string): Promise<{ x: number; width: number }> {
  const box = await page.locator(`.part.${part}`).boundingBox()
  if (!box) throw new Error(`The part ${part} is not open.`)
  return box
}

async function drag(page: Page, from: number, to: number): Promise<void> {
  await page.mouse.move(from, 400)
  await page.mouse.down()
  await page.mouse.move(to, 400, { steps: 5 })
  await page.mouse.up()
}
