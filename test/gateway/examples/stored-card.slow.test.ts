import { describe, expect, test } from 'vitest'
import { startShop } from '../../../examples/stored-card/server.ts'
import type { RunningGateway } from '../../../mock-gateway/cli.ts'
import { runInMemory } from '../../helpers/running.ts'
import { share } from '../../helpers/shared.ts'

const openGateway = () => runInMemory()
const openShop = ({ addresses, merchant }: RunningGateway) =>
  startShop({ port: 0, gateway: addresses, merchant })

const gateway = await share(openGateway())
const shop = await share(openShop(gateway))

interface Row {
  readonly id: number
  readonly token: string
  readonly status: string
  readonly card_type: string
  readonly payment_ref: string
  readonly stored_card: { readonly id: number } | null
  readonly customer: { readonly id: number } | null
}

async function api(path: string, method = 'GET'): Promise<Row[]> {
  const authorization = `Basic ${btoa(`${gateway.merchant.id}:${gateway.merchant.password}`)}`
  const answer = await fetch(`${gateway.url}/v1/${path}`, { method, headers: { authorization } })
  return [(await answer.json()) as Row | Row[]].flat()
}
const transactionsOf = (ref: string) => api(`transactions?filter[payment_ref]=${ref}`)
const cardsOf = (customer: string) =>
  api(`stored_cards?filter[customer_id]=${customer}&order_by=id`)

/** Creates a browser with cookies, which returns pages as text. */
function visitor(language = 'en') {
  let cookie = ''
  async function send(method: string, path: string, headers: Record<string, string> = {}) {
    const sent = { cookie, 'accept-language': language, ...headers }
    const answer = await fetch(shop.url + path, { method, redirect: 'manual', headers: sent })
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie
    return {
      status: answer.status,
      location: answer.headers.get('location') ?? '',
      text: await answer.text(),
    }
  }
  /** Sends a request, and follows its redirects. */
  async function go(path: string, method = 'GET'): Promise<string> {
    const { location, text } = await send(method, path)
    return location ? go(location) : text
  }
  /** Returns the fields of the page's form, without a card. */
  async function order(): Promise<Record<string, string> & { payment_ref: string }> {
    const inputs = (await go('/')).matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)
    return {
      payment_ref: '',
      ...Object.fromEntries([...inputs].map(([, name, value]) => [name, value])),
    }
  }
  /** Pays like the browser library. Resolves with the number of the order. */
  async function create(over: Record<string, string> = {}) {
    const card = {
      card_holder: 'Kim',
      card_number: '4111111111111111',
      card_expiry: '1238',
      card_cvv: '200',
    }
    const body = new URLSearchParams({ ...(await order()), ...card, card_type: 'VISA', ...over })
    await fetch(`${gateway.url}/v1/transactions`, { method: 'POST', body })
    return body.get('payment_ref') ?? ''
  }
  /** Pays, and reads the order afterwards, like the page. */
  const pay = async (over: Record<string, string> = {}) => go(`/orders/${await create(over)}`)
  /** Pays with the stored card, and reads the order afterwards. */
  async function payAgain() {
    const { payment_ref } = await order()
    return { ref: payment_ref, text: await go(`/orders/${payment_ref}/pay`, 'POST') }
  }
  return { send, go, order, create, pay, payAgain }
}

/** Creates a visitor who has paid once and let the shop save the card. */
async function regular() {
  const payer = visitor()
  const { payment_ref } = await payer.order()
  await payer.pay({ store_card: 'true' })
  const [first] = await transactionsOf(payment_ref)
  const customer = String(first?.customer?.id)
  return { ...payer, cards: () => cardsOf(customer), customer }
}

describe('a payer whose card the shop saves', () => {
  test('pays again with one click and the token', async () => {
    const payer = await regular()
    await payer.payAgain()
    const { ref, text } = await payer.payAgain()
    expect(text).toContain('Order paid')
    const [card] = await payer.cards()
    expect(await transactionsOf(ref)).toMatchObject([
      {
        status: 'approved',
        card_type: 'STORED_CARD',
        stored_card: { id: card?.id },
        customer: { id: +payer.customer },
      },
    ])
  })

  test('pays once with many clicks', async () => {
    const payer = await regular()
    const { payment_ref } = await payer.order()
    const pages = await Promise.all(
      [1, 2, 3, 4, 5].map(() => payer.go(`/orders/${payment_ref}/pay`, 'POST')),
    )
    for (const page of pages) expect(page).toContain('Order paid')
    expect(await transactionsOf(payment_ref)).toHaveLength(1)
    expect(await payer.go('/')).not.toContain('class="message bad"')
  })

  test('never gets the token, the secret or the password', async () => {
    const payer = visitor()
    const pages = [
      await payer.pay({ store_card: 'true' }),
      await payer.go('/'),
      (await payer.payAgain()).text,
    ]
    const [{ token = '' } = {}] = await api('stored_cards?order_by=id:desc&limit=1')
    expect(token).toMatch(/^[0-9a-f]{32}$/)
    const { secret, password } = gateway.merchant
    for (const page of pages)
      for (const hidden of [token, secret, password]) expect(page).not.toContain(hidden)
  })
})

describe('the shop', () => {
  test('does not save a card that was cancelled before the look-up', async () => {
    const payer = visitor()
    const ref = await payer.create({ store_card: 'true' })
    const [transaction] = await transactionsOf(ref)
    await api(`stored_cards/${transaction?.stored_card?.id}`, 'DELETE')
    expect(await payer.go(`/orders/${ref}`)).toContain('Order paid')
    expect(await payer.go('/')).toContain('Pay by card')
  })

  test('accepts no orders from foreign pages', async () => {
    const payer = await regular()
    const { payment_ref } = await payer.order()
    const foreign = { origin: 'http://evil.example' }
    expect((await payer.send('POST', `/orders/${payment_ref}/pay`, foreign)).status).toBe(403)
    expect((await payer.send('POST', '/card/remove', foreign)).status).toBe(403)
    expect(
      (await payer.send('POST', `/orders/${payment_ref}/pay`, { origin: shop.url })).status,
    ).toBe(303)
  })
})
