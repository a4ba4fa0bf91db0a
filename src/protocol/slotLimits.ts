// The limits of what a window and the coordinator of slots accept from each other: characters, requests, accounts.

/** Longest message in characters, its end of line not counted. */
export const MAX_CHARS_TO_COORDINATOR = 2_000
export const MAX_CHARS_FROM_COORDINATOR = 100_000
/** The most requests of one window and one lane in one queue; the window sends more only when these end. */
export const MAX_REQUESTS_PER_LANE = 40
/** So many of all five lanes. */
export const MAX_REQUESTS_PER_WINDOW = 5 * MAX_REQUESTS_PER_LANE
/** So many accounts one window may have requests of at once. */
export const MAX_ACCOUNTS_PER_WINDOW = 16
