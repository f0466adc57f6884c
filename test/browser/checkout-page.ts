/** Actions of a payer on the checkout page of the example shop. */
import type { Page } from 'playwright-core'

/** Test card, as a payer types it into the form. */
export const CARD = {
  holder: 'Åsa Öberg',
  number: '4111 1111 1111 1111',
  expiry: '12/38',
  cvv: '200',
}

/** Fills in the card form; `over` replaces single fields. */
export async function fillCard(page: Page, over: Partial<typeof CARD> = {}): Promise<void> {
  for (const [field, value] of Object.entries({ ...CARD, ...over }))
    await page.fill(`#card-${field}`, value)
}

/** Fills in the form and presses the pay button once. */
export async function pay(page: Page, over: Partial<typeof CARD> = {}): Promise<void> {
  await fillCard(page, over)
  await page.click('#payment [type=submit]')
}

/** Waits for the receipt; resolves with the order's number. */
export async function paidOrder(page: Page): Promise<string> {
  await page.waitForSelector('#receipt:not([hidden])')
  return page.innerText('#order-number')
}

/** Presses the button for another order on the receipt, and waits for the scripts of the next page. */
export async function startNextOrder(page: Page): Promise<void> {
  await page.waitForLoadState()
  await Promise.all([page.waitForEvent('load'), page.click('#another')])
}

/** Waits for a message at the form; resolves with its text. */
export async function messageOf(page: Page): Promise<string> {
  await page.waitForSelector('#message:not(:empty)')
  return page.innerText('#message')
}
