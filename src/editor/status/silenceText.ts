// `silenceText`: why no completion comes, as a sentence, and the one thing that the user can do about it.
import { commands, l10n } from 'vscode'
import type { Silence } from '../../core/complete/silence.ts'
import { type CommandId, type EditorCommandId, runCommand } from '../ui/commands.ts'
import { localTime } from '../ui/localTime.ts'
import { sanitize, sanitized } from '../ui/sanitize.ts'

export interface SilenceText {
  readonly text: string
  /** Undefined where nothing helps. */
  readonly action?: SilenceAction | undefined
}

interface SilenceAction {
  readonly label: string
  readonly run: () => void
}

export function silenceText(silence: Silence): SilenceText {
  switch (silence.why) {
    case 'signed out':
      return { text: l10n.t('You are signed out.'), action: command(l10n.t('Sign In'), 'kourier.signIn') }
    case 'no model':
      return {
        text: l10n.t('No model is selected yet.'),
        action: command(l10n.t('Select Model'), 'kourier.selectModel'),
      }
    case 'model thinks':
      return {
        text: l10n.t('The model thinks before each answer, so its completions would come too late.'),
        action: setting(l10n.t('Set Another Model for Completions'), 'kourier.completions.model'),
      }
    case 'restricted':
      return {
        text: l10n.t('This window is restricted, because the folder is not trusted, so completions are off.'),
        action: command(l10n.t('Manage Workspace Trust'), 'workbench.trust.manage'),
      }
    case 'off':
      return { text: l10n.t('Completions are off.'), action: turnOn() }
    case 'language off':
      return { text: l10n.t('Completions are off for {language}.', sanitized(silence)), action: turnOn() }
    case 'inline off':
      return {
        text: l10n.t('Completions are not shown, because the setting editor.inlineSuggest.enabled is off.'),
        action: setting(l10n.t('Open the Setting'), 'editor.inlineSuggest.enabled'),
      }
    case 'snoozed':
      return {
        text: l10n.t('Completions are snoozed until {time}.', { time: localTime(silence.until) }),
        action: command(l10n.t('End Snooze'), 'kourier.endSnooze'),
      }
    case 'subtle':
      return { text: l10n.t('Completions come only on request.'), action: trigger() }
    case 'several cursors':
      return {
        text: l10n.t('Completions come only with a single cursor.'),
        action: command(l10n.t('Remove the Other Cursors'), 'removeSecondaryCursors'),
      }
    case 'excluded':
    case 'looks secret':
    case 'holds a secret':
    case 'binary':
    case 'file too large':
    case 'line too long':
      return fileText(silence)
    case 'limit reached':
    case 'unreachable':
    case 'failed':
    case 'another extension':
    case 'nothing fitted':
    case 'held back':
      return requestText(silence)
  }
}

type Of<Why extends Silence['why']> = Extract<Silence, { readonly why: Why }>

function fileText(
  silence: Of<'excluded' | 'looks secret' | 'holds a secret' | 'binary' | 'file too large' | 'line too long'>,
): SilenceText {
  switch (silence.why) {
    case 'excluded':
      return {
        text: l10n.t('The setting kourier.completions.exclude excludes this file: {glob}', sanitized(silence)),
        action: exclusions(),
      }
    case 'looks secret':
      return {
        text: l10n.t('This file is not sent, because its name looks secret: {glob}', sanitized(silence)),
        action: exclusions(),
      }
    case 'holds a secret':
      return {
        text:
          silence.content === 'token'
            ? l10n.t('This file is not sent, because it holds a token.')
            : l10n.t('This file is not sent, because it holds a private key.'),
      }
    case 'binary':
      return { text: l10n.t('This file is not sent, because it is binary.') }
    case 'file too large':
      return { text: l10n.t('This file has more than {limit} characters, so nothing is completed in it.', silence) }
    case 'line too long':
      return {
        text: l10n.t('This line is too long to be completed.'),
        action: command(l10n.t('Format Document'), 'editor.action.formatDocument'),
      }
  }
}

function requestText(
  silence: Of<'limit reached' | 'unreachable' | 'failed' | 'another extension' | 'nothing fitted' | 'held back'>,
): SilenceText {
  switch (silence.why) {
    case 'limit reached':
      return {
        text: l10n.t("The plan's limit is reached; completions go on at {time}.", { time: localTime(silence.until) }),
        action: command(l10n.t('Open Dashboard'), 'kourier.openDashboard'),
      }
    case 'unreachable':
      return { text: l10n.t('The service could not be reached for completions.'), action: trigger() }
    case 'failed':
      return {
        text: l10n.t('The last request for a completion failed.'),
        action: command(l10n.t('Show Log'), 'kourier.showLog'),
      }
    case 'another extension':
      return {
        text: l10n.t('{name} completes code too, and the editor shows only one of both.', sanitized(silence)),
        action: {
          label: l10n.t('Show {name}', { name: sanitize(silence.name) }),
          run: () => void commands.executeCommand('workbench.extensions.search', `@installed ${silence.name}`),
        },
      }
    case 'nothing fitted':
      return { text: l10n.t('What the model answered last did not fit at the cursor.'), action: trigger() }
    case 'held back':
      return {
        text: l10n.t('You hardly ever take completions like the last one, so it is held back.'),
        action: trigger(),
      }
  }
}

function command(label: string, id: CommandId | EditorCommandId): SilenceAction {
  return { label, run: () => runCommand(id) }
}

const turnOn = () => command(l10n.t('Turn Completions On'), 'kourier.toggleCompletions')

const trigger = () => command(l10n.t('Ask for a Completion'), 'editor.action.inlineSuggest.trigger')

const exclusions = () => setting(l10n.t('Open the Setting'), 'kourier.completions.exclude')

function setting(label: string, key: string): SilenceAction {
  return { label, run: () => void commands.executeCommand('workbench.action.openSettings', key) }
}
