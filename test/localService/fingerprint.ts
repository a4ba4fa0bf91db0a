// A secret's mark: enough to recognize it in a log, too little to use it.
import { createHash } from 'node:crypto'

export const sha256 = (secret: string): string => createHash('sha256').update(secret).digest('hex')

export const fingerprint = (secret: string): string => `sha256:${sha256(secret).slice(0, 8)}`
