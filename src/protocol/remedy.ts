// The closed list of remedies: what one button, or the program itself, can do about a fault.

/** Serves faults, the notices of the editor, the page's buttons, and the commands behind them. */
export const remedies = [
  /** The same once more. */
  'retry',
  'sign-in',
  'sign-in-with-browser',
  /** Signs in again with the email that was agreed to. */
  'resume-sign-in',
  'use-key',
  'select-model',
  'use-chat-completions',
  'new-chat',
  'open-dashboard',
  'change-address',
  'show-log',
  'new-code',
  'reload-window',
  'manage-trust',
  'open-settings',
] as const

export type Remedy = (typeof remedies)[number]
