// `pageComplaints`: what a window's console reports of the page's policy, or of the extension, from now on.
import type { Page } from '@playwright/test'

export function pageComplaints(page: Page): readonly string[] {
  const complaints: string[] = []
  page.on('console', line => {
    if (/Content.Security.Policy|kourier/i.test(line.text())) complaints.push(line.text())
  })
  return complaints
}
