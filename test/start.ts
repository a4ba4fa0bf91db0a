// The demo: the local service, and a real VS Code with the packaged extension and a small workspace.
import { join } from 'node:path'
import process from 'node:process'
import { type Editor, startEditor } from './editor/codeServer.ts'
import { freshVsix } from './editor/extensionPackage.ts'
import { copySampleWorkspace } from './editor/sampleWorkspace.ts'
import { defaultOptions } from './localService/options.ts'
import { endGroup, endOnSignal, spawnGroup, whenGone } from './support/processGroup.ts'

interface Service {
  readonly addresses: { readonly base_url: string; readonly site_url: string; readonly ca_file?: string }
  readonly ended: Promise<number>
  close(): Promise<void>
}

const endings: (() => unknown)[] = []
let ending: Promise<never> | undefined
endOnSignal(() => end(0))

try {
  await start(process.argv.slice(2))
} catch (fault) {
  await end(1, fault instanceof Error ? fault.message : String(fault))
}

async function start(args: readonly string[]): Promise<void> {
  const { port, rest } = takePort(args)
  const [vsix, service] = await Promise.all([freshVsix(), startService(rest)])
  const { base_url, ca_file } = service.addresses
  const workspace = copySampleWorkspace({ git: true })
  endings.push(workspace.remove)
  const editor = await startEditor({
    vsix,
    workspace: workspace.folder,
    port,
    settings: {
      'kourier.baseUrl': base_url,
      'kourier.clientId': defaultOptions.clientId,
      'chat.disableAIFeatures': false, // the model can be used in the editor's own chat too
      'terminal.integrated.initialHint': false,
      'workbench.colorTheme': 'Dark Modern',
    },
    env: { HOME: process.env['HOME'], ...(ca_file !== undefined && { NODE_EXTRA_CA_CERTS: ca_file }) },
  })
  endings.push(() => editor.close())
  print(greeting(editor, service))
  void service.ended.then(() => end(1, 'The local service has ended, and with it the demo.'))
  void editor.ended.then(() => end(1, 'The editor has ended, and with it the demo.'))
}

/** `--port` is the editor's; everything else is the service's. */
function takePort(args: readonly string[]): { port: number; rest: readonly string[] } {
  const at = args.findIndex(argument => /^--port(=|$)/.test(argument))
  if (at < 0) return { port: 0, rest: args }
  const isTwo = args[at] === '--port'
  const text = (isTwo ? args[at + 1] : args[at]?.slice('--port='.length)) ?? ''
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535)) throw new Error(`--port must be a whole number from 0 to 65535, not '${text}'.`)
  return { port, rest: args.toSpliced(at, isTwo ? 2 : 1) }
}

async function startService(args: readonly string[]): Promise<Service> {
  const program = join(import.meta.dirname, 'localService/main.ts')
  const plan = args.some(argument => argument.startsWith('--plan')) ? [] : ['--plan', 'pro']
  const child = spawnGroup(process.execPath, ['--no-warnings', program, '--json', ...plan, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const close = () => endGroup(child)
  endings.push(close)
  const ended = whenGone(child)
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint += text
  })
  const line = await Promise.race([firstLine(child.stdout), ended.then(() => undefined)])
  if (line === undefined) throw new Error(complaint.trim() || 'The local service ended before it listened.')
  return { addresses: JSON.parse(line) as Service['addresses'], ended, close }
}

function firstLine(stream: NodeJS.ReadableStream | null): Promise<string> {
  return new Promise(resolve => {
    let text = ''
    stream?.setEncoding('utf8')
    stream?.on('data', (chunk: string) => {
      text += chunk
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
    })
  })
}

function greeting(editor: Editor, { addresses }: Service): string {
  return `
Kourier runs in a real VS Code. Open this in a browser:

  ${editor.url}

  1. Choose Kourier in the bar on the left, press "Sign in" and give any email address.
  2. On the page that opens, type the code that the editor shows. Then ask something in the chat.
  3. Open desk/parcel.ts, go to its end and begin to write a function: Tab takes the grey text.

The service answers at ${addresses.base_url}; its dashboard is ${addresses.site_url}/dashboard
${addresses.ca_file ? `The editor trusts its certificate; the browser does when it trusts ${addresses.ca_file}\n` : ''}Everything is kept in temporary folders. Press Ctrl+C to stop.
`
}

/** The first reason counts: what ends because of it is no news. */
function end(code: number, why?: string): Promise<never> {
  if (!ending && why) process.stderr.write(`${why}\n`)
  ending ??= Promise.allSettled(endings.map(finish => finish())).then(() => process.exit(code))
  return ending
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
