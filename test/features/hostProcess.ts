// The extension host as a process of its own: all of the extension with its chat in view. The editor that keeps its state
// and the page are in the process that started it, and outlive it.
import process from 'node:process'
import { activate } from '../../src/main.ts'
import type { FromPage, ToPage } from '../../src/protocol/panel.ts'
import { FakeMemento } from '../support/fakeMemento.ts'
import { jsonLine } from '../support/jsonLine.ts'
import { extensionContext } from './extensionContext.ts'
import { showChat } from './fakeChatView.ts'
import { fakeEditor } from './recordedEditor.ts'

type Entries = readonly (readonly [string, unknown])[]

export interface HostPlan {
  readonly folder: string
  readonly credential: object
  readonly settings: Entries
  readonly states: Readonly<Record<'global' | 'workspace', Entries>>
  /** Ends by force in the moment in which it has sent the page a question. */
  readonly endsAtQuestion: boolean
}

/** One line of its output. `at`: the wall-clock time here. */
export type FromHost =
  | { readonly kind: 'page'; readonly at: number; readonly message: ToPage }
  | { readonly kind: 'state'; readonly of: 'global' | 'workspace'; readonly key: string; readonly value: unknown }

run(JSON.parse(process.argv[2] ?? '') as HostPlan)

function run({ folder, credential, settings, states, endsAtQuestion }: HostPlan): void {
  for (const [key, value] of settings) fakeEditor.settings.set(key, value)
  const kept = (of: 'global' | 'workspace') =>
    new FakeMemento(states[of], (key, value) => report({ kind: 'state', of, key, value }))
  activate(extensionContext({ folder, credential, globalState: kept('global'), workspaceState: kept('workspace') }))
  const send = showChat(message => {
    report({ kind: 'page', at: Date.now(), message })
    if (endsAtQuestion && hasQuestion(message)) process.kill(process.pid, 'SIGKILL')
  })
  process.on('message', (message: FromPage) => send(message))
}

/** Written before this returns, as a pipe is on Linux and macOS: what was reported has left the process when it is killed. */
function report(message: FromHost): void {
  process.stdout.write(jsonLine(message))
}

function hasQuestion(message: ToPage): boolean {
  return message.kind === 'events' && message.events.some(({ kind }) => kind === 'turn-started')
}
