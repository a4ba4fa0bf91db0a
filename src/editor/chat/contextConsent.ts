// Asks whether a file is attached that the access policy advises against, and makes the sentences about what cannot be attached or was left out.
import { l10n, window } from 'vscode'
import type {
  ConsentReason,
  Differences,
  Omission,
  Room,
  UnavailableReason,
} from '../../core/context/contextSources.ts'
import type { Consent } from '../../core/context/draftContext.ts'
import type { LeftOutInstructions } from '../../core/context/instructions.ts'
import { listed } from '../ui/listed.ts'
import { sanitize, sanitized } from '../ui/sanitize.ts'
import { sentences } from '../ui/sentences.ts'
import { textLanguage } from '../ui/textLanguage.ts'

export async function confirmContext({ why, name, target }: Consent): Promise<boolean> {
  const attach = l10n.t('Attach')
  const where = target === undefined ? undefined : l10n.t('The link leads to {target}.', sanitized({ target }))
  const detail = sentences(reasonText(why), where, l10n.t('What is attached is sent to the model with your message.'))
  const question = l10n.t('Attach {name}?', sanitized({ name }))
  return (await window.showWarningMessage(question, { modal: true, detail }, attach)) === attach
}

function reasonText(why: ConsentReason): string {
  switch (why) {
    case 'secret':
      return l10n.t('Files of this kind often hold passwords or keys.')
    case 'excluded':
      return l10n.t('Your settings exclude this file from what the model sees.')
    case 'ignored':
      return l10n.t('Git ignores this file.')
    case 'outside':
      return l10n.t('This file is outside of the folders of this window.')
  }
}

/** Why it cannot be attached. */
export function unavailableText(why: UnavailableReason, name: string, room?: Room): string {
  const values = sanitized({ name })
  switch (why) {
    case 'missing':
      return l10n.t('{name} is not there any more.', values)
    case 'elsewhere':
      return l10n.t('{name} is on another machine. Open it in an editor, then attach it.', values)
    case 'binary':
      return l10n.t('{name} is not a text file.', values)
    case 'too-large':
      return l10n.t('{name} is too large to be attached.', values)
    case 'untrusted':
      return l10n.t('In Restricted Mode nothing of this workspace is attached.')
    case 'no-repository':
      return l10n.t('There is no Git repository here.')
    case 'empty':
      return l10n.t('There is nothing to attach.')
    case 'unsupported':
      return l10n.t('{name} cannot be attached.', values)
    case 'no-room':
      return noRoomText(name, room)
  }
}

function noRoomText(name: string, { tokens, limit, folders }: Room = { tokens: 0, limit: 0, folders: [] }): string {
  const count = (number: number) => number.toLocaleString(textLanguage())
  const sizes = folders.map(({ path, tokens }) =>
    l10n.t('{path} ({count})', { path: sanitize(path), count: count(tokens) }),
  )
  const values = {
    name: sanitize(name),
    tokens: count(tokens),
    limit: count(limit),
    folders: listed(sizes, 'conjunction'),
  }
  return folders.length === 0
    ? l10n.t('{name} has about {tokens} tokens, but the model accepts only {limit}. Attach single files instead.', {
        name: values.name,
        tokens: values.tokens,
        limit: values.limit,
      })
    : l10n.t(
        '{name} has about {tokens} tokens, most of them in {folders}, but the model accepts only {limit}. Attach single folders instead.',
        values,
      )
}

/** Why an instruction file does not go along. */
export function leftOutText({ path, why }: LeftOutInstructions): string {
  const values = sanitized({ name: path })
  if (why === 'budget')
    return l10n.t('{name} is left out because there is no room for more instruction files in one message.', values)
  if (why === 'too-large') return l10n.t('{name} is left out because it is too large for an instruction file.', values)
  return oneOmission({ why, count: 1, names: [path] })
}

/** What of the workspace goes along by itself. */
export function surroundingsText(parts: readonly { readonly name: string }[]): string {
  const texts: Readonly<Record<string, string>> = {
    environment: l10n.t('System, folders and the top of the file tree'),
    skills: l10n.t('Names of the skills'),
    situation: l10n.t('Names of the open files and the line of the cursor'),
  }
  return listed(
    parts.flatMap(({ name }) => texts[name] ?? []),
    'unit',
  )
}

export const lacksGitText = () =>
  l10n.t('There is no Git repository here, so all files are sent that your settings do not exclude.')

/** What was left out of an attachment; undefined if nothing was. */
export function omissionText(omitted: readonly Omission[]): string | undefined {
  return omitted.length === 0 ? undefined : omitted.map(oneOmission).join('\n')
}

/** What of an attachment is not sent as it is; undefined if all is. */
export function differencesText({ lacksKey, unseen = [] }: Differences): string | undefined {
  const texts = [
    ...(lacksKey ? [l10n.t('An API key in it is left out.')] : []),
    ...(unseen.length > 0 ? [unseenText(unseen)] : []),
  ]
  return texts.length === 0 ? undefined : texts.join('\n')
}

function unseenText(unseen: NonNullable<Differences['unseen']>): string {
  const count = unseen.reduce((sum, one) => sum + one.count, 0)
  const names = firstNames(unseen.map(({ name }) => name))
  return l10n.t('Characters that cannot be seen are sent as marks or left out ({count}): {names}.', { count, names })
}

const firstNames = (names: readonly string[]) =>
  listed(
    names.slice(0, 3).map(name => sanitized({ name }).name),
    'unit',
  )

function oneOmission({ why, count, names }: Omission): string {
  const values = { count, names: firstNames(names) }
  switch (why) {
    case 'secret':
      return l10n.t('Left out because they may hold secrets ({count}): {names}.', values)
    case 'excluded':
      return l10n.t('Left out because your settings exclude them ({count}): {names}.', values)
    case 'ignored':
      return l10n.t('Left out because Git ignores them ({count}): {names}.', values)
    case 'outside':
      return l10n.t('Left out because they are outside of the folders of this window ({count}): {names}.', values)
    case 'binary':
      return l10n.t('Left out because they are not text files ({count}): {names}.', values)
    case 'too-large':
      return l10n.t('Left out because they are too large ({count}): {names}.', values)
    case 'unreadable':
      return l10n.t('Left out because they cannot be read ({count}): {names}.', values)
    case 'budget':
      return l10n.t('Left out because there is no room for them ({count}): {names}.', values)
    case 'count':
      return l10n.t('Left out because there are too many files ({count}): {names}.', values)
    case 'untracked':
      return l10n.t('Left out because Git does not track them ({count}): {names}.', values)
    case 'generated':
      return l10n.t('Left out because they are generated ({count}): {names}.', values)
  }
}
