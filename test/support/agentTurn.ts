// A turn of the agent as the page gets it: its calls, what it asks, its plan and its commands.
import type { CallPreview, EventBody, PartOf } from '../../src/protocol/conversation.ts'
import type { PanelAgent, ToPage } from '../../src/protocol/panel.ts'
import { PageConversation } from './pageConversation.ts'

type Call = PartOf<'tool-call'>

const call = (id: string, name: string, input: object, more: Partial<Call> = {}): Call => ({
  ...{ kind: 'tool-call', id, call: id, name, inputText: JSON.stringify(input), isWritten: true, input },
  ...more,
})

const ok = (text: string, details?: NonNullable<Call['result']>['details']): Call['result'] => ({
  ...{ outcome: 'ok', content: [{ kind: 'text', text }] },
  ...(details && { details }),
})

/** As the result of the first call in the folder keeps them. */
const instructions = [
  { uri: 'file:///w/desk/AGENTS.md', path: 'desk/AGENTS.md', sizeBytes: 1_234, hash: '0' },
  { uri: 'file:///w/desk/more/AGENTS.md', path: 'desk/more/AGENTS.md', sizeBytes: 40_000, hash: '1', isLeftOut: true },
]

export const editPreview: CallPreview = {
  kind: 'change',
  files: [
    {
      ...{ uri: 'file:///w/desk/postage.mjs', path: 'desk/postage.mjs', change: 'modified' },
      ...{ addedLines: 1, removedLines: 1 },
      lines: [
        '@@ -7,5 +7,5 @@',
        ' /** Each kilogram that has begun is paid for. */',
        ' export function postage(weightGrams, zone) {',
        '-  const kilograms = Math.floor(weightGrams / 1000)',
        '+  const kilograms = Math.ceil(weightGrams / 1000)',
        '   return BASE_CENTS + kilograms * CENTS_PER_KILOGRAM + surchargeOf(zone)',
        ' }',
      ],
    },
  ],
}

/** A change of which the question does not show all lines. */
export const longPreview: CallPreview = {
  kind: 'change',
  files: editPreview.files.map(file => ({
    ...file,
    ...{ addedLines: 900, isCut: true },
    lines: Array.from({ length: 400 }, (_, at) => `+line ${at}`),
  })),
}

const commandPreview = (command: string, saves: readonly string[]): CallPreview => ({
  ...{ kind: 'command', command, folder: 'parcel-desk', shell: 'bash', saves: [...saves] },
  restorable: { files: saves.length > 0 ? 8 : 31, of: 31 },
  why: 'To see which of the tests fail.',
})

export interface AgentTurnOptions {
  /** The command that is asked about. */
  readonly command?: string
  /** The change that is asked about. */
  readonly change?: CallPreview
  /** The files that are saved before it. */
  readonly saves?: readonly string[]
  readonly asks?: readonly ('edit' | 'command' | 'secret' | 'continue')[]
  readonly plan?: PanelAgent['plan']
  readonly commands?: PanelAgent['commands']
  readonly mode?: PanelAgent['mode']
  readonly isEnded?: boolean
  /** Commands that have ended, by the details of their results. */
  readonly ended?: readonly NonNullable<NonNullable<Call['result']>['details']>[]
  /** An exploration is under way. */
  readonly isExploring?: boolean
}

export const plan: PanelAgent['plan'] = [
  { text: 'Find out what fails', state: 'done' },
  { text: 'Repair the two functions, and look for others of the same kind in the rest of the desk', state: 'doing' },
  { text: 'Run the test again', state: 'open' },
]

/** The messages in the order in which the extension sends them. */
export function agentTurn(options: AgentTurnOptions = {}): ToPage[] {
  const { command = 'node --test desk/postage.test.mjs', saves = [], asks = [], isEnded = false } = options
  const conversation = new PageConversation()
  const edit = { path: 'desk/postage.mjs', edits: [] }
  const asked: Readonly<Record<string, Call>> = {
    edit: call('edit', 'edit_file', edit, {
      approval: { state: 'asked', preview: options.change ?? editPreview, mayRemember: true },
    }),
    command: call(
      'command',
      'run_command',
      { command },
      { approval: { state: 'asked', preview: commandPreview(command, saves), mayRemember: true } },
    ),
    secret: call(
      'secret',
      'read_file',
      { path: '.env' },
      {
        approval: {
          ...{ state: 'asked', concerns: [{ is: 'secret', target: '.env' }] },
          preview: { kind: 'path', path: '.env' },
        },
      },
    ),
  }
  const parts = [
    call(
      'read',
      'read_file',
      { path: 'desk/postage.mjs' },
      { result: ok('desk/postage.mjs, lines 1 to 12', { instructions }) },
    ),
    call('search', 'search_text', { pattern: 'postage' }, { result: ok('desk/postage.test.mjs\n4: import') }),
    call('other', 'run_command', { command: 'make' }, { result: { outcome: 'denied', content: [] } }),
    ...(options.ended ?? []).map((details, at) =>
      call(`ended-${at}`, 'run_command', { command }, { result: ok('Command 1 ended.', details) }),
    ),
    ...asks.flatMap(one => asked[one] ?? []),
    ...(options.isExploring ? [call('explore', 'explore', { task: 'Where is postage used?' })] : []),
  ]
  const bodies: EventBody[] = [
    ...parts.map(value => ({ kind: 'part-started', turn: 'a', value }) as const),
    ...(isEnded ? [{ kind: 'turn-ended', turn: 'a', state: 'done' } as const] : []),
  ]
  const agent: PanelAgent = {
    ...{ modes: ['ask', 'plan', 'edit'], mode: options.mode ?? 'ask' },
    ...{ plan: options.plan ?? [], commands: options.commands ?? [] },
    questions: asks.map(one =>
      one === 'continue'
        ? { id: 'q-continue', is: 'continue', text: 'Kourier has worked for 40 requests. Go on?' }
        : { id: `q-${one}`, is: 'call', part: one },
    ),
  }
  return [
    conversation.replay(
      { role: 'user', id: 'q', text: 'Fix the failing test.' },
      { role: 'assistant', id: 'a', text: 'I look for the failing test first.', state: 'streaming' },
    ),
    conversation.append(...bodies),
    { kind: 'agent', conversation: 'c', agent },
    { kind: 'activity', conversation: 'c', activity: { is: isEnded ? 'idle' : 'answering' } },
  ]
}
