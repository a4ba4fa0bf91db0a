// Finds the Chromium of this machine and starts it for tests, quiet and off the network.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type LaunchOptions } from '@playwright/test'

/** The first does without windows, bars and profiles of people, which is a tenth of the work. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
]

const places = [
  '/usr/bin/chromium',
  '/usr/lib/chromium/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
]

/**
 * The last list of a command line is the only one that counts, so those of Playwright's own that matter here stand in
 * this one too. Scripts that are fetched in the background never come from the code cache; that of the editor, 19 MB, is
 * a fifth of what a window's start takes.
 */
const disabledFeatures = [
  'BackgroundResourceFetch',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
]

const quiet = [
  `--disable-features=${disabledFeatures.join(',')}`,
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
]

/** A window of an editor that a test opens is closed before what the compiler would gain makes up for its work. */
export const quickScripts = '--js-flags=--no-opt --no-maglev'

/**
 * What is compiled once is cached at once, not at the second use; one more is added to Playwright's own lists.
 * https://source.chromium.org/chromium/chromium/src/+/main:third_party/blink/public/mojom/v8_cache_options.mojom
 */
export const cachedScripts = `--blink-settings=${[
  'v8CacheOptions=3',
  'primaryHoverType=2',
  'availableHoverTypes=2',
  'primaryPointerType=4',
  'availablePointerTypes=4',
].join(',')}`

/** The same search as in `test/setup.sh`; what the environment names comes first. */
export function chromiumPath(): string {
  const named = process.env['KOURIER_CHROMIUM']
  if (named) return named
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const candidates = [...names.flatMap(name => folders.map(folder => join(folder, name))), ...places]
  const found = candidates.find(candidate => existsSync(candidate))
  if (!found) throw new Error('No Chromium found; install Chromium or Chrome, or name one in KOURIER_CHROMIUM.')
  return found
}

export function launchChromium(options: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch(chromiumOptions(options))
}

/** A browser with the profile that lies in the folder, or a new one there. */
export function launchProfile(folder: string, options: ProfileOptions = {}): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, { ...options, ...chromiumOptions(options) })
}

type ProfileOptions = NonNullable<Parameters<typeof chromium.launchPersistentContext>[1]>

/** Which browser is started, and how; what is given counts on top. */
export function chromiumOptions({ args = [], ...options }: LaunchOptions = {}): LaunchOptions {
  const isRoot = process.getuid?.() === 0
  return {
    executablePath: chromiumPath(),
    headless: true,
    chromiumSandbox: !isRoot,
    // On a signal this process ends by itself, and the browser with it.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    ...options,
    args: [...quiet, ...(isRoot ? ['--no-sandbox'] : []), ...args],
  }
}
