// `isActingCommand`: whether a message is a slash command that sends nothing, and what such commands are called.

export const actingCommands = ['compact', 'clear'] as const

const pattern = new RegExp(`^\\s*/(?:${actingCommands.join('|')})(?!\\S)`)

export const isActingCommand = (text: string): boolean => pattern.test(text)
