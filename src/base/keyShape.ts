// `withoutKeys`, `holdsKey`: API keys of the service, by their shape, in any text.

/** The prefix of the service's keys, also in the middle of a word. */
const SHAPE = /sk-bf-[A-Za-z0-9_-]{8,512}/g
const START = 'sk-bf-'
/** In place of a key. */
export const KEY_MASK = 'sk-bf-…'

/** The same text where there is none. */
export const withoutKeys = (text: string) => (text.includes(START) ? text.replace(SHAPE, KEY_MASK) : text)

export const holdsKey = (text: string) => withoutKeys(text) !== text
