// The modes of a conversation: which tools it has, and what they may do without a question.
import type { ToolRights } from './tool.ts'

/** `go` without a question, `ask` the user, or `refuse` because the mode does not allow it. */
export type Permission = 'go' | 'ask' | 'refuse'

/** A mode never takes tools out of a request: what a service has read of it before stays valid. */
export interface Mode {
  readonly id: string
  readonly permissions: Readonly<Record<ToolRights, Permission>>
  /** What a refused call is answered with, for the model. */
  readonly refusal: string
}

/** There is none that allows everything. */
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

/** The mode in which a conversation begins, and where its own is not known. */
export const firstMode: Mode = modes.ask

export function modeOf(id: string | undefined): Mode {
  return Object.values(modes).find(mode => mode.id === id) ?? firstMode
}
