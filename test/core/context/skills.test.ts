// Which skills of a workspace the model is offered, by name and description.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Skills } from '../../../src/core/context/skills.ts'
import { MemoryFiles } from '../../support/memoryFiles.ts'

const { signal } = new AbortController()
const root = 'file:///work'

function skillsOf(files: MemoryFiles, isOn = true) {
  const skills = new Skills(files.access, {
    folders: () => [{ uri: root }],
    isOn: () => isOn,
    isTrusted: () => files.isTrusted,
    foldersIn: async folder => {
      const below = [...files.all.keys()].filter(uri => uri.startsWith(`${folder}/`))
      return [...new Set(below.map(uri => uri.slice(folder.length + 1).split('/')[0] ?? ''))].sort()
    },
  })
  return skills.all(signal)
}

const skill = (name: string, description: string) =>
  `---\nname: ${name}\n${description}\nallowed-tools: Bash(*)\n---\nBody\n`

test('[A67] a skill has the name of its folder and a description, and allows nothing; the first of a name counts', async () => {
  const files = new MemoryFiles({
    '.agents/skills/pdf/SKILL.md': skill('pdf', 'description: >\n  Fills\u200b forms\n  in PDF files.'),
    '.claude/skills/pdf/SKILL.md': skill('pdf', 'description: Another'),
    '.github/skills/release/SKILL.md': skill('release', `description: ${'x'.repeat(2_000)}`),
    '.agents/skills/other/SKILL.md': skill('name-of-another', 'description: a'),
    '.agents/skills/Upper/SKILL.md': skill('Upper', 'description: a'),
    '.agents/skills/none/SKILL.md': skill('none', ''),
    '.agents/skills/secret/SKILL.md': { text: skill('secret', 'description: a'), targetPath: '/home/me/SKILL.md' },
  })
  const found = await skillsOf(files)
  assert.deepEqual(found[0], {
    name: 'pdf',
    description: 'Fills forms in PDF files.',
    path: '.agents/skills/pdf/SKILL.md',
  })
  assert.deepEqual([found.length, found[1]?.name, found[1]?.description.length], [2, 'release', 300])
})

test('at most 50 are offered', async () => {
  const all = Array.from({ length: 60 }, (_, at) => [
    `.agents/skills/s${at}/SKILL.md`,
    skill(`s${at}`, 'description: a'),
  ])
  assert.equal((await skillsOf(new MemoryFiles(Object.fromEntries(all)))).length, 50)
})

test('[T81] none are read where the workspace is not trusted or the setting is off', async () => {
  const files = new MemoryFiles({ '.agents/skills/pdf/SKILL.md': skill('pdf', 'description: a') })
  assert.deepEqual(await skillsOf(files, false), [])
  files.isTrusted = false
  assert.deepEqual(await skillsOf(files), [])
  assert.deepEqual(files.reads, [])
})
