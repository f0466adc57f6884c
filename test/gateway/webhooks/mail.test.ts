import { describe, expect, onTestFinished, test } from 'vitest'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
import { prepareInput, saveTemplate } from '../../../mock-gateway/templates/save.ts'
import { MERCHANT, payment, START, type TestGatewayOptions } from '../../helpers/gateway.ts'
import { openMailbox } from '../../helpers/mailbox.ts'
import { until } from '../../helpers/sink.ts'
import { type ControlClient, controlOf } from '../web/control/client.ts'
import { openTestShop, type Shop } from './shop.ts'

interface KeptMail {
  readonly id: number
  readonly to: string
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly status: string
  readonly created_at: string
}

let shop: Shop
let control: ControlClient

const mails = async () => (await control.get<{ mails: KeptMail[] }>('/mails')).body.mails
const arrived = (count = 1) =>
  until(async () => {
    const kept = await mails()
    return kept.length >= count && kept
  })
const fileOf = (mail: KeptMail | undefined) =>
  shop.gateway.handle(
    new Request(`http://localhost:4400/_control/mails/${mail?.id}.eml`, {
      headers: { 'x-control-key': shop.gateway.controlKey ?? '' },
    }),
  )
const mailHook = (hook: object) => ({ webhook: JSON.stringify(hook) })
const paid = async (fields: Parameters<typeof payment>[0]) =>
  (await shop.post<Transaction>('/v1/transactions', payment(fields))).body
const withSettings = (settings: NonNullable<typeof MERCHANT.settings>): TestGatewayOptions => ({
  merchants: [{ ...MERCHANT, settings }],
})

async function begin(options: TestGatewayOptions = {}) {
  shop = await openTestShop(options)
  control = controlOf(shop.gateway)
}

test('webhook rule 14: an e-mail webhook is sent through an SMTP server to one recipient, as text and HTML, and the webhook shows it', async () => {
  const mailbox = await openMailbox()
  onTestFinished(mailbox.close)
  await begin({ webhooks: { smtp: mailbox.url, from: 'shop@example.org' } })
  const { webhooks } = await paid(
    mailHook({ trigger: 'payment_success', email: 'orders@example.org' }),
  )
  const [mail] = await arrived()
  expect(mail).toMatchObject({ to: 'orders@example.org', from: 'shop@example.org', status: 'sent' })
  expect(mailbox.mails).toHaveLength(1)
  const [{ to, raw } = { to: [], raw: '' }] = mailbox.mails
  expect(to).toEqual(['orders@example.org'])
  expect(raw).toMatch(
    /^From: shop@example\.org\r\nTo: orders@example\.org\r\nSubject: En betalare har betalat/m,
  )
  expect(raw).toMatch(/Content-Type: text\/plain[\s\S]*Content-Type: text\/html/)
  expect(await (await fileOf(mail)).text()).toBe(raw)
  const shown = await until(async () => {
    const { body } = await shop.get(`/v1/webhooks/${webhooks[0]?.id}`)
    return (body as unknown as { response: unknown }).response !== null && body
  })
  expect(shown).toMatchObject({
    type: 'Email',
    email: 'orders@example.org',
    response: { code: 250, message: 'Accepted', error: null },
    request_body: mail?.text,
  })
})

test('mails are stored without an SMTP server, and can be downloaded', async () => {
  await begin()
  await paid(mailHook({ trigger: 'payment', email: 'orders@example.org' }))
  const [mail] = await arrived()
  expect(mail).toMatchObject({
    status: 'kept',
    to: 'orders@example.org',
    from: 'gateway@mondido.local',
  })
  const read = await control.get<KeptMail>(`/mails/${mail?.id}`)
  expect(read.body).toEqual(mail)
  const file = await fileOf(mail)
  expect(file.headers.get('content-type')).toContain('message/rfc822')
  const written = await file.text()
  expect(written).toMatch(/^From: gateway@mondido\.local\r\nTo: orders@example\.org\r\n/)
  expect(Date.parse(/^Date: (.*)\r$/m.exec(written)?.[1] ?? '')).toBe(
    Date.parse(mail?.created_at ?? ''),
  )
  expect(await (await fileOf(mail)).text()).toBe(written)
  expect((await control.get('/mails/99')).status).toBe(404)
  expect((await control.get(`/mails/${mail?.id}?merchant_id=9`)).body.name).toBe(
    'errors.merchant.not_found',
  )
})

describe('receipts', () => {
  const PAYER = { payment_details: '{"email":"kim@example.org"}' }

  test('are sent to the payer after the payment and after a refund', async () => {
    await begin(
      withSettings({
        webhooks: [
          { name: 'paid', type: 'receipt', trigger: 'payment_success' },
          { name: 'refunded', type: 'receipt', trigger: 'refund' },
        ],
      }),
    )
    const { id } = await paid({ ...PAYER, locale: 'en' })
    await shop.post('/v1/refunds', { transaction_id: id, amount: '2.50', reason: 'Broken' })
    const [refund, receipt] = await arrived(2)
    expect(receipt).toMatchObject({
      to: 'kim@example.org',
      subject: expect.stringMatching(/^Receipt for your payment/),
    })
    expect(refund?.text).toMatch(/Refunded: 2\.50\u00a0SEK\nReason: Broken\n/)
  })

  test('webhook rule 15: can use a merchant’s template: transaction.refunds.last.amount and .reason, escaped', async () => {
    await begin(
      withSettings({
        webhooks: [{ name: 'refunded', type: 'receipt', trigger: 'refund', template_id: 7 }],
      }),
    )
    const source = `Subject: {{ transaction.refunds.last.amount }} back from {{ merchant.name }}
<p>{{ transaction.refunds.last.reason }} ({{ transaction.payment_ref }})</p>`
    await saveTemplate(
      shop.database.db,
      MERCHANT.id,
      7,
      await prepareInput({ name: 'refund', kind: 'receipt', source }),
      START,
    )
    const { id, payment_ref } = await paid(PAYER)
    await shop.post('/v1/refunds', { transaction_id: id, amount: '1.00', reason: 'First' })
    await shop.post('/v1/refunds', { transaction_id: id, amount: '2.50', reason: '<b>Broken</b>' })
    const [second, first] = await arrived(2)
    expect(first).toMatchObject({
      subject: expect.stringMatching(/^1\.00 back from /),
      text: `First (${payment_ref})`,
    })
    expect(second?.html).toBe(`<p>&#60;b&#62;Broken&#60;/b&#62; (${payment_ref})</p>`)
    expect(second?.text).toBe(`<b>Broken</b> (${payment_ref})`)
  })

  test("receipts without the payer's address are replaced by a notification, and the payment stays approved", async () => {
    await begin(withSettings({ webhooks: [{ name: 'paid', type: 'receipt', trigger: 'payment' }] }))
    const { status } = await paid({})
    expect(status).toBe('approved')
    await shop.attempted(1)
    expect(await shop.notifications()).toMatchObject([
      { kind: 'webhook_failed', message: expect.stringContaining('has no e-mail address') },
    ])
  })
})

test('webhook rule 6: alerts inform administrators once of a failed webhook, if they want alerts', async () => {
  const mailbox = await openMailbox()
  onTestFinished(mailbox.close)
  await begin({
    ...withSettings({
      administrators: [
        { email: 'kim@example.org' },
        { email: 'quiet@example.org', alerts: false },
        { email: 'ada@example.org' },
      ],
    }),
    webhooks: { smtp: mailbox.url },
  })
  shop.sink.answer(404)
  await shop.pay()
  const [one, other] = await arrived(2)
  expect([one?.to, other?.to].sort()).toEqual(['ada@example.org', 'kim@example.org'])
  expect(one?.text).toMatch(/A webhook failed[\s\S]* 404/)
  await shop.gateway.clock.advance({ days: 10 })
  expect(mailbox.mails).toHaveLength(2)
})
