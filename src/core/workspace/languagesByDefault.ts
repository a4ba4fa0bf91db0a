// `languagesByDefault`: for which languages completions are on unless a setting has them otherwise.

/** Language to on or off; `*` is any other. What is mostly prose is off. */
export const languagesByDefault: Readonly<Record<string, boolean>> = {
  '*': true,
  plaintext: false,
  markdown: false,
  scminput: false,
  'git-commit': false,
  'git-rebase': false,
}
