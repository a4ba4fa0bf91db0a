// `distinctFileName`: the name of what is attached, with a number where another attachment has it: every pasted picture is `image.png`.

export function distinctFileName(name: string, taken: readonly string[]): string {
  const [, stem = name, extension = ''] = /^(.+?)(\.\w+)?$/s.exec(name) ?? []
  let distinct = name
  for (let number = 2; taken.includes(distinct); number++) distinct = `${stem} (${number})${extension}`
  return distinct
}
