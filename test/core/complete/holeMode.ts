// Prompt modes of a service whose models are known as hole fillers, sources that have nothing, and a service without connections.

import type { CompleterOptions } from '../../../src/core/complete/completer.ts'
import { nothingGathered } from '../../../src/core/complete/promptSources.ts'

export const noSources: CompleterOptions['sources'] = { follow: () => {}, for: () => nothingGathered, forget: () => {} }

export const holeMode: CompleterOptions['modes'] = { for: () => 'hole', record: () => {}, recordFault: () => false }

export const noConnection: CompleterOptions['connection'] = { keep: () => {}, renew: () => {} }
