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
  /** The result of a refused call, for the model. */
  readonly refusal: string
}

/** No mode allows everything. */
export const modes = {
  plan: {
    id: 'plan',
    permissions: { none: 'go', read: 'go', write: 'refuse', run: 'refuse' },
    refusal: 'Plan mode: not carried out. Nothing is changed or run in this mode. Go on with the plan itself.',
  },
  ask: {
    id: 'ask',
    permissions: { none: 'go', read: 'go', write: 'ask', run: 'ask' },
    refusal: '',
  },
  edit: {
    id: 'edit',
    permissions: { none: 'go', read: 'go', write: 'go', run: 'ask' },
    refusal: '',
  },
} as const satisfies Readonly<Record<string, Mode>>

/** The mode of a new conversation, and of one whose mode is unknown. */
export const defaultMode: Mode = modes.ask

export function modeOf(id: string | undefined): Mode {
  return Object.values(modes).find(mode => mode.id === id) ?? defaultMode
}
