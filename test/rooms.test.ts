// Who may import whom: the one place where the rooms and their doors are written down.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { test } from 'node:test'

const rooms: Record<string, { rooms: string[]; packages: string[] }> = {
  'src/base': { rooms: [], packages: [] },
  'src/protocol': { rooms: [], packages: ['zod'] },
  'src/core': { rooms: ['src/base', 'src/protocol'], packages: ['zod', 'node:'] },
  'src/editor': { rooms: ['src/base', 'src/protocol', 'src/core'], packages: ['zod', 'vscode'] },
  'src/webview': {
    rooms: ['src/base', 'src/protocol'],
    packages: ['zod', 'preact', '@preact/signals', 'markdown-it', 'dompurify'],
  },
  'src/extension': { rooms: ['src/base', 'src/core', 'src/editor'], packages: ['vscode'] },
  'test/localService': { rooms: [], packages: ['node:', 'hono', '@hono/node-server', 'zod'] },
}

/** Inside `core` the floors rise from left to right: a folder may import folders to its left only. */
const coreFloors = ['log', 'schedule', 'http', 'auth', 'model', 'chat', 'complete']
const notBeside: Record<string, string[]> = {
  schedule: ['log'],
  model: ['auth'],
  chat: ['auth'],
  complete: ['auth', 'chat'],
}

const onlyIn: Record<string, string[]> = {
  undici: ['src/core/http/http', 'src/core/http/tunnel'],
  'lean-qr': ['src/core/auth/qrCode'],
  'node:http': ['src/core/auth/loopback', 'test/localService'],
  'eventsource-parser': ['src/core/http/events', 'test/localService/upstream/events'],
  'node:sqlite': ['src/core/chat/historyDatabase', 'test/localService/database'],
  '@peculiar/x509': ['test/localService/authority'],
  'reflect-metadata': ['test/localService/authority'],
}

const roomOf = (file: string) => Object.keys(rooms).find(room => file === room || file.startsWith(`${room}/`))
const floorOf = (file: string) => /^src\/core\/(\w+)\//.exec(file)?.[1]

const files = ['src', 'test/localService'].flatMap(top =>
  readdirSync(top, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map(name => posix.join(top, name.replaceAll('\\', '/'))),
)

const isAt = (file: string, place: string) => file === place || file.startsWith(`${place}/`)

const isPackage = (name: string, allowed: string) =>
  name === allowed || name.startsWith(allowed.endsWith(':') ? allowed : `${allowed}/`)

function mayImport(file: string, name: string): boolean {
  const room = rooms[roomOf(file) ?? '']
  if (!room) return false
  if (!name.startsWith('.')) {
    const owner = Object.keys(onlyIn).find(allowed => isPackage(name, allowed))
    return owner
      ? onlyIn[owner]?.some(place => isAt(file, place)) === true
      : room.packages.some(allowed => isPackage(name, allowed))
  }
  const target = posix.join(posix.dirname(file), name)
  const there = roomOf(target)
  if (there === undefined) return false
  if (there !== roomOf(file)) return room.rooms.includes(there)
  return isLowerFloor(floorOf(file), floorOf(target))
}

function isLowerFloor(from: string | undefined, to: string | undefined): boolean {
  if (!from || !to || from === to) return true
  return coreFloors.indexOf(to) < coreFloors.indexOf(from) && !notBeside[from]?.includes(to)
}

const importsOf = (text: string) =>
  [...text.matchAll(/\b(?:from|import|require)\s*\(?\s*['"]([^'"]+)['"]/g)].map(match => match[1] ?? '')

test('every file opens only the doors of its room', () => {
  const wrong = files.flatMap(file => {
    const stem = file.replace(/\.tsx?$/, '')
    return importsOf(readFileSync(file, 'utf8'))
      .filter(name => !mayImport(stem, name.replace(/\.tsx?$/, '')))
      .map(name => `${file} -> ${name}`)
  })
  assert.deepEqual(wrong, [])
})

test('every file says its role in its first line', () => {
  assert.deepEqual(
    files.filter(file => !/^\/\/ [A-Z`].*\.$/.test(readFileSync(file, 'utf8').split('\n')[0] ?? '')),
    [],
  )
})

test('the rule itself catches what it is there for', () => {
  const planted: [string, string][] = [
    ['src/base/text', '../core/settings'],
    ['src/protocol/panel', 'node:fs'],
    ['src/core/auth/token', 'vscode'],
    ['src/core/model/modelClient', '../auth/account'],
    ['src/core/auth/discovery', 'node:http'],
    ['src/core/complete/trim', '../chat/prompt'],
    ['src/core/chat/turn', 'undici/lib/dispatcher/agent.js'],
    ['src/webview/store', '../core/settings'],
    ['test/localService/server', '../../src/protocol/panel'],
  ]
  assert.deepEqual(
    planted.filter(([file, name]) => mayImport(file, name)),
    [],
  )
})
