// The look of every page: light, dark, more contrast and forced colours, from a narrow phone to a wide screen.
export const pageStyle = `
:root { color-scheme: light dark; --ink: #1b1f27; --soft: #565d69; --paper: #f5f6f8; --card: #fff; --line: #dce0e6;
  --edge: #868e9b; --field: #fff; --strong: #2257c4; --on-strong: #fff; --tint: #e8eefb; --bad: #b0241c; --good: #19693a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7e9ee; --soft: #a5adba; --paper: #14171c; --card: #1c2027;
  --line: #323944; --edge: #7c8695; --field: #14171c; --strong: #8fb5ff; --on-strong: #0f1522; --tint: #243049;
  --bad: #ff9d94; --good: #7fd39c; } }
@media (prefers-contrast: more) { :root { --soft: var(--ink); --line: var(--ink); --edge: var(--ink); } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; padding: 1.5rem 1rem 2.5rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; }
header, main, footer { max-width: 38rem; margin: 0 auto; }
.wide header, .wide main, .wide footer { max-width: 58rem; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; margin-bottom: 1.5rem; }
.brand { display: flex; align-items: center; gap: .5rem; font-weight: 650; color: inherit; text-decoration: none; }
.brand svg { width: 1.5rem; height: 1.5rem; color: var(--strong); }
.soft { color: var(--soft); font-size: .9rem; font-weight: 400; }
footer { color: var(--soft); font-size: .9rem; margin-top: 2rem; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; flex-basis: 100%; }
nav a { color: inherit; text-underline-offset: .25em; text-decoration-color: var(--edge); }
.who { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: center; margin-left: auto; }
.who span { overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem; }
h2 { font-size: 1.15rem; line-height: 1.3; margin: 0 0 .75rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .4rem; }
h1, p, .button { overflow-wrap: anywhere; }
p { margin: 0 0 .75rem; }
a { color: var(--strong); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem 1.5rem;
  margin-bottom: 1.25rem; }
.card > :last-child, .card > form > :last-child, .columns > * > :last-child { margin-bottom: 0; }
.columns { display: grid; gap: 1.5rem 2.5rem; }
@media (min-width: 44rem) { .wide .columns { grid-template-columns: 1fr 1fr; } }
.big { font-size: 1.75rem; line-height: 1.2; font-weight: 650; margin-bottom: .25rem; }
.slots { display: flex; flex-wrap: wrap; gap: .35rem; margin: .25rem 0 .75rem; }
.slots i { width: 1.1rem; height: .5rem; border: 1px solid var(--strong); border-radius: .25rem; }
.slots .busy { background: var(--strong); forced-color-adjust: none; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.25rem; margin: 0 0 1rem; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; min-width: 0; }
@media (max-width: 34rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .6rem; } }
label { display: block; font-weight: 600; margin-bottom: .25rem; }
input { width: 100%; font: inherit; padding: .5rem .7rem; color: inherit; background: var(--field);
  border: 1px solid var(--edge); border-radius: .4rem; }
input.code { font: 1.5rem/1.2 ui-monospace, monospace; letter-spacing: .15em; text-align: center; }
input.number { width: 5rem; }
input:not([type="hidden"]) + p { margin-top: .5rem; }
.row { display: flex; flex-wrap: wrap; gap: .6rem; margin-top: 1rem; align-items: end; }
.field { flex: 1 1 12rem; }
button, .button { font: inherit; font-weight: 600; padding: .5rem 1.1rem; border-radius: .4rem; cursor: pointer;
  border: 1px solid var(--edge); background: transparent; color: inherit; text-decoration: none; display: inline-block; }
button:hover, .button:hover { border-color: var(--ink); }
.strong { background: var(--strong); border-color: var(--strong); color: var(--on-strong); }
.quiet { padding: .15rem .65rem; font-weight: 500; font-size: .9rem; }
:focus-visible { outline: 3px solid var(--strong); outline-offset: 2px; border-radius: .2rem; }
.bad, .good { border-left: .3rem solid; border-radius: .2rem; padding: .5rem .9rem; margin-bottom: 1rem; outline: none; }
.bad { color: var(--bad); } .good { color: var(--good); }
code, pre { font: .9em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; }
code { overflow-wrap: anywhere; }
dd code, .secret { user-select: all; }
.secret { display: block; margin-top: .5rem; padding: .6rem .8rem; color: var(--ink); background: var(--tint);
  border: 1px solid var(--line); border-radius: .4rem; }
pre { margin: 0 0 .75rem; padding: .8rem 1rem; background: var(--paper); border: 1px solid var(--line);
  border-radius: .4rem; white-space: pre-wrap; overflow-wrap: anywhere; }
pre code { user-select: all; }
details { border-top: 1px solid var(--line); }
details:last-of-type { border-bottom: 1px solid var(--line); }
summary { padding: .6rem .25rem; font-weight: 600; cursor: pointer; }
.letter { border: 1px dashed var(--edge); border-radius: .5rem; padding: 1rem 1.25rem; margin-bottom: .75rem; }
.letter > :last-child { margin-bottom: 0; }
table { border-collapse: collapse; width: 100%; margin-bottom: 1.25rem; }
th, td { text-align: left; padding: .5rem 1rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: baseline; }
th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--soft); font-size: .9rem; font-weight: 500; white-space: nowrap; }
tbody th { font-weight: 600; min-width: 8rem; max-width: 16rem; overflow-wrap: anywhere; }
td .quiet, time { white-space: nowrap; }
.past { color: var(--soft); }
@media (max-width: 44rem) { table, tbody, tr, tbody th, td { display: block; }
  thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  tr { border-bottom: 1px solid var(--line); padding: .6rem 0; } tbody tr:first-child { border-top: 1px solid var(--line); }
  tbody th, td { border: 0; padding: .1rem 0; max-width: none; }
  td[data-column]::before { content: attr(data-column) ": "; color: var(--soft); font-size: .9rem; }
  td .cell { display: inline-flex; } }
.cell { display: flex; gap: .5rem; align-items: center; }
.cell input { padding: .1rem .5rem; }
@media (forced-colors: active) { .strong { forced-color-adjust: none; background: Highlight; color: HighlightText;
  border-color: Highlight; } .brand svg { color: LinkText; }
  .slots i { border-color: CanvasText; } .slots .busy { background: Highlight; } }
@media print { nav, form, .who { display: none; } }
`
