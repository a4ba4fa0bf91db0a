// `omissionIn`: a line in place of text that the model has left out, such as "rest of the code unchanged".

const parts =
  'code|file|functions?|methods?|class|classes|implementation|imports?|content|lines?|logic|props|fields|body|tests?|styles?|rules|text|component|module|script|configuration|config|section'
const unchanged =
  '(?:is|are|remains?|stays?|goes)? ?(?:the )?(?:unchanged|same(?: as before)?|as before|as is|here|untouched)'
const omission = new RegExp(
  [
    `^(?:the )?(?:rest|remainder) of (?:the |this |your )?(?:[\\w.-]+ )?(?:${parts})(?: ${unchanged})?$`,
    `^(?:the )?(?:existing|unchanged|previous|remaining|other|original) (?:[\\w.-]+ )?(?:${parts})(?: ${unchanged})?$`,
    `^(?:the rest|everything else|all else|rest|(?:${parts})) ${unchanged}$`,
    `^(?:same as before|no changes?(?: here)?|unchanged|(?:keep|leave) (?:the )?(?:rest|existing (?:${parts}))(?: ${unchanged})?)$`,
  ].join('|'),
)
const opener = /^(?:\/\/|\/\*+|#+|<!--|--|;+|%+|\{\/\*|\(\*|"""|''')\s*/
const closer = /\s*(?:\*+\/\}?|-->|\*\)|"""|''')$/
const dots = /^(?:\.{3,}|…)\s*|\s*(?:\.{3,}|…)$/g

/**
 * The line of `added` that is only such a comment and that `known` does not have. Three dots alone are one only where
 * something gets shorter, because they are also written for their own sake.
 */
export function omissionIn(added: string, known: string): string | undefined {
  const lines = added.split('\n')
  const isShorter = lines.length < known.split('\n').length
  return lines.map(line => line.trim()).find(line => isOmission(line, isShorter) && !known.includes(line))
}

function isOmission(line: string, isShorter: boolean): boolean {
  if (line.length === 0 || line.length > 120) return false
  const comment = line.replace(opener, '').replace(closer, '')
  const isMarked = comment !== line || /^[([]?(?:\.{3}|…)|(?:\.{3}|…)[)\]]?$/.test(line)
  if (!isMarked) return false
  const words = comment
    .trim()
    .replace(/^[([]|[)\]]$/g, '')
    .replaceAll(dots, '')
    .replace(/[.:;,!]+$/, '')
    .trim()
    .toLowerCase()
  return words === '' ? isShorter && comment !== line && /\.{3}|…/.test(comment) : omission.test(words)
}
