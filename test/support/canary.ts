// A listener that must never be contacted: a client that connects to it has followed an untrusted address.

import { type AddressInfo, createServer, type Socket } from 'node:net'

export interface Canary extends AsyncDisposable {
  readonly port: number
  readonly origin: string
  /** The first line of each contact; a connection that sent nothing counts as well. */
  readonly contacts: readonly string[]
}

/** It records what is sent to it, answers nothing and closes the connection. */
export async function startCanary(): Promise<Canary> {
  const contacts: string[] = []
  const open = new Set<Socket>()
  const server = createServer(socket => {
    const at = contacts.push('(nothing)') - 1
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
    socket.once('data', (chunk: Buffer) => {
      contacts[at] = chunk.toString('latin1').split('\r\n')[0] ?? ''
      socket.destroy()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.address() as AddressInfo
  const end = () => {
    for (const socket of open) socket.destroy()
    return new Promise<void>(resolve => server.close(() => resolve()))
  }
  return { port, origin: `http://127.0.0.1:${port}`, contacts, [Symbol.asyncDispose]: end }
}
