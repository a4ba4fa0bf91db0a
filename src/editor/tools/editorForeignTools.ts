// `listForeignTools`, `invokeForeignTool`: the tools of other extensions and of MCP servers, as the editor lists and runs them.
import {
  CancellationError,
  extensions,
  LanguageModelDataPart,
  LanguageModelPromptTsxPart,
  LanguageModelTextPart,
  l10n,
  lm,
} from 'vscode'
import { AbortedError } from '../../base/abort.ts'
import { base64 } from '../../base/base64.ts'
import { imageTypeOf, MOST_IMAGE_BYTES } from '../../core/context/imageFile.ts'
import type { ForeignContent, ForeignTool } from '../../core/tools/foreignTools.ts'
import type { ToolInput } from '../../core/tools/tool.ts'
import { listOf, objectOf, textOf } from '../../protocol/json.ts'
import { withToken } from '../ui/cancellation.ts'

interface Owner {
  readonly owner: string
  readonly ownerName: string
}

/** Without the editor's own tools, which run only in the editor's own chat. */
export function listForeignTools(): readonly ForeignTool[] {
  const contributed = contributedTools()
  return lm.tools.flatMap(({ name, description, inputSchema: schema }) => {
    const owner = contributed.get(name) ?? serverOf(name)
    return owner ? [{ name, description, schema, ...owner }] : []
  })
}

/** By the names of the tools that they contribute. */
function contributedTools(): ReadonlyMap<string, Owner> {
  const owners = new Map<string, Owner>()
  for (const { id, packageJSON } of extensions.all) {
    const manifest = objectOf(packageJSON)
    const ownerName = textOf(manifest?.['displayName']) || id
    for (const tool of listOf(objectOf(manifest?.['contributes'])?.['languageModelTools'])) {
      const name = textOf(objectOf(tool)?.['name'])
      if (name !== '') owners.set(name, { owner: id, ownerName })
    }
  }
  return owners
}

/** The editor names the tools of servers `mcp_<server>_<tool>`. */
function serverOf(name: string): Owner | undefined {
  const server = /^mcp_([^_]+)_/.exec(name)?.[1]
  if (server === undefined) return undefined
  return { owner: `mcp ${server}`, ownerName: l10n.t('MCP server {server}', { server }) }
}

/** Outside of the editor's own chat the editor asks by itself before tools that want that. */
export async function invokeForeignTool(
  name: string,
  input: ToolInput,
  signal: AbortSignal,
): Promise<readonly ForeignContent[]> {
  try {
    const options = { input, toolInvocationToken: undefined }
    const { content } = await withToken(signal, token => lm.invokeTool(name, options, token))
    return content.map(contentOf)
  } catch (fault) {
    const isDeclined = fault instanceof CancellationError || (fault instanceof Error && fault.name === 'Canceled')
    throw isDeclined ? new AbortedError() : fault
  }
}

function contentOf(part: unknown): ForeignContent {
  if (part instanceof LanguageModelTextPart) return { kind: 'text', text: part.value }
  if (part instanceof LanguageModelDataPart) return dataOf(part)
  const mediaType = part instanceof LanguageModelPromptTsxPart ? 'prompt-tsx' : 'unknown'
  return { kind: 'other', mediaType, sizeBytes: JSON.stringify(part)?.length ?? 0 }
}

function dataOf({ data, mimeType }: LanguageModelDataPart): ForeignContent {
  if (/^(?:text\/|application\/(?:\S+\+)?json\b)/.test(mimeType))
    return { kind: 'text', text: new TextDecoder().decode(data) }
  const mediaType = imageTypeOf(data)
  if (mediaType && data.length <= MOST_IMAGE_BYTES) return { kind: 'image', mediaType, base64: base64(data) }
  return { kind: 'other', mediaType: mimeType, sizeBytes: data.length }
}
