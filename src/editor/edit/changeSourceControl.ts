// `ChangeSourceControl`: the open changes as a list of the editor's source control, with marks at the changed lines.
import { l10n, type SourceControl, type SourceControlResourceState, scm, Uri } from 'vscode'
import { coalesced } from '../../base/coalesced.ts'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import type { Changes, ReviewScope } from '../../core/tools/changes.ts'
import { baselineUri } from './baselineDocuments.ts'

/** What the list has of one file. */
export interface ChangeResource extends SourceControlResourceState {
  readonly conversation: string
  readonly uri: string
}

interface Lists {
  readonly control: SourceControl
  readonly show: (open: readonly ChangeResource[], kept: readonly ChangeResource[]) => void
}

/** There is no such list while there is nothing to review. */
export class ChangeSourceControl implements Disposable {
  readonly #changes: Changes
  readonly #disposables = new DisposableStore()
  #lists: Lists | undefined

  constructor(changes: Changes) {
    this.#changes = changes
    this.#disposables.add(changes.onDidChange(() => this.#draw()))
  }

  readonly #draw = coalesced(() => {
    const conversations = this.#changes.openConversations
    const open = conversations.flatMap(conversation =>
      this.#changes.openFiles(conversation).map(uri => this.#resource(conversation, uri, 'open')),
    )
    const kept = conversations.flatMap(conversation =>
      this.#changes.keptFiles(conversation).map(uri => this.#resource(conversation, uri, 'kept')),
    )
    if (open.length === 0) return this.#remove()
    this.#lists ??= this.#create()
    this.#lists.control.count = open.length
    this.#lists.show(open, kept)
  })

  #create(): Lists {
    const control = scm.createSourceControl('kourier', l10n.t('Changes by Kourier'))
    control.inputBox.visible = false
    control.quickDiffProvider = {
      provideOriginalResource: uri => {
        const file = uri.toString()
        const conversation = this.#changes.openConversations.find(one => this.#changes.openFiles(one).includes(file))
        return conversation === undefined ? undefined : baselineUri({ conversation, uri: file })
      },
    }
    const review = control.createResourceGroup('review', l10n.t('To review'))
    const keptGroup = control.createResourceGroup('kept', l10n.t('Kept'))
    keptGroup.hideWhenEmpty = true
    return {
      control,
      show(open, kept) {
        review.resourceStates = [...open]
        keptGroup.resourceStates = [...kept]
      },
    }
  }

  #resource(conversation: string, uri: string, state: 'open' | 'kept'): ChangeResource {
    const kind = this.#changes.kindOf(conversation, uri)
    return {
      ...{ conversation, uri, resourceUri: Uri.parse(uri, true), contextValue: state },
      decorations: { strikeThrough: kind === 'deleted', faded: state === 'kept', tooltip: tooltips[kind]() },
      ...(state === 'open' && {
        command: {
          command: 'kourier.changes.openDiff',
          title: l10n.t('Open diff'),
          arguments: [{ conversation, uri }],
        },
      }),
    }
  }

  #remove(): void {
    this.#lists?.control.dispose()
    this.#lists = undefined
  }

  dispose(): void {
    this.#remove()
    this.#disposables.dispose()
  }
}

const tooltips = {
  modified: () => l10n.t('Changed by Kourier'),
  created: () => l10n.t('Created by Kourier'),
  deleted: () => l10n.t('Deleted by Kourier'),
  renamed: () => l10n.t('Renamed by Kourier'),
} as const

/** What a menu of the list names; another extension may run its commands with anything. */
export function listedScopes(given: readonly unknown[]): readonly ReviewScope[] {
  const scopes = given.flat().flatMap((one): ReviewScope[] => {
    if (typeof one !== 'object' || one === null) return []
    if ('resourceStates' in one && Array.isArray(one.resourceStates)) return [...listedScopes(one.resourceStates)]
    const { conversation, uri } = one as Partial<ChangeResource>
    return typeof conversation === 'string' && typeof uri === 'string' ? [{ conversation, uri }] : []
  })
  const known = new Map(scopes.map(scope => [`${scope.conversation} ${scope.uri}`, scope]))
  return [...known.values()]
}
