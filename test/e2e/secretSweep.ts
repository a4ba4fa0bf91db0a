// Looks for secrets wherever a test may have left them: drawn, copied, stored, in the editor's files and the calls.
import type { BrowserContext, Page } from '@playwright/test'
import type { Editor } from '../editor/codeServer.ts'
import type { Call } from '../localService/callLog.ts'
import type { CanaryTexts } from '../support/canaryTexts.ts'
import { type Find, findSecrets, secretsIn, sweepFolder } from '../support/sweep.ts'
import { email } from './signInSteps.ts'
import { storedTexts } from './storedTexts.ts'

/** Everything that holds a secret where none belongs. */
export async function sweepSecrets(
  context: BrowserContext,
  editor: Editor,
  calls: readonly Call[],
  canaries: CanaryTexts,
): Promise<Find[]> {
  const windows = context.pages().filter(page => page.url().startsWith(editor.url))
  return [
    ...(await Promise.all(windows.map(sweepWindow))).flat(),
    ...(await sweepProfile(context)),
    ...sweepFiles(editor, calls),
    ...sweepRequests(calls, canaries),
  ]
}

/** The canaries of a test's workspace, which no request may hold. */
function sweepRequests(calls: readonly Call[], canaries: CanaryTexts): Find[] {
  if (canaries.planted.length === 0) return []
  return calls.flatMap(call =>
    canaries
      .findIn(JSON.stringify(call))
      .map(({ planted }) => ({ where: call.path, what: `the canary of ${planted}` })),
  )
}

/** Where the extension has no reason to name its user; the service's own pages and the registration ask for the email. */
const namesNobody = /^\/(v1|anthropic|\.well-known|oauth2\/(token|revoke))\b/

/** The editor's files and output, and what the service was sent. */
function sweepFiles(editor: Editor, calls: readonly Call[]): Find[] {
  const known = [email, ...secretsIn(calls)]
  const sent = calls.map(call => ({ path: call.path, text: JSON.stringify(call) }))
  return [
    ...sweepFolder(editor.userDataDir, known),
    ...findSecrets('output of the editor', editor.output(), known),
    ...sent.flatMap(({ path, text }) => findSecrets(path, text, namesNobody.test(path) ? [email] : [])),
  ]
}

/**
 * What pages that are closed have left in the browser, each of whose origins is visited for it. The browser holds the
 * secret storage, sealed; nothing in it may hold the key in clear.
 */
async function sweepProfile(context: BrowserContext): Promise<Find[]> {
  const state = await context.storageState({ indexedDB: true }) // the cookies stand in it as well
  return findSecrets('browser storage', JSON.stringify(state))
}

/** What is drawn in the editor and its chat page, what was copied, and what the editor has stored in the browser. */
async function sweepWindow(page: Page): Promise<Find[]> {
  const drawn = await Promise.all(page.frames().map(frame => frame.content().catch(() => '')))
  const copied = await page.evaluate<string>('navigator.clipboard.readText()').catch(() => '')
  return [
    ...findSecrets('drawn or copied', [...drawn, copied].join('\n')),
    ...findSecrets('browser storage', await storedTexts(page)),
  ]
}
