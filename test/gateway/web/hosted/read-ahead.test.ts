import { setTimeout } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { payment, prepared, startGateway } from '../../../helpers/gateway.ts'
import { readViews } from '../../../helpers/read-views.ts'

/** A gateway that shares no view with another. */
async function freshGateway(path: string) {
  const at = `http://localhost:4400${path}`
  return startGateway({ addresses: { base: at, pay: at, cdn: at } })
}

test('the page of a payment is read before its payer comes', async () => {
  const shop = await freshGateway('/expected')
  const views = readViews()
  const { body } = await shop.post('/v1/transactions', prepared())
  await vi.waitFor(() => expect(views).toContain('field.liquid'))
  await vi.waitFor(() => expect(views).toContain('card.liquid'))
  const read = views.splice(0)
  const { status } = await shop.browser.get(new URL(body.href).pathname.replace('/expected', ''))
  expect(status).toBe(200)
  // Liquid looks for a layout in a way of its own.
  expect(views.filter((view) => read.includes(view) && view !== 'layout.liquid')).toEqual([])
  await shop.close()
})

test('a payment that nobody is to pay on a page has none read', async () => {
  // Views would be read at once: what they need besides is there.
  const other = await freshGateway('/other')
  await other.browser.get('/v1/form/none')
  await other.close()
  const shop = await freshGateway('/unexpected')
  const views = readViews()
  await shop.post('/v1/transactions', payment())
  await setTimeout(50)
  expect(views).toEqual([])
  await shop.close()
})
