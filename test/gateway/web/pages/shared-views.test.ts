import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { expect, test, vi } from 'vitest'
import { startGateway } from '../../../helpers/gateway.ts'

/** A gateway of its own shows a page. */
async function showPage(path: string) {
  const at = `http://localhost:4400${path}`
  const gateway = await startGateway({ addresses: { base: at, pay: at, cdn: at } })
  const { status } = await gateway.browser.get('/v1/form/none')
  await gateway.close()
  expect(status).toBe(404)
}

test('gateways of one process read a view once', async () => {
  await showPage('')
  const read = vi.spyOn(fs, 'readFileSync')
  syncBuiltinESMExports()
  try {
    await showPage('')
    expect(read).not.toHaveBeenCalled()
    // What is reached under another path names its assets otherwise.
    await showPage('/another')
    expect(read).toHaveBeenCalled()
  } finally {
    read.mockRestore()
    syncBuiltinESMExports()
  }
})
