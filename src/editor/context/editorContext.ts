// `editorContext`: makes the sources of context out of what the editor offers.
import { Uri, window, workspace } from 'vscode'
import type { Clock } from '../../base/clock.ts'
import { DisposableStore } from '../../base/disposable.ts'
import { AnswerLinks } from '../../core/context/answerLinks.ts'
import { CombinedSources, type SourceTable } from '../../core/context/combinedSources.ts'
import type { ContextSources } from '../../core/context/contextSources.ts'
import { FileAccess } from '../../core/context/fileAccess.ts'
import { fileSource, selectionSource } from '../../core/context/fileSources.ts'
import { FittingRepository, type ModelWindow } from '../../core/context/fittingRepository.ts'
import { folderSource } from '../../core/context/folderSource.ts'
import { commitSource, type GitNeeds, gitChangeSource } from '../../core/context/gitSources.ts'
import { Instructions } from '../../core/context/instructions.ts'
import { openEditorsSource } from '../../core/context/openEditorsSource.ts'
import { problemsSource } from '../../core/context/problemsSource.ts'
import { type PromptFile, promptFiles } from '../../core/context/promptFiles.ts'
import { RepositorySource } from '../../core/context/repositorySource.ts'
import { type KeyRemover, SafeSources } from '../../core/context/safeSources.ts'
import { Skills } from '../../core/context/skills.ts'
import { symbolSource } from '../../core/context/symbolSource.ts'
import { terminalSource } from '../../core/context/terminalSource.ts'
import type { AccessPolicy } from '../../core/workspace/accessPolicy.ts'
import type { FileSearch } from '../../core/workspace/fileIndex.ts'
import type { Git } from '../../core/workspace/git.ts'
import type { IgnoredFiles } from '../../core/workspace/ignoredFiles.ts'
import type { FileListing } from '../../core/workspace/textFiles.ts'
import type { ReferenceOf } from '../../protocol/contextReference.ts'
import type { EditorSettings } from '../ui/editorSettings.ts'
import { workspacePath } from '../ui/workspacePath.ts'
import { editorContextNames } from './editorContextNames.ts'
import { EditorOffers } from './editorOffers.ts'
import { EditorProblems } from './editorProblems.ts'
import { EditorSymbols } from './editorSymbols.ts'
import type { EditorTerminal } from './editorTerminal.ts'
import { EditorTextFiles, type RealPath } from './editorTextFiles.ts'
import { gitFolders, placeInGitFolder } from './gitFolders.ts'
import { type LeadsInside, linkFolders } from './linkFolders.ts'
import { filesIn, foldersIn } from './namesIn.ts'
import { openFiles } from './openEditors.ts'
import { PageImages } from './pageImages.ts'
import { WorkspaceFileSearch } from './workspaceFileSearch.ts'

export interface EditorContextNeeds {
  readonly access: AccessPolicy
  readonly git: Git
  readonly listing: FileListing
  readonly ignored: IgnoredFiles
  readonly realPath: RealPath
  readonly leadsInside: LeadsInside
  readonly terminal: EditorTerminal
  readonly settings: Pick<EditorSettings, 'isOn'>
  /** The folder of the profile's prompts. */
  readonly promptsFolder: Uri
  readonly newId: () => string
  readonly clock: Clock
  /** Of the model that is selected. */
  readonly window: ModelWindow
  readonly keys: KeyRemover
}

/** The sources, and what is not asked for by a suggestion. */
export interface EditorContext {
  readonly files: FileAccess
  readonly search: FileSearch
  readonly problems: EditorProblems
  readonly images: PageImages
  readonly sources: ContextSources
  readonly terminal: Pick<EditorTerminal, 'selection'>
  readonly instructions: Pick<Instructions, 'for' | 'touched'>
  readonly skills: Pick<Skills, 'all'>
  readonly repository: Pick<RepositorySource, 'contents' | 'changesSince'>
  /** The files and symbols that an answer names. */
  readonly links: Pick<AnswerLinks, 'files' | 'symbols'>
  /** For a uri that was dropped, pasted or selected; undefined where there is nothing. */
  referenceOf(uri: string, signal: AbortSignal): Promise<ReferenceOf<'file' | 'folder'> | undefined>
  promptFiles(signal: AbortSignal): Promise<readonly PromptFile[]>
  dispose(): void
}

export function editorContext(needs: EditorContextNeeds): EditorContext {
  const { access, listing, ignored, realPath, terminal, newId, clock } = needs
  const life = new DisposableStore()
  const names = editorContextNames()
  const images = new PageImages()
  const files = new FileAccess({ files: new EditorTextFiles(realPath), access, images, newId })
  const search = life.add(new WorkspaceFileSearch(listing, ignored, clock))
  const offers = life.add(new EditorOffers(clock))
  const instructions = instructionsOf(files, needs)
  const repository = new RepositorySource(files, listing, names, needs.keys)
  const git = gitNeeds(files, needs)
  const symbols = new EditorSymbols(clock)
  const problems = new EditorProblems()
  const folders = folderSource(files, listing, search)
  const table: SourceTable = {
    file: fileSource(files, search, folders),
    folder: folders,
    selection: selectionSource(files, () => offers.current.selection, names),
    symbol: symbolSource(files, symbols),
    'open-editors': openEditorsSource(files, openListed, names),
    problems: problemsSource(files, problems, names),
    terminal: terminalSource(files, () => terminal.commands, names),
    'git-change': gitChangeSource(git),
    commit: commitSource(git),
    instructions: instructions.source(),
    repository: new FittingRepository(repository, needs.window),
  }
  return {
    files,
    search,
    problems,
    images,
    sources: new SafeSources(new CombinedSources(table, offers), needs.keys),
    terminal,
    instructions,
    skills: new Skills(files, { ...instructedFolders(needs), foldersIn }),
    repository,
    links: new AnswerLinks({
      files: files.files,
      access,
      search,
      symbols,
      isTrusted: () => workspace.isTrusted,
      folders: () => linkFolders(needs.leadsInside),
    }),
    async referenceOf(text, signal) {
      const found = await files.files.find(text, signal)
      return found && { source: found.kind === 'folder' ? 'folder' : 'file', uri: found.uri }
    },
    promptFiles: signal => promptFiles(files, promptPorts(files, needs), signal),
    dispose: () => life.dispose(),
  }
}

const openListed = () => openFiles().map(uri => ({ uri: uri.toString(), path: workspacePath(uri) }))

const folderUris = () => (workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString())

function instructionsOf(files: FileAccess, { settings, clock }: EditorContextNeeds): Instructions {
  return new Instructions(files, { ...instructedFolders({ settings }), filesIn, clock })
}

function instructedFolders({ settings }: Pick<EditorContextNeeds, 'settings'>) {
  return {
    folders: () => folderUris().map(uri => ({ uri })),
    isOn: (folder: string) => settings.isOn('chat.instructionFiles', Uri.parse(folder)),
    isTrusted: () => workspace.isTrusted,
  }
}

function promptPorts(files: FileAccess, { promptsFolder }: EditorContextNeeds) {
  return {
    workspaceFolders: () => (workspace.isTrusted ? folderUris() : []),
    profileFolder: promptsFolder.toString(),
    filesIn,
    readOwn: async (uri: string, signal: AbortSignal) => (await files.files.read(uri, undefined, signal))?.text,
  }
}

function gitNeeds(files: FileAccess, { git, access, clock }: EditorContextNeeds): GitNeeds {
  return {
    git,
    access,
    files,
    names: editorContextNames(),
    folders: gitFolders,
    placeOf: placeInGitFolder,
    activeFile: () => window.activeTextEditor?.document.uri.toString(),
    isTrusted: () => workspace.isTrusted,
    clock,
  }
}
