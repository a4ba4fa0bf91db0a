// `repositoryList`: which files go along with the whole repository and which do not, as a text.
import { l10n } from 'vscode'
import type { RepositoryContents } from '../../core/context/repositorySource.ts'
import { textLanguage } from '../ui/textLanguage.ts'
import { lacksGitText, omissionText } from './contextConsent.ts'

export function repositoryList({ paths, omitted, chars, lacksGit }: RepositoryContents): string {
  const count = (number: number) => number.toLocaleString(textLanguage())
  const heading = l10n.t('{count} files are sent, with about {chars} characters in total', {
    count: count(paths.length),
    chars: count(chars),
  })
  const left = omissionText(omitted)
  return [
    heading,
    ...(lacksGit ? [lacksGitText()] : []),
    '',
    ...paths,
    '',
    ...(left === undefined ? [] : [left, '']),
  ].join('\n')
}
