// Starts the local service for a demo; prints its addresses.
import process from 'node:process'
import { readCommandLine, UsageError } from './options.ts'
import { type Service, startService } from './server.ts'

try {
  const { options, isJson } = readCommandLine(process.argv.slice(2), process.env)
  const service = await startService(options)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void service.close())
  process.stdout.write(isJson ? `${JSON.stringify(addresses(service))}\n` : greeting(service, options.upstream?.url))
} catch (error) {
  process.stderr.write(`${sentence(error)}\n`)
  process.exitCode = error instanceof UsageError ? 2 : 1
}

function addresses({ baseUrl, authUrl, siteUrl, model, controlUrl }: Service) {
  return { base_url: baseUrl, auth_url: authUrl, site_url: siteUrl, model, control_url: controlUrl }
}

function greeting({ baseUrl, authUrl, siteUrl, model, controlUrl }: Service, upstream: string | undefined): string {
  return `
Kourier's local service is running.

  Service address  ${baseUrl}
  Sign-in pages    ${authUrl}
  Dashboard        ${siteUrl}/dashboard
  Model            ${model} (${upstream === undefined ? 'the demo model' : `answered by ${upstream}`})
  For tests        ${controlUrl}

What to do next:
  1. In the editor, run "Kourier: Sign In" and give ${baseUrl} as the address of the service.
  2. Give any email address. On the page that opens, sign in with it and type the code from the editor.
  3. Chat, or type some code and wait a moment.

Everything is kept in memory only. Press Ctrl+C to stop.
`
}

function sentence(error: unknown): string {
  if (error instanceof UsageError) return error.message
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    return 'This port is in use; choose another with --port, or leave it out.'
  return `The service could not start: ${error instanceof Error ? error.message : String(error)}`
}
