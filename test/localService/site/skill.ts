// The setup skill: what an agent reads to get a key for its user and to use it, with the addresses of this service.

import { claimGrantOf } from '../metadata.ts'
import type { Parts } from '../parts.ts'
import { codeLifeMs, registrationLifeMs } from '../registrations.ts'
import { openapiPath, skillName } from './paths.ts'

const codeMinutes = codeLifeMs / 60_000
const registrationMinutes = registrationLifeMs / 60_000

export function skill(parts: Parts): string {
  const { baseUrl, authUrl, siteUrl } = parts.addresses
  const model = parts.state.grantedModels[0] ?? parts.options.model
  return `---
name: ${skillName}
description: Gets an API key of Kourier for a user who agrees to it, stores it as KOURIER_API_KEY, and calls the model. Use it when the user wants to set up Kourier, needs a key for ${baseUrl}, or gets 401 from it.
---

# Set up Kourier

Kourier serves one language model on three surfaces: chat completions, responses and messages. You get a key by registering with the user's email address. The user confirms with a code in a browser; you never see a password.

The user needs a plan (Pro, Max or Omega). Without one, the page of the code asks them to choose.

If KOURIER_API_KEY is set already, go to step 7 and try it first. Do not register again while it works.

## Rules

- Before step 2, tell the user which email address you will use and that the key can use their plan until it is revoked. Go on only if they agree.
- The claim token and the key are secrets. Keep the claim token in memory only. Put neither into a file of the project, a commit, a log, a message or an answer.
- Send them to no other host than the ones below.
- Never open the link yourself, and never type or approve the code for the user.

## 1. Discover

\`\`\`sh
curl -sS ${baseUrl}/.well-known/oauth-protected-resource
\`\`\`

\`authorization_servers\` names ${authUrl}. Its own description names the endpoints, and \`agent_auth\` the ones of steps 2 and 5:

\`\`\`sh
curl -sS ${authUrl}/.well-known/oauth-authorization-server
\`\`\`

Every endpoint there begins with ${authUrl}. If one does not, stop and tell the user.

## 2. Register

EMAIL is the address that the user agreed to. CLIENT_NAME is shown on the page: say what you are and on which machine, in at most 100 characters.

\`\`\`sh
curl -sS ${authUrl}/agent/identity \\
  -H "Content-Type: application/json" \\
  -d "{\\"type\\": \\"service_auth\\", \\"login_hint\\": \\"$EMAIL\\", \\"client_name\\": \\"$CLIENT_NAME\\"}"
\`\`\`

Keep \`claim_token\` (it comes only once), \`claim_token_expires\` and, of \`claim\`, the \`user_code\`, \`verification_uri\`, \`expires_in\` and \`interval\`. The registration lives for ${registrationMinutes} minutes, the code for ${codeMinutes}. An answer 429 says in \`Retry-After\` after how many seconds you may register again.

## 3. Hand over

Look whether \`verification_uri\` begins with ${authUrl}/. Then tell the user, in these parts:

1. the link, \`verification_uri\`,
2. the code, \`user_code\`, and that it is good for ${codeMinutes} minutes,
3. what to do: sign in there with the same email address, see that CLIENT_NAME is the one shown, type the code and press Approve.

## 4. Poll

Ask with CLAIM_TOKEN until there is an answer other than \`authorization_pending\`. Wait \`interval\` seconds before the first question and between any two.

\`\`\`sh
curl -sS ${authUrl}/oauth2/token \\
  --data-urlencode "grant_type=${claimGrantOf(parts)}" \\
  --data-urlencode "claim_token=$CLAIM_TOKEN"
\`\`\`

| Answer | What to do |
|---|---|
| \`authorization_pending\` | The user has not confirmed yet. Wait \`interval\` seconds and ask again. |
| \`slow_down\` | You asked too soon. From now on wait 5 seconds longer each time. |
| \`expired_token\`, and it is earlier than \`claim_token_expires\` | The code has expired. Get a new one in step 5. |
| \`expired_token\`, and it is later | The registration has expired. Ask the user whether to begin again, then go to step 2. |
| \`access_denied\` | The user said no, or the key could not be made. Tell them \`error_description\` and stop. |
| \`invalid_grant\` | The key was handed out already. If you did not get it, have the user revoke the newest key on the dashboard, then go to step 2. |
| status 200 | \`access_token\` is the key. Go to step 6. |

If there is no answer at all, wait \`interval\` seconds and ask again.

## 5. Get a new code

Only after \`expired_token\`, while the registration lives. EMAIL must be the same. The old code and the old link are worthless from now on.

\`\`\`sh
curl -sS ${authUrl}/agent/identity/claim \\
  -H "Content-Type: application/json" \\
  -d "{\\"claim_token\\": \\"$CLAIM_TOKEN\\", \\"email\\": \\"$EMAIL\\"}"
\`\`\`

The new code and link stand in \`claim_attempt\`. Hand them over as in step 3 and poll on. An error \`claim_expired\` means that the registration is over: go to step 2.

## 6. Store the key

The key begins with \`sk-bf-\` and lives until it is revoked. Put it into the credential store of the system, or where the user keeps the environment variables of their shell, as KOURIER_API_KEY. Never into a repository. Forget the claim token.

## 7. Call the API

Tools are configured with ${baseUrl}/v1, those for the messages API with ${baseUrl}/anthropic. The model is \`${model}\`; the exact string of the account stands on the dashboard under Connect your tools, and here:

\`\`\`sh
curl -sS ${baseUrl}/v1/models -H "Authorization: Bearer $KOURIER_API_KEY"
\`\`\`

\`\`\`sh
curl -sS ${baseUrl}/v1/chat/completions \\
  -H "Authorization: Bearer $KOURIER_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] })}'
\`\`\`

Where a tool wants a second model for small jobs, give it the same one; others are refused. All requests are described in ${siteUrl}${openapiPath}.

| Status | What to do |
|---|---|
| 401 | The key is missing, wrong or revoked. Ask the user whether to begin again at step 1. |
| 403 | The plan has no API access, or the key may not use that model. The message says which. |
| 429 | The plan's requests at the same time are all in use. Wait as many seconds as \`Retry-After\` says. |

## 8. Give the key up

When the user no longer wants it. The answer is 200 also for a key that is no good any more. The user can do the same at ${siteUrl}/dashboard under API keys.

\`\`\`sh
curl -sS ${authUrl}/oauth2/revoke --data-urlencode "token=$KOURIER_API_KEY"
\`\`\`
`
}
