// Prompt modes of a service whose models are known as hole fillers, and sources that have nothing.

import type { CompleterOptions } from '../../../src/core/complete/completer.ts'
import { nothingGathered } from '../../../src/core/complete/promptSources.ts'

export const noSources: CompleterOptions['sources'] = { follow: () => {}, for: () => nothingGathered, forget: () => {} }

export const holeMode: CompleterOptions['modes'] = { for: () => 'hole', record: () => {}, recordFault: () => false }
