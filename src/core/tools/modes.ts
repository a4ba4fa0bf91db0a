// The modes of a conversation: what each kind of tool may do without asking the user.
import type { ToolRights } from './tool.ts'

/** `go`: without asking; `ask`: ask the user; `refuse`: the mode does not allow it. */
export type Permission = 'go' | 'ask' | 'refuse'

/**
 * A mode does not remove tools from a request, because services cache requests by their beginning, which has the tools.
 */
export interface Mode {
  readonly id: string
  readonly permissions: Readonly<Record<ToolRights, Permission>>
  /** What runs without a question runs in the sandbox of the system. */
  readonly isSandboxed?: boolean
  /** The result of a refused call, for the model. */
  readonly refusal: string
  /** What is sent to the model about the mode, with a question. */
  readonly instruction: string
}

/** No mode allows everything. */
export const modes = {
  plan: {
    id: 'plan',
    permissions: { none: 'go', read: 'go', write: 'refuse', run: 'refuse' },
    refusal: 'Plan mode: not carried out. Nothing is changed or run in this mode. Go on with the plan itself.',
    instruction:
      'Mode: Plan. Read what you need, change nothing and run nothing, and end your answer with a plan: numbered steps with the files that each changes, and how the result is checked.',
  },
  ask: {
    id: 'ask',
    permissions: { none: 'go', read: 'go', write: 'ask', run: 'ask' },
    refusal: '',
    instruction:
      'Mode: Ask. You may read. The user is asked about each change and each command before it is carried out.',
  },
  edit: {
    id: 'edit',
    permissions: { none: 'go', read: 'go', write: 'go', run: 'ask' },
    refusal: '',
    instruction:
      'Mode: Edit. You may read and change files; the user reviews the changes afterwards. The user is asked about each command before it is run.',
  },
  /** Offered only where the sandbox holds. */
  sandbox: {
    id: 'sandbox',
    permissions: { none: 'go', read: 'go', write: 'go', run: 'go' },
    isSandboxed: true,
    refusal: '',
    instruction:
      'Mode: Sandbox. You may read and change files; the user reviews the changes afterwards. Commands run without a question in a sandbox, which has no network, no secrets, and write access only to the workspace and $TMPDIR. The user is asked to run a command outside where the sandbox is the reason why it failed.',
  },
} as const satisfies Readonly<Record<string, Mode>>

/** The mode of a new conversation, and of one whose mode is unknown. */
export const defaultMode: Mode = modes.ask

export function modeOf(id: string | undefined): Mode {
  return Object.values(modes).find(mode => mode.id === id) ?? defaultMode
}
