// `repositoryList`: which files go along with the whole repository and which do not, as a text.
import { l10n } from 'vscode'
import type { RepositoryEstimate } from '../../core/context/repositorySource.ts'
import { textLanguage } from '../ui/textLanguage.ts'
import { omissionText } from './contextConsent.ts'

export function repositoryList({ included, omitted, files, chars }: RepositoryEstimate): string {
  const count = (number: number) => number.toLocaleString(textLanguage())
  const heading = l10n.t('{count} files are sent, with about {chars} characters in total', {
    count: count(files),
    chars: count(chars),
  })
  const left = omissionText(omitted)
  return [heading, '', ...included, '', ...(left === undefined ? [] : [left, ''])].join('\n')
}
