// The email addresses that the editor already knows, each with its source; nobody is asked to log in for it.
import { authentication, extensions } from 'vscode'
import { type EmailSource, emailChoices } from '../../core/account/email.ts'
import type { EmailSearch } from '../../core/account/signInUi.ts'

/** A provider that nobody registered keeps a caller waiting for seconds. */
const PATIENCE_MS = 2_000

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

/** The last one used, then the editor's own accounts, then git's. */
export async function findEmails({
  mayReadWorkspace,
  githubEmail,
  gitEmail,
  lastUsed,
}: EditorEmailSearch): Promise<EmailSource[]> {
  const found = await Promise.all([
    quietly(lastUsed().then(email => (email ? [{ email, source: 'used last' }] : []))),
    quietly(microsoftEmails()),
    quietly(githubEmails(githubEmail)),
    quietly(mayReadWorkspace ? repositoryEmails() : Promise.resolve([])),
    quietly(gitEmail().then(email => [{ email, source: 'git' }])),
  ])
  return emailChoices(found.flat())
}

/** The label of a Microsoft account is its address; labels come without consent and without any prompt. */
async function microsoftEmails(): Promise<EmailSource[]> {
  const accounts = await authentication.getAccounts('microsoft')
  return accounts.map(({ label }) => ({ email: label, source: 'Microsoft account' }))
}

/** The label of a GitHub account is a user name, so GitHub is asked, with a session that exists already or not at all. */
async function githubEmails(ask: EmailSearch['githubEmail']): Promise<EmailSource[]> {
  const session = await authentication.getSession('github', ['user:email'], { silent: true })
  const email = session && (await ask(session.accessToken))
  return email ? [{ email, source: 'GitHub account' }] : []
}

async function repositoryEmails(): Promise<EmailSource[]> {
  const git = extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git')
  if (!git) return []
  const [repository] = (await git.activate()).getAPI(1).repositories
  const email = repository ? await repository.getConfig('user.email') : ''
  return [{ email: email.trim(), source: 'git, this repository' }]
}

/** A source that fails or takes long has nothing to offer. */
function quietly(asked: Promise<EmailSource[]>): Promise<EmailSource[]> {
  return Promise.race([
    asked.catch(() => []),
    new Promise<EmailSource[]>(resolve => setTimeout(resolve, PATIENCE_MS, [])),
  ])
}
