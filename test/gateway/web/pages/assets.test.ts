import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { styleAddress } from '../../../helpers/assets.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'

const shop = await sharedGateway()

const address = await styleAddress(shop.browser)
const style = await shop.browser.get<string>(address)

describe('the address of a style sheet', () => {
  test('contains a hash of its content, so that it can be cached forever', () => {
    const hash = createHash('sha256').update(style.body).digest('hex')
    expect(address).toBe(`/assets/payment.${hash.slice(0, 16)}.css`)
    expect(style.status).toBe(200)
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(style.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  })

  test('leads to a sheet that contains its imports as layers', () => {
    expect(style.body).toMatch(/^@layer base \{\n/)
    expect(style.body).toContain('--ink: ')
    expect(style.body).not.toContain('@import')
  })

  test('is not sent again to a client that asks again', async () => {
    const { status } = await shop.browser.get(
      address,
      {},
      { 'if-none-match': style.headers.get('etag') ?? '' },
    )
    expect(status).toBe(304)
  })
})

describe('an unknown address is not found', () => {
  for (const [what, path] of [
    ['under another hash', '/assets/payment.0123456789abcdef.css'],
    ['without a hash', '/assets/payment.css'],
    ['at the path of the file', '/assets/hosted%2Fviews%2Fpayment.css'],
    ['of the views', '/assets/sheet.ts'],
    ['above the folder', '/assets/..%2F..%2Fpackage.json'],
    ['at the folder itself', '/assets'],
  ] as const)
    test(what, async () => {
      const { status, body, headers } = await shop.browser.get<{ code: number }>(path)
      expect([status, body.code]).toEqual([404, 196])
      expect(headers.get('cache-control') ?? '').not.toContain('immutable')
    })
})
