// `leadsInside`: whether a path below a folder exists and stays in the folder, through all links.
import { lstat, readlink, realpath } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'

const maxLinks = 20

/** Follows one link at a time, so that nothing outside of the folder is touched. False for every fault. */
export async function leadsInside(folder: string, path: string): Promise<boolean> {
  try {
    return await walk(await realpath(folder), path.split('/'))
  } catch {
    return false
  }
}

async function walk(root: string, path: readonly string[]): Promise<boolean> {
  const left = [...path]
  let at = root
  for (let links = 0; links < maxLinks; ) {
    const name = left.shift()
    if (name === undefined) return true
    const next = join(at, name)
    const isLink = (await lstat(next)).isSymbolicLink()
    if (isLink) {
      links++
      const target = relative(root, resolve(at, await readlink(next)))
      if (isOutside(target)) return false
      left.unshift(...target.split(sep).filter(part => part !== ''))
    }
    at = isLink ? root : next
  }
  return false
}

const isOutside = (path: string) => path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)
