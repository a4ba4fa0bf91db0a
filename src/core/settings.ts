// `settingsTable`: every setting with its scope, default and the values that it accepts; and the fault of a failed write.
import { Fault } from './http/fault.ts'
import { type SurfaceId, surfaceIds } from './model/surfaceIds.ts'
import { secretFileGlobs } from './workspace/exclude.ts'
import { languagesByDefault } from './workspace/languagesByDefault.ts'

/** `application`: never read from a workspace. */
type Scope = 'application' | 'window' | 'language-overridable' | 'resource'

interface Setting<T> {
  readonly scope: Scope
  readonly fallback: T
  readonly accepts: (value: unknown) => boolean
}

// Settings are read before anything else is, so their checks are functions and no schemas, which take longer to make.
const isText = (value: unknown) => typeof value === 'string'
const isFlag = (value: unknown) => typeof value === 'boolean'
const isBetween = (least: number, most: number) => (value: unknown) =>
  typeof value === 'number' && value >= least && value <= most
const isOneOf = (values: readonly string[]) => (value: unknown) => isText(value) && values.includes(value)
const isListOfTexts = (value: unknown) => Array.isArray(value) && value.every(isText)
const isRecordOfFlags = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isFlag)

const setting = <T>(scope: Scope, fallback: T, accepts: Setting<T>['accepts']): Setting<T> => ({
  scope,
  fallback,
  accepts,
})

/** The typed table behind `contributes.configuration`, without the prefix `kourier.`. */
export const settingsTable = {
  baseUrl: setting('application', '', isText),
  /** For the browser sign-in; empty: the client id is registered with the service. */
  clientId: setting('application', '', value => isText(value) && /^[\x20-\x7e]{0,2048}$/.test(value)),
  model: setting('window', '', isText),
  backgroundModel: setting('window', '', isText),
  /** The API surface of the service that requests use. */
  surface: setting<SurfaceId>('window', 'chat-completions', isOneOf(surfaceIds)),
  /** 0: the plan's limit is learned from the service. */
  maxConcurrentRequests: setting('application', 0, value => Number.isInteger(value) && isBetween(0, 32)(value)),
  'completions.enabled': setting('language-overridable', languagesByDefault, isRecordOfFlags),
  'completions.model': setting('window', '', isText),
  'completions.delayMs': setting<number | null>('window', null, value => value === null || isBetween(0, 5_000)(value)),
  'completions.mode': setting<'eager' | 'subtle'>('window', 'eager', isOneOf(['eager', 'subtle'])),
  'completions.exclude': setting<readonly string[]>('resource', secretFileGlobs, isListOfTexts),
  'completions.nextEdit': setting('window', true, isFlag),
  'chat.instructionFiles': setting('resource', true, isFlag),
  'chat.sendOnEnter': setting('window', true, isFlag),
  /** The mode in which a new chat begins. */
  'agent.mode': setting<'ask' | 'edit'>('application', 'ask', isOneOf(['ask', 'edit'])),
  'agent.maxRequests': setting('application', 40, value => Number.isInteger(value) && isBetween(5, 200)(value)),
  /** The exact texts of commands that run without a question. */
  'agent.allowedCommands': setting<readonly string[]>('application', [], isListOfTexts),
  /** Globs of files that always ask before they are changed, beside those that are built in. */
  'agent.protect': setting<readonly string[]>('resource', [], isListOfTexts),
}

export type SettingKey = keyof typeof settingsTable
export type SettingValue<K extends SettingKey> = (typeof settingsTable)[K]['fallback']

/** `value` if the setting accepts it, else the default, so that a mistake in settings.json never stops the extension. */
export function readSetting<K extends SettingKey>(key: K, value: unknown): SettingValue<K> {
  const { accepts, fallback } = settingsTable[key]
  return accepts(value) ? (value as SettingValue<K>) : fallback
}

/** The editor could not write a setting, because settings.json has unsaved changes or a mistake, or is read-only. */
export class SettingsError extends Fault {
  override readonly name = 'SettingsError'

  constructor(text: string, { cause }: { readonly cause?: unknown } = {}) {
    super('settings: not written', text, { cause })
  }
}
