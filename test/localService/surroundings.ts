// `withoutSurroundings`: the text of a message without what the extension adds about the window.

export const withoutSurroundings = (text: string): string =>
  text.replace(/<(environment|skills|situation)>[\s\S]*?<\/\1>\s*/g, '')
