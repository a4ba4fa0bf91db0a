// The settings under which the files are typed: those of every run of the benchmarks, and all of them.
import { type Part, removableParts } from './completerAdapter.ts'
import type { Conditions } from './replay.ts'

export interface Setting {
  /** Names the row of the table. */
  readonly name: string
  readonly conditions: Conditions
  /** Measure also what a reader of the suggestions accepts; this takes two more replays. */
  readonly isAccepted: boolean
}

const usual: Conditions = {
  typing: { medianMs: 120, sigma: 0.45, mistakes: 0.03 },
  closesPairs: false,
  opensList: false,
  accepts: false,
  firstTokenMs: 300,
  firstTokenSigma: 0.35,
  tokensPerSecond: 100,
  surprise: 0,
  slots: 3,
  releaseMs: 100,
}

/** What part of the words a good model cannot guess. */
const SURPRISE = 0.136

const firstTokens = [100, 300, 1_000]
/** What users have comes first. */
const pairs = [true, false]
const faultless = { ...usual.typing, mistakes: 0 }

/** Which rows are measured each time: what users have, and what each condition of it makes of the middle row. */
export const fewSettings: readonly Setting[] = [
  ...firstTokens.map(firstTokenMs =>
    settingOf({ surprise: SURPRISE, closesPairs: true, firstTokenMs }, { isAccepted: firstTokenMs === 300 }),
  ),
  settingOf({ surprise: SURPRISE, closesPairs: true, typing: faultless }, { note: 'no mistakes' }),
  settingOf({ surprise: SURPRISE }),
  ...pairs.map(closesPairs => settingOf({ closesPairs })),
]

/** With closed pairs, surprised as often as a good model and never. */
export const usersSettings = (note: string, without: readonly Part[] = []): readonly Setting[] =>
  [SURPRISE, 0].map(surprise => settingOf({ surprise, closesPairs: true, without }, { note }))

/** With everything, and then with one part of the completer switched off at a time. */
export const partSettings: readonly Setting[] = [
  ...usersSettings('with all'),
  ...removableParts.flatMap(part => usersSettings(`without ${part}`, [part])),
]

export const allSettings: readonly Setting[] = [
  ...[SURPRISE, 0].flatMap(surprise =>
    pairs.flatMap(closesPairs =>
      firstTokens.map(firstTokenMs => settingOf({ surprise, closesPairs, firstTokenMs }, { isAccepted: true })),
    ),
  ),
  ...pairs.flatMap(closesPairs => [
    settingOf({ surprise: SURPRISE, closesPairs, typing: faultless }, { note: 'no mistakes' }),
    settingOf({ closesPairs, typing: faultless }, { note: 'no mistakes' }),
    settingOf(
      { surprise: SURPRISE, closesPairs, typing: { ...usual.typing, medianMs: 190 } },
      { note: '190 ms a key' },
    ),
    settingOf(
      { surprise: SURPRISE, closesPairs, typing: { ...usual.typing, medianMs: 280 } },
      { note: '280 ms a key' },
    ),
    settingOf({ surprise: SURPRISE, closesPairs, opensList: true }, { note: 'list opens' }),
    settingOf({ surprise: SURPRISE, closesPairs, opensList: true, firstTokenMs: 1_000 }, { note: 'list opens' }),
  ]),
  settingOf({ typing: { medianMs: 200, sigma: 0, mistakes: 0 }, tokensPerSecond: 50 }, { note: 'steady 200 ms' }),
  ...partSettings,
]

/** Of several windows that share a plan. */
const fourWindowSettings = { surprise: SURPRISE, closesPairs: true }

export const fewWindowSettings: readonly Setting[] = [settingOf(fourWindowSettings, { note: 'four windows' })]

export const allWindowSettings: readonly Setting[] = [
  ...firstTokens.map(firstTokenMs => settingOf({ ...fourWindowSettings, firstTokenMs }, { note: 'four windows' })),
  settingOf({ ...fourWindowSettings, releaseMs: 20 }, { note: 'aborts known in 20 ms' }),
]

function settingOf(
  changed: Partial<Conditions>,
  { isAccepted = false, note = '' }: { isAccepted?: boolean; note?: string } = {},
): Setting {
  const conditions = { ...usual, ...changed }
  const { surprise, closesPairs, firstTokenMs } = conditions
  const parts = [String(surprise).padEnd(5), closesPairs ? 'on ' : 'off', String(firstTokenMs).padStart(4), note]
  return { name: parts.join(' ').trimEnd(), conditions, isAccepted }
}
