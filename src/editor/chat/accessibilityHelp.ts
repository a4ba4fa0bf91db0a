// `accessibilityHelp`: how the chat is used by keyboard, with the keys of its commands as the manifest has them.
import { l10n } from 'vscode'
import * as z from 'zod/mini'
import { listed } from '../ui/listed.ts'

/** The part of the manifest that is read, with its titles in the display language. */
const manifest = z.object({
  contributes: z.object({
    commands: z.array(z.object({ command: z.string(), title: z.string() })),
    keybindings: z.array(z.object({ command: z.string(), key: z.string() })),
  }),
})

/** `sendOnEnter`: Enter sends a message, and not only Ctrl+Enter. */
export function accessibilityHelp(packageJson: unknown, sendOnEnter: boolean): string {
  return [introduction(), composer(sendOnEnter), conversation(sendOnEnter), history(), ...commands(packageJson)].join(
    '\n\n',
  )
}

const introduction = () =>
  section(l10n.t('The chat of Kourier by keyboard'), [
    l10n.t('Tab and Shift+Tab move between the title and its buttons, the conversation, and the message box.'),
    l10n.t('An answer is announced in finished sentences while it is written.'),
    l10n.t('On macOS, press Cmd where Ctrl is named here.'),
    l10n.t('Escape closes this help and returns to the chat.'),
  ])

const composer = (sendOnEnter: boolean) =>
  section(l10n.t('Message box'), [
    sendOnEnter ? l10n.t('Enter sends the message, and Shift+Enter begins a new line.') : '',
    sendOnEnter ? '' : l10n.t('Ctrl+Enter sends the message, and Enter begins a new line.'),
    l10n.t('Up Arrow at the beginning brings back the previous message, and Down Arrow at the end the next one.'),
    l10n.t('Type @ or # for files and other context, and / for commands.'),
    l10n.t('In the suggestions, the arrow keys select, Enter or Tab inserts, and Escape closes.'),
    l10n.t('Escape stops the answer from anywhere in the chat.'),
  ])

const conversation = (sendOnEnter: boolean) =>
  section(l10n.t('Conversation'), [
    l10n.t('Up Arrow and Down Arrow move between messages, and Home and End go to the first and the last one.'),
    l10n.t('Tab moves through the links, code blocks and actions of a message.'),
    l10n.t('Ctrl+F opens the find bar. F3 and Shift+F3 go to the next and the previous match, and Escape closes it.'),
    sendOnEnter ? l10n.t('While you edit a question, Enter sends it and Escape cancels.') : '',
    sendOnEnter ? '' : l10n.t('While you edit a question, Ctrl+Enter sends it and Escape cancels.'),
  ])

const history = () =>
  section(l10n.t('History'), [
    l10n.t(
      'Down Arrow in the search box goes to the list, where the arrow keys, Page Up, Page Down, Home and End move.',
    ),
    l10n.t('Enter opens a chat, and Ctrl+Enter opens it in an editor tab.'),
    l10n.t('F2 renames a chat, Delete deletes it, and Shift+F10 opens its menu.'),
    l10n.t('Escape returns to the chat.'),
  ])

function commands(packageJson: unknown): string[] {
  const { contributes } = manifest.parse(packageJson)
  const all = contributes.commands.map(({ command, title }) => {
    const keys = contributes.keybindings.filter(binding => binding.command === command).map(({ key }) => keyText(key))
    return { title, keys: [...new Set(keys)].reverse() }
  })
  const bound = all.filter(({ keys }) => keys.length > 0)
  const others = all.filter(({ keys }) => keys.length === 0)
  return [
    section(
      l10n.t('Commands with a key'),
      bound.map(({ title, keys }) => `${title}: ${listed(keys, 'disjunction')}`),
    ),
    section(l10n.t('Commands without a key'), [
      l10n.t('Run them from the Command Palette, or give them a key in Keyboard Shortcuts.'),
      ...others.map(({ title }) => title),
    ]),
  ]
}

const section = (title: string, lines: readonly string[]) =>
  [title, ...lines.filter(line => line !== '').map(line => `- ${line}`)].join('\n')

/** As the editor writes it: `shift+alt+f2` is Shift+Alt+F2. */
const keyText = (key: string) =>
  key
    .split('+')
    .map(part => part.charAt(0).toUpperCase() + part.slice(1))
    .join('+')
