// Starts the local service for a demo; prints its addresses.
import process from 'node:process'
import { writeCaFile } from './caFile.ts'
import { StateFileError } from './database.ts'
import { readCommandLine, UsageError } from './options.ts'
import { type Service, startService } from './server.ts'

try {
  const { options, isJson, caFile: wished } = readCommandLine(process.argv.slice(2), process.env)
  const service = await startService(options)
  const caFile = service.authority === undefined ? undefined : writeCaFile(service.authority, wished)
  const end = () => {
    caFile?.remove()
    void service.close()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  const summary = { service, caFile: caFile?.path, upstream: options.upstream?.url, stateFile: options.stateFile }
  process.stdout.write(isJson ? `${JSON.stringify(addresses(summary))}\n` : greeting(summary))
} catch (error) {
  process.stderr.write(`${sentence(error)}\n`)
  process.exit(error instanceof UsageError ? 2 : 1)
}

interface Summary {
  readonly service: Service
  readonly caFile: string | undefined
  readonly upstream: string | undefined
  readonly stateFile: string | undefined
}

function addresses({ service: { baseUrl, authUrl, siteUrl, model, controlUrl }, caFile }: Summary) {
  const ca = caFile === undefined ? {} : { ca_file: caFile }
  return { base_url: baseUrl, auth_url: authUrl, site_url: siteUrl, model, control_url: controlUrl, ...ca }
}

function greeting({
  service: { baseUrl, authUrl, siteUrl, model, controlUrl },
  caFile,
  upstream,
  stateFile,
}: Summary): string {
  const ca = caFile === undefined ? '' : `  Certificates     trust ${caFile}\n`
  return `
Kourier's local service is running.

  Service address  ${baseUrl}
  Sign-in pages    ${authUrl}
  Dashboard        ${siteUrl}/dashboard
  Model            ${model} (${upstream === undefined ? 'the demo model' : `answered by ${upstream}`})
  For tests        ${controlUrl}
${ca}
What to do next:
  1. In the editor, run "Kourier: Sign In" and give ${baseUrl} as the address of the service.
  2. Give any email address. On the page that opens, sign in with it and type the code from the editor.
  3. Chat, or type some code and wait a moment.

${stateFile === undefined ? 'Everything is kept in memory only.' : `What has to last is kept in ${stateFile}.`} Press Ctrl+C to stop.
`
}

function sentence(error: unknown): string {
  if (error instanceof UsageError || error instanceof StateFileError) return error.message
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return 'This port is in use; choose another with --port, or leave it out.'
  return `The service could not start: ${error instanceof Error ? error.message : String(error)}`
}
