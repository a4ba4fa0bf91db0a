// The list of remedies: what a button, or the extension itself, can do about a fault.

/** For faults, the notices of the editor, the page's buttons, and the commands of the buttons. */
export const remedies = [
  /** Repeats what failed. */
  'retry',
  'sign-in',
  'sign-in-with-browser',
  /** Signs in again with the email that the user has confirmed. */
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
  'open-folder',
] as const

export type Remedy = (typeof remedies)[number]
