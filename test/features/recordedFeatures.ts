// All features on the recorded editor, in plain Node.
import { registerHooks } from 'node:module'

/**
 * Modules of the editor layer of these tests alone: files that share a process have theirs with an editor of their own.
 * What these modules import later is theirs as well.
 */
let isFirst = true
registerHooks({
  resolve: (name, context, next) => {
    const isTheirs = context.parentURL?.endsWith('?recorded')
    if (name === 'vscode' && isTheirs)
      return { url: new URL('recordedEditor.ts', import.meta.url).href, shortCircuit: true }
    const found = next(name, context)
    const isEditorLayer = /\/src\/(editor|features)\/[^?]*$/.test(found.url)
    return (isFirst || isTheirs) && isEditorLayer ? { ...found, url: `${found.url}?recorded` } : found
  },
})
export const { features } = await import('../../src/features/features.ts')
export const { createServices } = await import('../../src/features/services.ts')
export const { commandTable } = await import('../../src/editor/ui/commands.ts')
isFirst = false
