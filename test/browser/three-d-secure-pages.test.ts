/** Tests of the appearance and accessibility of the pages of 3-D Secure. */

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { cardOf } from '../gateway/three-d-secure/payer.ts'
import { launchBrowser } from '../helpers/browser.ts'
import { encode, type Fields, hashed, payment, URLS } from '../helpers/gateway.ts'
import { runInMemory } from '../helpers/running.ts'
import { share } from '../helpers/shared.ts'
import { violationsOn } from './axe.ts'
import { expectToFit } from './fit.ts'

const gateway = await share(runInMemory())
const browser = await launchBrowser()

const RETURN = {
  ...URLS,
}

const post = (path: string, fields: Fields) =>
  fetch(new URL(path, gateway.url), { method: 'POST', body: encode(fields), redirect: 'manual' })

/**
 * Posts an order with a card.
 * @returns the address that the payer is redirected to
 */
async function begin(path: '/v1/form' | '/v1/mpi_js', card: number): Promise<string> {
  const order = payment({
    ...RETURN,
    merchant_id: gateway.merchant.id,
    amount: '1250.00',
    card_number: cardOf(card),
  })
  return (await post(path, hashed(order, gateway.merchant))).headers.get('location') ?? ''
}

/** Returns the address of the bank's page for a card with a challenge. */
async function bankOf(card = 10): Promise<string> {
  const { url } = await fetch(await begin('/v1/form', card))
  return url
}

/** States of the pages, each with a function that brings a page into the state. */
const STATES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  challenge: async (page) => page.goto(await bankOf()),
  app: async (page) => page.goto(await bankOf(21)),
  'a wrong choice': async (page) => {
    const bank = await bankOf(23)
    await post(bank, { action: 'answer', answer: 'books' })
    await page.goto(bank)
  },
  'an electronic ID': async (page) => page.goto(await bankOf(24)),
  'the app beside it': async (page) => page.goto(`${await bankOf(24)}/app`),
  'a wrong code': async (page) => {
    const bank = await bankOf()
    await post(bank, { code: '1111' })
    await page.goto(bank)
  },
  'a new code': async (page) => {
    const bank = await bankOf()
    await post(bank, { action: 'new_code' })
    await page.goto(bank)
  },
  help: async (page) => {
    await page.goto(await bankOf())
    await page.click('[data-testid=bank-help] summary')
  },
  chooser: async (page) => {
    await page.goto(await bankOf())
    await page.click('[data-testid=bank-choose] summary')
  },
  waiting: async (page) => {
    const bank = await bankOf(16)
    await post(bank, { code: '1234' })
    await page.goto(bank)
    // The page would otherwise reload itself during the test.
    await page.route('**/*', (route) => route.fulfill({ status: 204 }))
  },
  'the answer without a script': async (page) => {
    const bank = await bankOf()
    await post(bank, { code: '1234' })
    await page.route(bank, async (route) => {
      const response = await route.fetch()
      await route.fulfill({
        response,
        body: (await response.text()).replace(/<script.*<\/script>/s, ''),
      })
    })
    await page.goto(bank)
  },
  verified: async (page) => page.goto(await begin('/v1/mpi_js', 1)),
  'not verified': async (page) => page.goto(await begin('/v1/mpi_js', 2)),
  'nobody’s': (page) => page.goto(`${gateway.url}/v1/acs/nobody`),
  'the payment that waits': async (page) => {
    const bank = await begin('/v1/form', 10)
    await page.goto(bank.replace('/acs/payment/', '/form/'))
    await page.waitForSelector('a[href*="/v1/acs/"]')
  },
}

/** The smallest window of EMV 3-D Secure, and a desktop. */
const LOOKS = [
  { locale: 'sv', colorScheme: 'light', viewport: { width: 250, height: 400 } },
  { locale: 'en', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
] as const

describe.each(LOOKS)('in $locale, $colorScheme, $viewport.width pixels wide,', (look) => {
  test.each(Object.entries(STATES))(
    'axe finds no accessibility problem: %s',
    async (name, open) => {
      const { page } = await browser.open({ ...look, bypassCSP: true })
      await open(page)
      expect(await page.getAttribute('html', 'lang')).toBe(look.locale)
      await expectToFit(page, `bank-${name.replace(/\W+/g, '-')}-${look.locale}`)
      expect(await violationsOn(page)).toEqual([])
    },
  )
})
