import type { CardType } from '../../../mock-gateway/domain/card/card-types.ts'
import { TEST_CARDS } from '../../../mock-gateway/domain/card/test-cards.ts'
import {
  type Answer,
  type Client,
  type Fields,
  payment,
  type TestGateway,
  URLS,
} from '../../helpers/gateway.ts'

/** Schemes of the 3-D Secure test cards. */
export const SCHEMES = [
  'visa',
  'mastercard',
  'amex',
  'jcb',
  'diners',
  'discover',
  'maestro',
] as const

/** Returns the first test card of a case. */
export function cardOf(threeDSecure: number, brand: CardType = 'visa'): string {
  const [number] =
    [...TEST_CARDS].find(
      ([, card]) => card.threeDSecure === threeDSecure && card.brand === brand,
    ) ?? []
  if (number === undefined) throw new TypeError(`No ${brand} card has case ${threeDSecure}`)
  return number
}

export const pathOf = (address: string | null): string => {
  const url = new URL(address ?? 'about:blank')
  return url.pathname + url.search
}

export const locationOf = ({ headers }: Answer<unknown>): string => headers.get('location') ?? ''

/** Returns the query of an address as an object. */
export const queryOf = (address: string): Readonly<Record<string, string>> =>
  Object.fromEntries(new URL(address).searchParams)

/** Returns the value of a hidden field of a page. */
export const hiddenField = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''

/** Returns the message of a window to the page that opened it, and the target origin. */
export function windowMessage(html: string): {
  readonly message: Readonly<Record<string, unknown>>
  readonly origin: string
} {
  const [, message = '', origin = ''] =
    /data-message="([^"]*)" data-origin="([^"]*)"/.exec(html) ?? []
  return { message: JSON.parse(message.replaceAll('&#34;', '"').replaceAll('&quot;', '"')), origin }
}

/** Creates a payer with a browser without scripts and cookies. */
export function payerAt(shop: TestGateway) {
  const browser: Client = shop.browser

  /** Opens an address, and follows redirects to a page, or to an address outside of the gateway. */
  async function follow(
    answer: Answer<string>,
    from = '',
  ): Promise<{ html: string; address: string; status: number }> {
    let address = from
    let next = answer
    while (next.status === 303) {
      address = locationOf(next)
      if (!address.startsWith('http://localhost:4400/')) return { html: '', address, status: 303 }
      next = await browser.get<string>(pathOf(address))
    }
    return { html: next.body, address, status: next.status }
  }

  const open = async (path: string) =>
    follow(await browser.get<string>(path), `http://localhost:4400${path}`)

  /** Posts the shop's form with a card. */
  const pay = async (over: Fields = {}) =>
    follow(await browser.post<string>('/v1/form', payment({ merchant_id: 1, ...URLS, ...over })))

  /** Posts the library's form into a window. */
  const openWindow = async (over: Fields = {}, headers = { origin: 'https://shop.example' }) =>
    follow(await browser.post<string>('/v1/mpi_js', payment({ merchant_id: 1, ...over }), headers))

  /** Posts a form of the bank. */
  const atBank = async (address: string, fields: Fields) =>
    follow(await browser.post<string>(pathOf(address), { hash: undefined, ...fields }))

  /** Presses Continue on the page that carries the bank's answer. */
  const pressContinue = async (html: string) =>
    follow(
      await browser.post<string>('/v1/mpi_js/return', {
        hash: undefined,
        cres: hiddenField(html, 'cres'),
      }),
    )

  /** Reloads the page while it shows that the bank is working. */
  async function waitForBank(
    page: { html: string; address: string; status: number },
    seconds: number,
  ) {
    if (
      !page.html.includes('http-equiv') &&
      !/<h1>(?:Din bank behandlar köpet|Your bank is processing this)/.test(page.html)
    )
      return page
    shop.clock.advance(seconds * 1000)
    return open(pathOf(page.address))
  }

  return { open, pay, openWindow, atBank, pressContinue, waitForBank, follow }
}

const TEN_MINUTES = 10 * 60_000

/** Answers the bank with the correct code. If the bank never answers, the payer keeps waiting. */
export async function throughBank(
  shop: TestGateway,
  page: { html: string; address: string; status: number },
) {
  const payer = payerAt(shop)
  const seen = page.html.includes('data-testid="bank-code"')
  let now = seen ? await payer.atBank(page.address, { action: 'code', code: '1234' }) : page
  now = await payer.waitForBank(now, 10)
  const bank = now.address
  if (hiddenField(now.html, 'cres')) now = await payer.pressContinue(now.html)
  if (now.html.includes('data-error="errors.mpi.invalid"') && seen)
    now = await payer.open(new URL(bank).pathname)
  // The bank sent no answer, or an invalid one.
  if (hiddenField(now.html, 'cres') || /<h1>Din bank behandlar köpet/.test(now.html)) {
    shop.clock.advance(TEN_MINUTES)
    now = await payer.open(new URL(bank).pathname)
  }
  return { ...now, seen }
}
