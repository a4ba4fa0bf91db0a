// `LinksContext`: what makes links of the names of files and symbols, for every component below.
import { createContext } from 'preact'
import type { PageLinks } from '../state/pageLinks.ts'
import type { NearBlocks } from './nearBlocks.ts'

export interface Links {
  readonly page: PageLinks
  readonly near: NearBlocks
}

/** Undefined where names are text. */
export const LinksContext = createContext<Links | undefined>(undefined)

/** How many more names one answer may ask for. */
export interface LinkBudget {
  files: number
  symbols: number
}

export const newLinkBudget = (): LinkBudget => ({ files: 80, symbols: 20 })

export const LinkBudgetContext = createContext<LinkBudget | undefined>(undefined)
