// Every setting, its type and its default.
import * as z from 'zod/mini'
import { Fault } from './http/fault.ts'
import { type SurfaceId, surfaceIds } from './model/surfaceIds.ts'
import { secretFileGlobs } from './workspace/exclude.ts'

/** `application`: never read from a workspace. */
type Scope = 'application' | 'window' | 'language-overridable' | 'resource'

interface Setting<T> {
  readonly scope: Scope
  readonly fallback: T
  readonly accepts: z.ZodMiniType<T>
}

const setting = <T>(scope: Scope, fallback: T, accepts: z.ZodMiniType<T>): Setting<T> => ({ scope, fallback, accepts })

const allLanguages: Readonly<Record<string, boolean>> = {
  '*': true,
  plaintext: false,
  markdown: false,
  scminput: false,
}

/** The typed table behind `contributes.configuration`, without the prefix `kourier.`. */
export const settingsTable = {
  baseUrl: setting('application', '', z.string()),
  /** For the browser sign-in; empty: the service gives one out. */
  clientId: setting('application', '', z.string().check(z.regex(/^[\x20-\x7e]{0,2048}$/))),
  model: setting('window', '', z.string()),
  backgroundModel: setting('window', '', z.string()),
  /** In which of the service's ways the model is asked. */
  surface: setting<SurfaceId>('window', 'chat-completions', z.enum(surfaceIds)),
  /** 0: learn the plan's number. */
  maxConcurrentRequests: setting('application', 0, z.int().check(z.minimum(0), z.maximum(32))),
  'completions.enabled': setting('language-overridable', allLanguages, z.record(z.string(), z.boolean())),
  'completions.model': setting('window', '', z.string()),
  'completions.delayMs': setting<number | null>(
    'window',
    null,
    z.nullable(z.number().check(z.minimum(0), z.maximum(5_000))),
  ),
  'completions.mode': setting<'eager' | 'subtle'>('window', 'eager', z.enum(['eager', 'subtle'])),
  'completions.exclude': setting<readonly string[]>('resource', secretFileGlobs, z.array(z.string())),
  'chat.sendOnEnter': setting('window', true, z.boolean()),
}

export type SettingKey = keyof typeof settingsTable
export type SettingValue<K extends SettingKey> = (typeof settingsTable)[K]['fallback']

/** `value` where it fits, else the default: a typing mistake in a settings file never stops the product. */
export function readSetting<K extends SettingKey>(key: K, value: unknown): SettingValue<K> {
  const { accepts, fallback } = settingsTable[key]
  const read = accepts.safeParse(value)
  return read.success ? (read.data as SettingValue<K>) : fallback
}

/** The editor did not write a setting: settings.json has unsaved changes or a mistake in it, or is read-only. */
export class SettingsError extends Fault {
  override readonly name = 'SettingsError'

  constructor(text: string, { cause }: { readonly cause?: unknown } = {}) {
    super('settings: not written', text, { cause })
  }
}
