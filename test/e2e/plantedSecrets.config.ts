// Runs the tests that plant secrets, which have to fail and so stand in no project of their own.
import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: '.',
  testMatch: 'plantedSecrets.ts',
  outputDir: '../../build/plantedSecrets',
  timeout: 60_000,
})
