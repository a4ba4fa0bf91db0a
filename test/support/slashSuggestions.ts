// `slashSuggestions`: the extension's answer to a slash command that is being typed, with a prompt file of the workspace.
import type { ContextSources } from '../../src/core/context/contextSources.ts'
import type { FromPage, ToPage } from '../../src/protocol/panel.ts'
import { withFakeVscode } from './fakeVscode.ts'

const { Suggestions } = await withFakeVscode(() => import('../../src/editor/chat/suggestions.ts'))

const prompt = {
  ...{ name: 'release-notes', description: 'A prompt of the workspace', body: '', withoutEffect: [] },
  uri: 'file:///w/.github/prompts/release-notes.prompt.md',
}

export async function slashSuggestions(asked: Extract<FromPage, { kind: 'suggest' }>): Promise<ToPage[]> {
  const sent: ToPage[] = []
  const suggestions = new Suggestions({
    sources: {} as ContextSources, // as: slash commands ask none.
    promptFiles: async () => [prompt],
    send: message => sent.push(message),
    report: fault => {
      throw fault
    },
  })
  await suggestions.ask(asked)
  return sent
}
