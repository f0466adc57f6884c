import { expect, test } from 'vitest'
import { hundredths } from '../../../mock-gateway/domain/money/money.ts'
import { insertLogEvents, putFold } from '../../../mock-gateway/storage/log-events.ts'
import { insertRow, insertRows } from '../../../mock-gateway/storage/rows.ts'
import type { NewLogEventRow } from '../../../mock-gateway/storage/tables/payment-parts.ts'
import type { NewWebhookRow } from '../../../mock-gateway/storage/tables/webhooks.ts'
import {
  loadRecord,
  loadRecords,
  NO_PARTS,
} from '../../../mock-gateway/storage/transaction-parts.ts'
import { insertTransaction, updateTransaction } from '../../../mock-gateway/storage/transactions.ts'
import { insertWebhooks, updateWebhooks } from '../../../mock-gateway/storage/webhooks.ts'
import { onEveryDatabase } from './databases.ts'
import { NOW, newMerchant, transactionRow } from './new-rows.ts'

const event = (transactionId: number, event: string): NewLogEventRow => ({
  transaction_id: transactionId,
  event_type: 'payment',
  data: { event },
  created_at: NOW,
})

const webhook = (merchantId: number, transactionId: number, url: string): NewWebhookRow => ({
  merchant_id: merchantId,
  transaction_id: transactionId,
  type: 'CustomHttp',
  trigger: 'payment_success',
  url,
  http_method: 'post',
  data_format: 'json',
  email: null,
  response: null,
  request_body: null,
  delivery_id: null,
  created_at: NOW,
})

onEveryDatabase((database) => {
  async function twoTransactions() {
    const merchantId = await newMerchant(database().db)
    const one = await insertTransaction(database().db, transactionRow(merchantId))
    const other = await insertTransaction(database().db, transactionRow(merchantId))
    return { merchantId, one, other }
  }

  test('the log events of a transaction are read with ids, oldest first', async () => {
    const { one, other } = await twoTransactions()
    const first = await insertLogEvents(database().db, [event(one.id, '1'), event(one.id, '2')])
    await insertLogEvents(database().db, [event(other.id, 'x')])
    const later = await insertLogEvents(database().db, [event(one.id, '3')])
    const { parts } = await loadRecord(database().db, one)
    expect(parts.logEvents).toEqual([...first, ...later])
    expect(parts.logEvents.map(({ data }) => data.event)).toEqual(['1', '2', '3'])
  })

  test('a log event can replace the following ones, up to another event', async () => {
    const { one, other } = await twoTransactions()
    const [first, ...rest] = await insertLogEvents(
      database().db,
      ['1', '2', '3', '4'].map((name) => event(one.id, name)),
    )
    await insertLogEvents(database().db, [event(other.id, 'x')])
    const [last] = await insertLogEvents(database().db, [event(one.id, '5')])
    if (!first || !rest[0] || !last) throw new Error('Nothing was inserted')
    const fold = { ...rest[0], data: { event: 'left_out', count: 3 } }
    await putFold(database().db, fold, last.id)
    expect((await loadRecord(database().db, one)).parts.logEvents).toEqual([first, fold, last])
    expect((await loadRecord(database().db, other)).parts.logEvents).toHaveLength(1)
  })

  test('captures, refunds and webhooks are read with their transaction', async () => {
    const { merchantId, one, other } = await twoTransactions()
    const money = { merchant_id: merchantId, transaction_id: one.id, created_at: NOW }
    await insertRows(database().db, 'captures', [{ ...money, amount: hundredths(700) }])
    const refund = await insertRow(database().db, 'refunds', {
      ...money,
      amount: hundredths(300),
      reason: 'Ångrat köp',
      ref: null,
    })
    const webhooks = await insertWebhooks(database().db, [
      webhook(merchantId, one.id, 'https://shop.example/hook'),
    ])
    expect(await loadRecord(database().db, one)).toMatchObject({
      row: one,
      parts: { captures: [{ amount: 700 }], refunds: [refund], webhooks, logEvents: [] },
    })
    expect(await loadRecord(database().db, other)).toEqual({ row: other, parts: NO_PARTS })
  })

  test('a transaction that was captured after its row was read has its current state', async () => {
    const { merchantId, one, other } = await twoTransactions()
    const money = { merchant_id: merchantId, transaction_id: one.id, created_at: NOW }
    await insertRows(database().db, 'captures', [{ ...money, amount: hundredths(700) }])
    const captured = await updateTransaction(database().db, one, {
      status: 'approved',
      updated_at: NOW,
    })
    expect(await loadRecords(database().db, [other, one])).toMatchObject([
      { row: other, parts: NO_PARTS },
      { row: captured, parts: { captures: [{ amount: 700 }] } },
    ])
  })

  test('an empty list of transactions returns an empty list', async () => {
    expect(await insertLogEvents(database().db, [])).toEqual([])
    expect(await insertWebhooks(database().db, [])).toEqual([])
    expect(await loadRecords(database().db, [])).toEqual([])
  })

  test('webhooks show the last sent body and its answer, whatever the order of their ids', async () => {
    const { merchantId, one } = await twoTransactions()
    const rows = ['/a', '/b', '/c'].map((path) =>
      webhook(merchantId, one.id, `http://shop.example${path}`),
    )
    const [first, second, silent] = (await insertWebhooks(database().db, rows)).map(({ id }) => id)
    const sent = (id: number | undefined, body: string) => ({
      id: id ?? 0,
      response: { code: 200, body, message: 'OK', headers: {}, error: null },
      request_body: `to ${body}`,
      delivery_id: null,
    })
    await updateWebhooks(database().db, [sent(second, '1'), sent(first, '2'), sent(second, '3')])
    await updateWebhooks(database().db, [])
    const { parts } = await loadRecord(database().db, one)
    expect(parts.webhooks).toMatchObject([
      sent(first, '2'),
      sent(second, '3'),
      { id: silent, response: null },
    ])
  })
})
