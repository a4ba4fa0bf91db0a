// The pictures of the README, in a light, a dark and a high-contrast theme.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import {
  ask,
  dialog,
  goTo,
  message,
  openChat,
  openFile,
  runCommand,
  statusBarItem,
  type,
  waitForGhostText,
} from '../editor/workbench.ts'
import { test } from './fixtures.ts'
import { giveEmail, openClaimPage, shownCode } from './signInSteps.ts'

const folder = join(import.meta.dirname, '../../media/screenshots')
const themes = {
  light: { theme: 'Light 2026', kind: 'vs', media: { colorScheme: 'light' } },
  dark: { theme: 'Dark 2026', kind: 'vs-dark', media: { colorScheme: 'dark' } },
  contrast: {
    theme: 'Default High Contrast',
    kind: 'hc-black',
    media: { colorScheme: 'dark', forcedColors: 'active', contrast: 'more' },
  },
} as const

const answer = `\`late_routes\` already has the worst **first**, so the report needs only the first few of them:

\`\`\`python reports/delays.py
def worst_routes(deliveries: list[Delivery], count: int = 5) -> dict[str, float]:
    """The latest routes, the worst first."""
    delays = late_routes(deliveries)
    return dict(list(delays.items())[:count])


def report(deliveries: list[Delivery]) -> str:
    lines = ["Route      Late by (minutes)"]
    for route, delay in worst_routes(deliveries).items():
        lines.append(f"{route:<10} {delay:>8.1f}")
    return "\\n".join(lines)
\`\`\`
`

/** What was talked about before, the oldest first. */
const earlier = [
  ['Why is the median a better figure here than the mean?', 'One parcel that is lost for a week moves the mean.'],
  ['Write a regular expression for parcel numbers', '`[A-Z]{2}-\\d{6}`'],
  ['Explain what frozen=True does', 'Its fields cannot be assigned.'],
] as const

for (const [look, { theme, kind, media }] of Object.entries(themes)) {
  test.describe(`pictures, ${look}`, () => {
    test.use({
      settings: {
        'workbench.colorTheme': theme,
        'window.autoDetectColorScheme': false,
        'editor.minimap.enabled': false, // it would lie over the code
      },
      editorNeeds: {}, // an editor of its own, whose window bears the name of the workspace
    })
    mkdirSync(folder, { recursive: true })
    const picture = (page: Page, name: string) => page.screenshot({ path: join(folder, `${name}-${look}.png`) })
    const inTheme = (page: Page) => page.locator(`.monaco-workbench.${kind}`).waitFor()

    test('signing in', async ({ windows }) => {
      const page = await windows.open()
      await page.setViewportSize({ width: 1000, height: 620 })
      await inTheme(page)
      await openChat(page)
      await runCommand(page, 'Kourier: Sign In')
      await giveEmail(page)
      await dialog(page).getByRole('button', { name: 'Continue' }).waitFor()
      await settled(page)
      await picture(page, 'consent')
      await dialog(page).getByRole('button', { name: 'Continue' }).click()
      const code = await shownCode(page)
      await statusBarItem(page, /Enter this code/).waitFor()
      await settled(page)
      await picture(page, 'code')
      const claim = await openClaimPage(page)
      await claim.setViewportSize({ width: 760, height: 600 })
      await claim.emulateMedia(media)
      await claim.getByRole('textbox', { name: 'Code' }).fill(code)
      await picture(claim, 'claim')
    })

    test('completing', async ({ windows }) => {
      const { page } = await windows.openSignedIn()
      await page.setViewportSize({ width: 1180, height: 720 })
      await statusBarItem(page, /Signed in to/).waitFor()
      await inTheme(page)
      await openFile(page, 'reports/delays.py')
      await goTo(page, 10_000)
      await type(page, '\n\ndef mean')
      await waitForGhostText(page)
      await picture(page, 'completion')
      await runCommand(page, 'File: Revert File')
    })

    test('chatting, applying, and what was said before', async ({ service, windows }) => {
      const { page } = await windows.openSignedIn()
      await page.setViewportSize({ width: 1180, height: 720 })
      await statusBarItem(page, /Signed in to/).waitFor()
      await inTheme(page)
      const chat = await openChat(page)
      for (const [question, reply] of earlier) {
        service.replies.add({ text: reply })
        await ask(chat, question)
        await message(chat, 'Kourier').getByRole('button', { name: 'Retry' }).waitFor()
        await runCommand(page, 'Kourier: New Chat')
        await message(chat, 'You').waitFor({ state: 'detached' })
      }
      await openFile(page, 'reports/delays.py')
      await goTo(page, 24, 1)
      await moveSash(page, 350, 560)
      await chat.getByRole('button', { name: 'Attach delays.py' }).click()
      await chat.getByRole('button', { name: 'Remove delays.py' }).waitFor()
      service.replies.add({ text: answer })
      await ask(chat, 'Let the report show only the five worst routes.')
      await message(chat, 'Kourier').getByRole('button', { name: 'Retry' }).waitFor()
      const code = chat.getByRole('group', { name: 'Code: Python', exact: true })
      await code.hover()
      await settled(page)
      await picture(page, 'chat')

      await code.getByRole('button', { name: 'Apply to file' }).click()
      await page.getByRole('tab', { name: /changes by Kourier/ }).waitFor()
      await page
        .locator('.codelens-decoration a', { hasText: /^Keep$/ })
        .first()
        .waitFor()
      await page.mouse.move(1, 1)
      await settled(page)
      await picture(page, 'apply')

      await chat.getByRole('button', { name: 'Undo all' }).click()
      await chat.getByRole('list', { name: 'Changes', exact: true }).waitFor({ state: 'detached' })
      await runCommand(page, 'Kourier: Show Chat History')
      const [[first]] = earlier
      await chat.getByRole('button', { name: first }).first().hover()
      await settled(page)
      await picture(page, 'history')
      await moveSash(page, 560, 350)
    })
  })
}

/** Makes the side bar wide enough for a line of code, and as narrow again for the next window. */
async function moveSash(page: Page, from: number, to: number): Promise<void> {
  await page.mouse.move(from, 300)
  await page.mouse.down()
  await page.mouse.move(to, 300, { steps: 4 })
  await page.mouse.up()
}

/** Every animation that ends has ended, so that nothing is pictured half way. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(`Promise.allSettled(document.getAnimations()
    .filter(animation => Number.isFinite(animation.effect.getComputedTiming().endTime))
    .map(animation => animation.finished))`)
}
