// How many characters the replay's model counts as one token.
export const TOKEN_CHARS = 4
