// A name that nothing else has: on a page, things and their buttons are known by their names.
export function freeName(name: string, taken: readonly string[]): string {
  let number = 1
  const candidate = () => (number === 1 ? name : `${name} (${number})`)
  while (taken.includes(candidate())) number += 1
  return candidate()
}
