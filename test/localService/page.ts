// The frame of every page: style, headers that let nothing else in, escaping by the template.
import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { html, raw } from 'hono/html'
import { noStore } from './apiError.ts'
import type { Env } from './parts.ts'

export type Html = ReturnType<typeof html>

const style = `
:root { color-scheme: light dark; --ink: #1c2128; --soft: #57606a; --paper: #f4f5f7; --card: #fff; --line: #d5d9df;
  --strong: #1f5fd1; --on-strong: #fff; --bad: #b3261e; --good: #1a6b36; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --soft: #a4abb6; --paper: #15181d; --card: #1f242b;
  --line: #3a424d; --strong: #8ab4ff; --on-strong: #10131a; --bad: #ff9a92; --good: #7fd69b; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 2rem 1rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
header, main, footer { max-width: 40rem; margin: 0 auto; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: baseline; justify-content: space-between; }
.brand { font-weight: 650; font-size: 1.1rem; }
.soft, footer { color: var(--soft); font-size: .9rem; }
main { margin-top: 1rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem 1.5rem;
  margin-bottom: 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem; }
h2 { font-size: 1.1rem; margin: 0 0 .5rem; }
p { margin: 0 0 .75rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0 0 1rem; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
label { display: block; font-weight: 600; margin-bottom: .25rem; }
input { width: 100%; font: inherit; padding: .55rem .7rem; color: inherit; background: var(--paper);
  border: 1px solid var(--soft); border-radius: .4rem; }
input.code { font: 1.5rem/1.2 ui-monospace, monospace; letter-spacing: .15em; text-align: center; }
.row { display: flex; flex-wrap: wrap; gap: .6rem; margin-top: 1rem; }
button { font: inherit; font-weight: 600; padding: .55rem 1.1rem; border-radius: .4rem; cursor: pointer;
  border: 1px solid var(--soft); background: transparent; color: inherit; }
button.strong { background: var(--strong); border-color: var(--strong); color: var(--on-strong); }
button.quiet { padding: .15rem .6rem; font-weight: 500; font-size: .9rem; }
a { color: var(--strong); }
:focus-visible { outline: 3px solid var(--strong); outline-offset: 2px; }
.bad, .good { border-left: .3rem solid; padding: .4rem .8rem; margin-bottom: 1rem; }
.bad { color: var(--bad); } .good { color: var(--good); }
code { font: .95em ui-monospace, monospace; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; font-weight: 650; font-size: 1.1rem; padding-bottom: .5rem; }
th, td { text-align: left; padding: .4rem .6rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: middle; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
.card form + form { margin-top: 1.5rem; }
.card > :last-child, .card > form > :last-child { margin-bottom: 0; }
input:not([type="hidden"]) + p { margin-top: .6rem; }
.good code { display: block; user-select: all; }
`

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const headers = {
  ...noStore,
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  // The address of the claim page holds a secret.
  'referrer-policy': 'no-referrer',
}

export interface PageParts {
  readonly title: string
  readonly content: Html
  readonly status?: 200 | 400 | 403 | 404 | 410
  readonly navigation?: Html
}

export async function page(
  c: Context<Env>,
  { title, content, status = 200, navigation }: PageParts,
): Promise<Response> {
  const text = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Kourier (local)</title>
<link rel="icon" href="data:,">
<style>${raw(style)}</style>
</head>
<body>
<header><span class="brand">Kourier <span class="soft">local service</span></span>${navigation}</header>
<main>${content}</main>
<footer>This is a service for trying things out. It runs on this machine only and forgets everything when it ends.</footer>
</body>
</html>
`
  return c.html(text, status, headers)
}

/** One plain sentence in a card, for what cannot go on here. */
export const notice = (c: Context<Env>, title: string, sentence: string, status: PageParts['status'] = 200) =>
  page(c, { title, status, content: html`<div class="card"><h1>${title}</h1><p>${sentence}</p></div>` })

export const problemLine = (sentence: string | undefined): Html | undefined =>
  sentence === undefined ? undefined : html`<p class="bad" role="alert">${sentence}</p>`
