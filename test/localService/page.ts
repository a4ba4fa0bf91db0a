// The frame of every page: style, headers that let nothing else in, escaping by the template.
import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { html, raw } from 'hono/html'
import { noStore } from './apiError.ts'
import { pageStyle } from './pageStyle.ts'
import type { Env } from './parts.ts'

export type Html = ReturnType<typeof html>

const policy = (formTarget: string | undefined) =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(pageStyle).digest('base64')}'`,
    'img-src data:',
    `form-action 'self'${formTarget === undefined ? '' : ` ${sourceOf(formTarget)}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** A policy has no way to write an IPv6 address, so there its scheme must do. */
function sourceOf(url: string): string {
  const { origin, hostname, protocol } = new URL(url)
  return hostname.startsWith('[') ? protocol : origin
}

const headers = {
  ...noStore,
  'x-content-type-options': 'nosniff',
  // The address of the claim page holds a secret.
  'referrer-policy': 'no-referrer',
}

export interface PageParts {
  readonly title: string
  readonly content: Html
  readonly status?: 200 | 400 | 403 | 404 | 410 | 429
  /** Shown beside the name of the service. */
  readonly navigation?: Html
  /** Another origin that a form may lead to: browsers hold redirects after a form against its policy too. */
  readonly formTarget?: string
  /** For tables and code; a page with one question is narrow. */
  readonly isWide?: boolean
}

export async function page(
  c: Context<Env>,
  { title, content, status = 200, navigation, formTarget, isWide = false }: PageParts,
): Promise<Response> {
  const text = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Kourier (local)</title>
<link rel="icon" href="data:,">
<style>${raw(pageStyle)}</style>
</head>
<body${isWide ? raw(' class="wide"') : ''}>
<header><a class="brand" href="/">${raw(mark)}<span>Kourier <span class="soft">local service</span></span></a>${navigation}</header>
<main>${content}</main>
<footer>This is a service for trying things out. It runs on this machine only.</footer>
</body>
</html>
`
  return c.html(text, status, { ...headers, 'content-security-policy': policy(formTarget) })
}

/** The paper plane of the product. */
const mark = `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"
 stroke-linejoin="round" aria-hidden="true"><path d="M21.25 2.75 2.75 10l6.9 3.35 3.35 6.9zM21.25 2.75 9.65 13.35"/>
<path d="M3.25 20.75 6.5 17.5M3.25 15.75l1-1M8.25 20.75l1-1"/></svg>`

/** One plain sentence in a card, for what cannot go on here. */
export const notice = (
  c: Context<Env>,
  title: string,
  sentence: string,
  status: PageParts['status'] = 200,
  more?: Html,
) => page(c, { title, status, content: html`<div class="card"><h1>${title}</h1><p>${sentence}</p>${more}</div>` })

export const problemLine = (sentence: string | undefined): Html | undefined =>
  sentence === undefined ? undefined : html`<p class="bad" role="alert">${sentence}</p>`
