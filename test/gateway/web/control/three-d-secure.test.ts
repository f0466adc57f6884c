import { expect, test } from 'vitest'
import type { Fields } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { cardOf, payerAt, queryOf } from '../../three-d-secure/payer.ts'
import { controlOf } from './client.ts'

const shop = await sharedGateway()
const control = controlOf(shop.gateway)

const pay = async (over: Fields = {}) => queryOf((await payerAt(shop).pay(over)).address)

test("the next payment on a page gets the forced authentication, and the following payment its card's", async () => {
  const set = await control.post('/3ds/next?merchant_id=1', { flow: 'frictionless', result: 'N' })
  expect(set.body).toMatchObject({ merchant_id: 1, next: { flow: 'frictionless', result: 'N' } })
  expect(await pay()).toMatchObject({ error_name: 'errors.mpi.not_approved' })
  expect(await pay()).toMatchObject({ status: 'approved' })
})

test('the control API can turn off authentication for the next payment, like metadata', async () => {
  expect((await control.post('/3ds/next?merchant_id=1', { flow: 'none' })).body).toMatchObject({
    next: { flow: 'none' },
  })
  expect(await pay({ card_number: cardOf(10) })).toMatchObject({ status: 'approved' })
})

test('fields that the call omits follow the card', async () => {
  const set = await control.post('/3ds/next?merchant_id=1', { delay_seconds: 30 })
  expect(set.body).toEqual({ merchant_id: 1, next: { delay_seconds: 30 } })
  expect(await pay({ card_number: cardOf(1), payment_ref: 'slow' })).toEqual({})
  await control.post('/3ds/next?merchant_id=1', { version: '2.1.0' })
  expect(await pay({ card_number: cardOf(2) })).toMatchObject({
    error_name: 'errors.mpi.not_approved',
  })
})

test('forced results of 3-D Secure are listed in their order, and deleted', async () => {
  const wanted = [{ result: 'N' }, { flow: 'challenge', delay_seconds: 30 }]
  for (const each of wanted) await control.post('/3ds/next?merchant_id=1', each)
  expect((await control.get('/3ds/next?merchant_id=1')).body).toEqual({
    merchant_id: 1,
    next: wanted,
  })
  const deleted = await control.delete('/3ds/next?merchant_id=1')
  expect(deleted.body).toEqual({ merchant_id: 1, next: [] })
  expect(await pay()).toMatchObject({ status: 'approved' })
})

test('impossible combinations are rejected', async () => {
  for (const wrong of [
    { result: 'perhaps' },
    { result: 'N', delay_seconds: 901 },
    {},
    { flow: 'some' },
  ])
    expect((await control.post('/3ds/next?merchant_id=1', wrong)).body).toMatchObject({ code: 253 })
  expect((await control.post('/3ds/next', { result: 'N' })).body).toMatchObject({ code: 253 })
})
