// `systemName`: the operating system of this machine, by the name that people use.
import { platform } from 'node:os'

const names: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'macOS', linux: 'Linux', win32: 'Windows' }

export const systemName = (): string => names[platform()] ?? platform()
