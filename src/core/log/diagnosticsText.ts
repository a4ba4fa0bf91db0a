// `diagnosticsText`: what a user copies into a report: versions, settings and the last faults.

/** By name, in the order in which they are written. */
type Facts = Readonly<Record<string, string>>

export interface Diagnostics {
  readonly facts: Facts
  /** Those that differ from their defaults, by their whole names. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly faults: readonly string[]
}

/** In English, because those who read it may not speak the user's language. Not redacted. */
export function diagnosticsText({ facts, settings, faults }: Diagnostics): string {
  return [
    ...Object.entries(facts).map(([name, value]) => `${name}: ${value}`),
    '',
    ...section(
      'Settings',
      Object.entries(settings).map(([name, value]) => `${name}: ${settingText(value)}`),
    ),
    '',
    ...section('Last warnings and errors', faults),
    '',
  ].join('\n')
}

const section = (title: string, lines: readonly string[]) => [`${title}:`, ...(lines.length > 0 ? lines : ['none'])]

/** Of a list only its length: its globs and commands are the user's own business. */
const settingText = (value: unknown) => (Array.isArray(value) ? `${value.length} entries` : JSON.stringify(value))
