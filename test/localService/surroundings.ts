// `withoutSurroundings`, `namedFiles`: a message without what the extension adds about the window, and the files that names.

export const withoutSurroundings = (text: string): string =>
  text.replace(/<(environment|skills|situation|mode)>[\s\S]*?<\/\1>\s*/g, '')

/** The paths of files in the tree of the workspace, as it goes along with the first question. */
export function namedFiles(text: string): readonly string[] {
  const [, environment = ''] = /<environment>([\s\S]*?)<\/environment>/.exec(text) ?? []
  const [, tree = ''] = environment.split('Files and folders:')
  return tree.split('\n').filter(line => /^[\w@.+/-]*\w\.\w+$/.test(line))
}
