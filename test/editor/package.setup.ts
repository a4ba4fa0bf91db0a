// Makes the package of the extension, if it is out of date, before the workers whose editors install it.
import { test } from '@playwright/test'
import { freshVsix } from './extensionPackage.ts'

test('the package is up to date', async () => {
  await freshVsix()
})
