// Axe, the accessibility checker, at a page of Chromium.

import type { Page } from '@playwright/test'
import axe from 'axe-core'

/** Brings the checker into the page that is open now; once for each page, since reading it takes longer than a look. */
export async function bringChecker(page: Page): Promise<void> {
  await page.evaluate(axe.source)
}

/** What a person needs to know to fix the page, by all rules, by all but one, or by those named. */
export function violations(page: Page, rules?: readonly string[] | { exceptFor: string }): Promise<unknown[]> {
  const chosen: axe.RunOptions =
    rules && 'exceptFor' in rules
      ? { rules: { [rules.exceptFor]: { enabled: false } } }
      : { ...(rules && { runOnly: [...rules] }) }
  return page.evaluate(async chosenRules => {
    const { axe: checker } = globalThis as unknown as { axe: typeof axe }
    const options: axe.RunOptions = { resultTypes: ['violations'], ...chosenRules }
    const found = await checker.run(options)
    return found.violations.map(({ id, impact, help, nodes }) => ({
      id,
      impact,
      help,
      where: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
    }))
  }, chosen)
}
