// `TIME`: the placeholder for the time in the text of a wait, which the page replaces each second.

export const TIME = '{time}'
