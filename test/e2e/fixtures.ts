// The fixtures of the e2e tests: a local service, a real editor with the packaged extension in it, and its windows.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext } from '@playwright/test'
import { test as base } from '@playwright/test'
import type { Editor } from '../editor/codeServer.ts'
import type { ServiceOptions } from '../localService/options.ts'
import type { Service } from '../localService/server.ts'
import { CanaryTexts } from '../support/canaryTexts.ts'
import { editorPort, launchEditorProfile } from './browserProfile.ts'
import { EditorHarness, type EditorNeeds, withoutGit } from './editorHarness.ts'
import { describeWindow, EditorWindows } from './editorWindows.ts'
import { sweepSecrets } from './secretSweep.ts'
import { ServiceHarness } from './serviceHarness.ts'
import { revokeKeys } from './signInSteps.ts'

interface TestFixtures {
  /** Those of a service for this test alone; without them it has the worker's. */
  readonly serviceOptions: ServiceOptions | undefined
  /** What an editor for this test alone needs; without it the test has the worker's. */
  readonly editorNeeds: EditorNeeds | undefined
  /** False: the editor does not know the service's address. */
  readonly knowsAddress: boolean
  /** User settings. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly serviceHarness: ServiceHarness
  readonly service: Service
  readonly editorHarness: EditorHarness
  readonly editor: Editor
  readonly windows: EditorWindows
  /** What a test plants in its workspace, and nothing may send. */
  readonly canaries: CanaryTexts
  /** After every test: no secret is where it does not belong. */
  readonly secretSweep: undefined
}

interface WorkerFixtures {
  readonly profile: BrowserContext
  readonly sharedService: ServiceHarness
  readonly sharedEditor: SharedEditor
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  serviceOptions: [undefined, { option: true }],
  editorNeeds: [undefined, { option: true }],
  knowsAddress: [true, { option: true }],
  settings: [{}, { option: true }],

  profile: [
    // biome-ignore lint/correctness/noEmptyPattern: a fixture that needs no other has an empty pattern.
    async ({}, use) => {
      const profile = await launchEditorProfile()
      await use(profile)
      await profile.close()
    },
    { scope: 'worker' },
  ],
  sharedService: [
    // biome-ignore lint/correctness/noEmptyPattern: a fixture that needs no other has an empty pattern.
    async ({}, use) => {
      await using harness = await ServiceHarness.start()
      await use(harness)
    },
    { scope: 'worker' },
  ],
  sharedEditor: [
    // biome-ignore lint/correctness/noEmptyPattern: a fixture that needs no other has an empty pattern.
    async ({}, use, { parallelIndex }) => {
      await using editor = new SharedEditor(parallelIndex)
      await use(editor)
    },
    { scope: 'worker' },
  ],

  context: async ({ profile }, use) => use(profile),
  serviceHarness: async ({ serviceOptions, sharedService, sharedEditor }, use) => {
    if (serviceOptions) {
      await using own = await ServiceHarness.start(serviceOptions)
      await use(own)
      return
    }
    sharedService.reset()
    if (!sharedEditor.harness?.keptWindow) revokeKeys(sharedService.service)
    return use(sharedService)
  },
  service: async ({ serviceHarness }, use) => use(serviceHarness.service),
  editorHarness: async ({ editorNeeds, sharedEditor }, use, { parallelIndex }) => {
    if (!editorNeeds) return use(await sharedEditor.start())
    await using own = await EditorHarness.start(editorNeeds, await editorPort('own', parallelIndex))
    await use(own)
  },
  editor: async ({ editorHarness }, use) => use(editorHarness.editor),
  windows: async ({ context, editorHarness, editorNeeds, serviceHarness, knowsAddress, settings }, use, testInfo) => {
    const windows = new EditorWindows(context, editorHarness, serviceHarness)
    const { baseUrl } = serviceHarness.service
    await windows.prepare({ ...(knowsAddress && { 'kourier.baseUrl': baseUrl }), ...settings })
    await use(windows)
    const hasPassed = testInfo.status === testInfo.expectedStatus
    if (!hasPassed) {
      for (const page of context.pages().filter(one => one.url().startsWith(editorHarness.editor.url)))
        await testInfo.attach('window', { body: await describeWindow(page), contentType: 'text/plain' })
      const body = latestLogs(editorHarness.editor.logsDir)
      await testInfo.attach('logs of the extension', { body, contentType: 'text/plain' })
    }
    // The editor of one test ends with it, and its windows would go on trying to reach it.
    await windows.close(hasPassed && !editorNeeds)
  },
  // biome-ignore lint/correctness/noEmptyPattern: a fixture that needs no other has an empty pattern.
  canaries: async ({}, use) => use(new CanaryTexts()),
  secretSweep: [
    async ({ context, editor, serviceHarness, canaries, windows: _ }, use) => {
      await use(undefined)
      const found = await sweepSecrets(context, editor, serviceHarness.calls, canaries)
      assert.deepEqual(found, [], 'secrets where they do not belong')
    },
    { auto: true },
  ],
})

/** The last lines of the logs that the extension has written last, each by one window. */
function latestLogs(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => /kourier\.kourier.*\.log$/.test(name))
    .map(name => join(folder, name))
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
    .slice(0, 3)
    .map(file => `${file.slice(folder.length)}:\n${readFileSync(file, 'utf8').split('\n').slice(-30).join('\n')}`)
    .join('\n')
}

/** The editor of all tests of a worker that need nothing of their own, started with the first of them. */
class SharedEditor implements AsyncDisposable {
  readonly #parallelIndex: number
  harness: EditorHarness | undefined

  constructor(parallelIndex: number) {
    this.#parallelIndex = parallelIndex
  }

  async start(): Promise<EditorHarness> {
    const port = () => editorPort('shared', this.#parallelIndex)
    this.harness ??= await EditorHarness.start({ builtIn: withoutGit }, await port())
    return this.harness
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.harness?.[Symbol.asyncDispose]()
  }
}
