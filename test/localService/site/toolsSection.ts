// Connect your tools: the addresses, the exact model string, and what to type into each tool.
import { html } from 'hono/html'
import type { Html } from '../page.ts'
import type { Parts } from '../parts.ts'
import { type Snippet, snippets } from './snippets.ts'

export function toolsSection({ state, options, addresses: { baseUrl } }: Parts): Html {
  const [model = options.model, ...others] = state.grantedModels
  return html`<section class="card" id="tools" aria-labelledby="tools-title">
<h2 id="tools-title">Connect your tools</h2>
<dl><dt>Model</dt><dd><code id="model">${model}</code></dd>
${others.length > 0 ? html`<dt>Other models</dt><dd>${others.map(id => html`<code>${id}</code> `)}</dd>` : ''}
<dt>Service address</dt><dd><code>${baseUrl}</code></dd>
<dt>Chat completions</dt><dd><code>${baseUrl}/v1</code></dd>
<dt>Responses</dt><dd><code>${baseUrl}/v1</code></dd>
<dt>Messages</dt><dd><code>${baseUrl}/anthropic</code></dd></dl>
<h3>In VS Code</h3>
<p>Install Kourier, run <strong>Kourier: Sign In</strong> and give the service address. No key is copied.</p>
<h3>In other tools</h3>
<p>Generate a key above and put it into the variable that all of these read:</p>
<pre><code>export KOURIER_API_KEY='the key that you copied'</code></pre>
${baseUrl.startsWith('https:') ? ownAuthority : ''}
<p class="soft">In PowerShell: <code>$env:KOURIER_API_KEY = 'the key that you copied'</code></p>
${snippets(baseUrl, model).map(entry)}</section>`
}

const ownAuthority = html`<p>The certificate of this service comes from an authority of its own, which other programs
have to be told to trust. Its file is named where the service was started; put its path into
<code>NODE_EXTRA_CA_CERTS</code> for Node, <code>SSL_CERT_FILE</code> for Python, <code>CURL_CA_BUNDLE</code> for curl.</p>`

const entry = ({ id, title, where, text }: Snippet): Html =>
  html`<details><summary>${title}</summary><p class="soft">${where}</p>
<pre><code id="snippet-${id}">${text}</code></pre></details>`
