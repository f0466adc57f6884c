import { afterEach, describe, expect, test } from 'vitest'
import { insertRows } from '../../../../mock-gateway/storage/rows.ts'
import { isFailed } from '../../../../mock-gateway/storage/tables/webhook-deliveries.ts'
import { updateResting } from '../../../../mock-gateway/storage/webhook-deliveries.ts'
import type { Fields } from '../../../helpers/gateway.ts'
import { share } from '../../../helpers/shared.ts'
import { type Answering, until } from '../../../helpers/sink.ts'
import { openShop } from '../../webhooks/shop.ts'
import { controlOf } from '../control/client.ts'
import { loggedIn, textOf } from './client.ts'

const shop = await share(openShop())
const client = await loggedIn(shop.gateway)
await shop.gateway.clock.freeze()

afterEach(() => shop.sink.answer(200))

/** Pays, and returns the delivery of the webhook after its first attempt. */
async function delivered(answer: Answering, hook: object = {}, fields: Fields = {}) {
  shop.sink.answer(answer)
  const { id: transaction } = await shop.pay(hook, fields)
  const { id } = await until(async () =>
    (await shop.deliveries()).find((row) => row.transaction_id === transaction && row.calls === 1),
  )
  return { id, transaction }
}

/** Sends all due webhooks. */
const sendDue = () => shop.gateway.clock.advance({ seconds: 1 })
const statusOf = async (id: number) =>
  (await shop.deliveries()).find((row) => row.id === id)?.status

test('deliveries are listed, newest first, and searched by status, trigger and transaction', async () => {
  const first = await delivered(200)
  const second = await delivered(404, { trigger: 'payment_success' })
  const all = (await client.get('/1/webhooks')).html
  const [newer, older] = [second, first].map(({ id }) =>
    all.indexOf(`href="/console/1/webhooks/${id}"`),
  )
  expect(newer).toBeGreaterThan(-1)
  expect(older).toBeGreaterThan(newer ?? 0)
  expect(textOf(all)).toMatch(
    new RegExp(
      `order-\\d+ payment_success .* POST ${shop.sink.url} Failed permanently 404 .* POST /hook delivered 200`,
    ),
  )
  expect(all).toContain(`href="/console/1/webhooks/${second.id}"`)
  for (const search of [
    'status=failed&trigger=',
    'trigger=payment_success',
    `transaction_id=${second.transaction}`,
  ]) {
    const { html } = await client.get(`/1/webhooks?${search}`)
    expect(html).toContain(`/webhooks/${second.id}"`)
    expect(html).not.toContain(`/webhooks/${first.id}"`)
  }
  expect((await client.get('/1/webhooks?status=lost')).status).toBe(400)
})

describe('a delivery', () => {
  test('shows the sent message, every attempt, its answer, and the next step', async () => {
    const { id, transaction } = await delivered(500)
    const text = textOf((await client.get(`/1/webhooks/${id}`)).html)
    expect(text).toMatch(/1 attempt Retry 1 of 20 is due in \d\d s Retry now/)
    expect(text).toMatch(/payment Failed 1 time, retry on 14 Mar, \d\d:\d\d/)
    expect(textOf((await client.get('/1/webhooks')).html)).toMatch(/Retry on 14 Mar, \d\d:\d\d 500/)
    expect(text).toContain('Attempt Answer When After Took 1 500')
    expect(text).toContain('Your handler crashed: it answered 500 to the only attempt')
    const { html } = await client.get(`/1/webhooks/${id}?attempt-1=on`)
    expect(html).toContain('href="?attempt-1=on#attempt-1" aria-current="true"')
    expect(textOf(html)).toMatch(
      /Attempt 1 Body Headers Signature POST .* 500 your answer.* Signature is valid Hash in the body is valid/,
    )
    const part = async (name: string) =>
      textOf((await client.get(`/1/webhooks/${id}?attempt-1=on&part=${name}`)).html)
    expect(await part('headers')).toMatch(/webhook-signature: .* 500 your answer, \d+ ms \S+: /)
    expect(await part('signature')).toMatch(/Signature webhook-id .* Hash in the body .* Received/)
    expect(html).toContain(`<b>  &quot;id&quot;:</b> ${transaction}`)
    expect((await client.get(`/1/webhooks/${id}`)).html).toContain(
      `href="/console/1/transactions/${transaction}"`,
    )
  })

  test('webhook rule 27: has a page of limited size, whatever was sent and however often', async () => {
    const fields = { metadata: JSON.stringify({ note: 'long '.repeat(13_000) }) }
    const { id } = await delivered(404, {}, fields)
    const [attempt] = (await shop.attempts()).filter(({ delivery_id }) => delivery_id === id)
    if (!attempt) throw new Error('no attempt')
    const { id: _id, ...made } = attempt
    const others = Array.from({ length: 60 }, (_each, index) => ({
      ...made,
      manual: true,
      number: index + 2,
    }))
    await insertRows(shop.database.db, 'webhook_attempts', others)
    const { html } = await client.get(`/1/webhooks/${id}`)
    expect(html.match(/resent by hand/g)).toHaveLength(50)
    expect(textOf(html)).toContain('Attempt 61')
    expect(textOf(html)).toMatch(/… and \d+ more characters/)
    expect(html.length).toBeLessThan(145_000)
  })

  test('webhook rule 33: can be resent, with its webhook-id', async () => {
    const { id } = await delivered(404)
    shop.sink.answer(200)
    const answer = await client.post(`/1/webhooks/${id}/send`)
    expect(answer).toMatchObject({ status: 303, to: `/console/1/webhooks/${id}?done=sent_again` })
    expect((await client.post(`/1/webhooks/${id}/send`)).to).toContain('done=sent_already')
    await sendDue()
    expect(await statusOf(id)).toBe('delivered')
    const [one, other] = shop.sink.received.slice(-2).map(({ headers }) => headers['webhook-id'])
    expect(other).toBe(one)
    expect(textOf((await client.get(`/1/webhooks/${id}`)).html)).toMatch(/resent by hand 200 /)
    const { html } = await client.get(`/1/webhooks/${id}/compare?attempt-1=on&attempt-2=on`)
    expect(textOf(html)).toMatch(
      / Attempt 1 .* Attempt 2 .* Different from attempt 1: headers, answer/,
    )
    expect(html).toContain('href="?attempt-1=on&amp;attempt-2=on#attempt-1">Compare them')
  })

  test('webhook rule 33: can be resent with all search results, and the page shows their number', async () => {
    const hook = { trigger: 'payment_success' }
    const { id } = await delivered(404, hook)
    await delivered(404, hook)
    shop.sink.answer(200)
    await controlOf(shop.gateway).post('/webhooks/deliveries/send', {
      status: 'failed',
      trigger: 'payment',
    })
    await sendDue()
    const failed = (await shop.deliveries()).filter(isFailed).length
    expect(textOf((await client.get('/1/webhooks?status=failed')).html)).toContain(
      `Send ${failed} failed webhook${failed === 1 ? '' : 's'} again`,
    )
    expect((await client.get('/1/webhooks?trigger=none')).html).not.toContain('/webhooks/send"')
    const { to } = await client.post('/1/webhooks/send', { status: 'failed', trigger: '' })
    expect(to).toBe(`/console/1/webhooks?status=failed&done=all_sent_again&count=${failed}`)
    expect(
      textOf((await client.get(`/1/webhooks?done=all_sent_again&count=${failed}`)).html),
    ).toContain(`Webhooks that are being sent again: ${failed}.`)
    await sendDue()
    expect(await statusOf(id)).toBe('delivered')
  })

  test('can be sent now while it is held', async () => {
    const control = controlOf(shop.gateway)
    await control.post('/webhooks/hold')
    const { id: transaction } = await shop.pay()
    const { id } = await until(async () =>
      (await shop.deliveries()).find((row) => row.transaction_id === transaction),
    )
    const text = textOf((await client.get(`/1/webhooks/${id}`)).html)
    expect(text).toContain('0 attempts The first attempt is held Retry now')
    await control.post('/webhooks/release')
  })

  test('can be retried now if it is pending, and deleted if it is finished', async () => {
    const { id } = await delivered(500)
    const waiting = await client.get(`/1/webhooks/${id}`)
    expect(waiting.html).not.toContain('/remove"')
    shop.sink.answer(200)
    await client.post(`/1/webhooks/${id}/retry`)
    await sendDue()
    expect(await statusOf(id)).toBe('delivered')
    const done = await client.get(`/1/webhooks/${id}`)
    expect(done.html).not.toContain('/retry"')
    expect((await client.post(`/1/webhooks/${id}/retry`)).status).toBe(404)
    expect((await client.post(`/1/webhooks/${id}/remove`)).to).toBe(
      '/console/1/webhooks?done=removed',
    )
    expect((await client.get(`/1/webhooks/${id}`)).status).toBe(404)
  })
})

test('a payment says that its shop was notified only after the shop has accepted the webhook', async () => {
  const sayings = async (transaction: number) =>
    textOf((await client.get(`/1/transactions/${transaction}`)).html)
  const { id, transaction } = await delivered(500)
  expect(await sayings(transaction)).toContain(
    `The webhook to your shop failed 1 time (500). See the error of webhook ${id}`,
  )
  shop.sink.answer(200)
  await client.post(`/1/webhooks/${id}/retry`)
  await sendDue()
  expect(await sayings(transaction)).toContain('Your shop got the webhook and answered 200.')
  await client.post(`/1/webhooks/${id}/send`)
  expect(await sayings(transaction)).not.toContain('failed')
  await sendDue()
  const failed = await sayings((await delivered(404)).transaction)
  expect(failed).toContain('Your shop was not notified: 1 webhook failed permanently.')
  const { id: none } = await shop.pay({ type: 'email', email: 'shop@shop.example', url: undefined })
  expect(await sayings(none)).not.toContain('Your shop')
})

test('the shop’s own error is quoted as the cause, on its page and on the overview', async () => {
  const { id } = await delivered((response) => {
    response.writeHead(500).end(`<h1>Fatal error</h1>\n${SHOP_ERROR}\nStack trace:`)
  })
  await updateResting(shop.database.db, id, { status: 'dead' }, Date.now())
  for (const path of ['/1', `/1/webhooks/${id}`])
    expect((await client.get(path)).html).toContain(`<code>${SHOP_ERROR}</code>`)
  expect((await client.get(`/1/webhooks/${id}`)).html).toContain(`<mark>${SHOP_ERROR}</mark>`)
})

const SHOP_ERROR = 'Uncaught TypeError: Shop::paid(): null given in src/Shop.php:88'

test('a webhook that was redirected is explained in the list and on its page', async () => {
  const { id } = await delivered((response) => {
    response.writeHead(302, { location: '/login?token=x' }).end()
  })
  const words = 'Status 302 to /login. Redirects are not followed. Let the handler answer 2xx.'
  for (const path of ['/1/webhooks', `/1/webhooks/${id}`])
    expect(textOf((await client.get(path)).html)).toContain(words)
  expect(textOf((await client.get('/1/webhooks')).html)).toContain(
    `Failed permanently 302 ${words}`,
  )
})

test('the test controls link to a delivery that waits for its retry', async () => {
  await delivered(500)
  expect((await client.get('/1/controls')).html).toMatch(
    /href="\/console\/1\/webhooks\/(\d+)">Webhook \1 is sent</,
  )
})
