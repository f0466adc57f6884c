import { expect, test } from 'vitest'
import { startGateway } from '../../../helpers/gateway.ts'
import { readViews } from '../../../helpers/read-views.ts'

/** A gateway of its own shows a page. */
async function showPage(path: string) {
  const at = `http://localhost:4400${path}`
  const gateway = await startGateway({ addresses: { base: at, pay: at, cdn: at } })
  const { status } = await gateway.browser.get('/docs')
  await gateway.close()
  expect(status).toBe(200)
}

test('gateways of one process read a view once', async () => {
  await showPage('')
  const views = readViews()
  await showPage('')
  expect(views).toEqual([])
  // A page under another path names its assets differently.
  await showPage('/another')
  expect(views).toContain('frame.liquid')
})
