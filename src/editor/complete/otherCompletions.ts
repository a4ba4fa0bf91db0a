// `otherCompletions`: another active extension that completes code, whose text the editor may show in place of ours.
import { extensions } from 'vscode'

const ids = [
  'GitHub.copilot',
  'AmazonWebServices.amazon-q-vscode',
  'augment.vscode-augment',
  'Codeium.codeium',
  'Continue.continue',
  'ggml-org.llama-vscode',
  'Google.geminicodeassist',
  'HuggingFace.huggingface-vscode',
  'sourcegraph.cody-ai',
  'supermaven.supermaven',
  'TabbyML.vscode-tabby',
  'TabNine.tabnine-vscode',
]

/** Its name; the editor does not report which provider's text it shows. */
export function otherCompletions(): string | undefined {
  const active = ids.map(id => extensions.getExtension(id)).find(extension => extension?.isActive)
  if (!active) return undefined
  const name: unknown = active.packageJSON?.displayName
  return typeof name === 'string' && !name.startsWith('%') ? name : active.id
}
