// `LINE_LIMIT_CHARS`: nothing is completed in a longer line.

export const LINE_LIMIT_CHARS = 2_000
