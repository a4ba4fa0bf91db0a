// `ColoursContext`: what colours the code blocks, for every component below; undefined where code has no colours.
import { createContext } from 'preact'
import type { PageColours } from '../state/pageColours.ts'
import type { NearBlocks } from './nearBlocks.ts'

export interface Colours {
  readonly page: PageColours
  readonly near: NearBlocks
}

export const ColoursContext = createContext<Colours | undefined>(undefined)
