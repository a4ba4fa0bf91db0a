// Finds the email addresses that the editor already knows, each with its source, without asking the user to log in.
import { authentication, extensions, l10n } from 'vscode'
import { type EmailSource, emailChoices } from '../../core/account/email.ts'
import type { EmailSearch } from '../../core/account/signInUi.ts'

/** The editor waits for seconds for an authentication provider that is not registered. */
const SOURCE_TIMEOUT_MS = 2_000

/** The part of the built-in git extension's API, version 1, that is used here. */
interface GitApi {
  readonly repositories: readonly { getConfig(key: string): Promise<string> }[]
}

export interface EditorEmailSearch extends EmailSearch {
  /** In a restricted window nothing is read from the workspace. */
  readonly mayReadWorkspace: boolean
  /** The user's global git email; empty where there is none. */
  readonly gitEmail: () => Promise<string>
}

/** In the order in which they are offered: the last one used, the editor's accounts, git. */
export async function findEmails({
  mayReadWorkspace,
  githubEmail,
  gitEmail,
  lastUsed,
}: EditorEmailSearch): Promise<EmailSource[]> {
  const found = await Promise.all([
    withTimeout(lastUsed().then(email => (email ? [{ email, source: l10n.t('used last') }] : []))),
    withTimeout(microsoftEmails()),
    withTimeout(githubEmails(githubEmail)),
    withTimeout(mayReadWorkspace ? repositoryEmails() : Promise.resolve([])),
    withTimeout(gitEmail().then(email => [{ email, source: l10n.t('git') }])),
  ])
  return emailChoices(found.flat())
}

/** The label of a Microsoft account is its address; labels come without consent and without any prompt. */
async function microsoftEmails(): Promise<EmailSource[]> {
  const accounts = await authentication.getAccounts('microsoft')
  return accounts.map(({ label }) => ({ email: label, source: l10n.t('Microsoft account') }))
}

/** The label of a GitHub account is a user name, so GitHub is asked, with a session that exists already or not at all. */
async function githubEmails(ask: EmailSearch['githubEmail']): Promise<EmailSource[]> {
  const session = await authentication.getSession('github', ['user:email'], { silent: true })
  const email = session && (await ask(session.accessToken))
  return email ? [{ email, source: l10n.t('GitHub account') }] : []
}

async function repositoryEmails(): Promise<EmailSource[]> {
  const git = extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git')
  if (!git) return []
  const [repository] = (await git.activate()).getAPI(1).repositories
  const email = repository ? await repository.getConfig('user.email') : ''
  return [{ email: email.trim(), source: l10n.t('git, this repository') }]
}

/** A source that fails or takes too long gives no address. */
function withTimeout(asked: Promise<EmailSource[]>): Promise<EmailSource[]> {
  return Promise.race([
    asked.catch(() => []),
    new Promise<EmailSource[]>(resolve => setTimeout(resolve, SOURCE_TIMEOUT_MS, [])),
  ])
}
