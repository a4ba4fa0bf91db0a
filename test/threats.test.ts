// Every threat, every fault and every rule of the agent is claimed by a test, and no test claims one that nobody listed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentRules } from './agentRules.ts'
import { claimedIds } from './support/claims.ts'
import { threats } from './threats.ts'

const known = { ...threats, ...agentRules }

const claimed = claimedIds(['test/**/*.{test,page,host,e2e}.ts'], /^[A-Z]\d+$/)

test('no test claims a threat or a rule that is not listed', () => {
  assert.deepEqual(
    [...claimed].filter(id => !(id in known)),
    [],
  )
})

test('every threat, every fault and every rule is claimed by a test', () => {
  assert.deepEqual(
    Object.keys(known).filter(id => !claimed.has(id)),
    [],
  )
})
