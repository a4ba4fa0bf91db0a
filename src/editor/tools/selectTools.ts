// `selectTools`: the command Select Tools; `reportChangedTools`: reports which selected tools are off because they have changed.
import { l10n, type QuickPickItem, QuickPickItemKind, window } from 'vscode'
import { sanitizeLine } from '../../base/text.ts'
import type { ForeignTool, ForeignToolChoice, ForeignTools } from '../../core/tools/foreignTools.ts'
import { runCommand } from '../ui/commands.ts'
import { listed } from '../ui/listed.ts'

/** `name`: none for the line above the tools of one owner. */
interface Item extends QuickPickItem {
  readonly name?: string
}

/** Shows the list again while more are ticked than are possible. */
export async function selectTools(tools: ForeignTools): Promise<void> {
  const choices = await tools.choices()
  if (choices.length === 0) {
    await window.showInformationMessage(l10n.t('No other extension and no MCP server offers tools in this window.'))
    return
  }
  let selected = choices.filter(({ isSelected }) => isSelected).map(({ name }) => name)
  for (let isTooMany = false; ; isTooMany = true) {
    const title = isTooMany
      ? l10n.t('{count} tools are ticked, and at most {most} are possible', {
          count: selected.length,
          most: tools.most,
        })
      : l10n.t('Tools of Other Extensions and MCP Servers (at Most {most})', { most: tools.most })
    const picked = await window.showQuickPick(itemsOf(choices, selected), {
      title,
      placeHolder: l10n.t('Tick what Kourier may offer to the model. You are asked before each call.'),
      canPickMany: true,
      matchOnDescription: true,
      matchOnDetail: true,
    })
    if (!picked) return
    selected = picked.flatMap(({ name }) => name ?? [])
    if (selected.length <= tools.most) return tools.select(selected)
  }
}

function itemsOf(choices: readonly ForeignToolChoice[], selected: readonly string[]): Item[] {
  const owners = Map.groupBy(choices, ({ tool }) => tool?.ownerName ?? l10n.t('Not available now'))
  return [...owners].flatMap(([owner, own]) => [
    { label: sanitizeLine(owner), kind: QuickPickItemKind.Separator },
    ...own.map(choice => itemOf(choice, selected.includes(choice.name))),
  ])
}

/** The description with which the model chooses is all that is known of what a tool does. */
function itemOf({ name, tool }: ForeignToolChoice, picked: boolean): Item {
  const label = sanitizeLine(name, 100)
  if (!tool) return { name, label, picked }
  return { name, label, picked, description: sanitizeLine(tool.ownerName), detail: sanitizeLine(tool.description) }
}

export function reportChangedTools(tools: readonly ForeignTool[]): void {
  const names = listed(
    tools.map(({ name }) => sanitizeLine(name, 100)),
    'conjunction',
  )
  const text = l10n.t('What has changed since you selected it is off until you select it again: {tools}.', {
    tools: names,
  })
  const select = l10n.t('Select Tools')
  void window.showWarningMessage(text, select).then(pressed => {
    if (pressed === select) runCommand('kourier.selectTools')
  })
}
