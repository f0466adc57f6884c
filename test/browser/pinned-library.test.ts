/**
 * Tests of the script tag with `integrity` that the console shows: a browser runs the library only
 * if the file is unchanged.
 */

import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../helpers/browser.ts'
import { startCheckout } from '../helpers/checkout.ts'
import { serve } from '../helpers/listening.ts'
import { share } from '../helpers/shared.ts'
import { paidOrder, pay } from './checkout-page.ts'

const checkout = await share(startCheckout())
const browser = await launchBrowser()

/** Reads the tag from the merchant's settings in the console, like a developer who copies it. */
async function tagInConsole(): Promise<string> {
  const { url, merchant } = checkout.gateway
  const body = new URLSearchParams({ username: String(merchant.id), password: merchant.password })
  const login = await fetch(`${url}/console/login`, { method: 'POST', body, redirect: 'manual' })
  const [cookie = ''] = (login.headers.get('set-cookie') ?? '').split(';')
  const { page } = await browser.open()
  await page.setExtraHTTPHeaders({ cookie })
  await page.goto(`${url}/console/${merchant.id}/api_keys`)
  await page.click('text=Library with an integrity hash')
  return page.locator('pre', { hasText: 'integrity=' }).innerText()
}

/**
 * Opens the shop with another tag for the library: a server in front of the shop replaces the tag.
 */
async function openShop(script: string) {
  const server = await serve(async (request, response) => {
    const body = request.method === 'POST' ? await text(request) : undefined
    const headers = { 'content-type': request.headers['content-type'] ?? 'text/plain' }
    const answer = await fetch(`${checkout.shop.url}${request.url}`, {
      method: request.method ?? 'GET',
      headers,
      body: body ?? null,
    })
    const page = (await answer.text()).replace(
      /<script src="[^"]*mondido.js[^>]*><\/script>/,
      () => script,
    )
    response
      .writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? 'text/plain',
      })
      .end(page)
  })
  onTestFinished(server.close)
  const watched = await browser.open()
  await watched.page.goto(`http://localhost:${server.port}/`)
  return watched
}

test('a payer pays on a page with the tag, also with 3-D Secure in its window', async () => {
  const tag = await tagInConsole()
  const { page, problems } = await openShop(tag)
  await pay(page)
  expect(await checkout.transactionsOf(await paidOrder(page))).toMatchObject([
    { status: 'approved' },
  ])
  // A busy machine posts to the bank after the first status request, which then finds no record.
  expect(problems.filter((problem) => !problem.includes('/v1/mpi_js/'))).toEqual([])
})

test('a browser does not run a file with another hash', async () => {
  const tag = await tagInConsole()
  const { page, problems } = await openShop(tag.replace(/sha384-.{4}/, 'sha384-AAAA'))
  expect(
    await page.evaluate(
      () => 'mondido' in (window as unknown as { jQuery: { fn: object } }).jQuery.fn,
    ),
  ).toBe(false)
  expect(problems.join('\n')).toMatch(/integrity/)
})
