// How the tests with a browser run: which files belong to which project, on the browser of this machine.
import { defineConfig } from '@playwright/test'
import { chromiumOptions } from './test/editor/chromium.ts'

const clipboard = ['clipboard-read', 'clipboard-write']

export default defineConfig({
  testDir: 'test',
  outputDir: 'build/playwright',
  workers: 2,
  fullyParallel: true,
  // A test that passes only at its second run is flaky: it is named at the end, and more than three are too many.
  retries: 1,
  forbidOnly: true,
  reporter: 'list',
  use: { trace: { mode: 'retain-on-failure', screenshots: false, sources: false }, screenshot: 'only-on-failure' },
  projects: [
    {
      name: 'page',
      testMatch: 'webview/**/*.page.ts',
      timeout: 60_000,
      use: {
        permissions: clipboard,
        // The page reaches the server that serves it and nobody else.
        launchOptions: chromiumOptions({ args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost'] }),
      },
    },
    {
      name: 'service',
      testMatch: 'thirdParty/**/*.page.ts',
      timeout: 120_000,
      use: { launchOptions: chromiumOptions() },
    },
    // Once for all workers: two that packaged at once would write the same files.
    { name: 'packaging', testMatch: 'editor/package.setup.ts', timeout: 180_000, retries: 0 },
    // Every wait in them has a limit of its own; this one is for a machine that is busy with other things.
    { name: 'e2e', testMatch: 'e2e/**/*.e2e.ts', timeout: 300_000, dependencies: ['packaging'] },
    {
      name: 'states',
      testMatch: 'webview/**/*.shots.ts',
      timeout: 600_000,
      use: { permissions: clipboard, launchOptions: chromiumOptions() },
    },
    {
      name: 'screenshots',
      testMatch: 'e2e/**/*.shots.ts',
      timeout: 180_000,
      dependencies: ['packaging'],
      use: { launchOptions: chromiumOptions() },
    },
  ],
})
