import { afterAll, beforeAll, expect, test } from 'vitest'
import { startGateway, type TestGateway } from '../../../helpers/gateway.ts'
import { payerAt, queryOf } from '../../three-d-secure/payer.ts'
import { type ControlClient, controlOf } from './client.ts'

let shop: TestGateway
let control: ControlClient
beforeAll(async () => {
  shop = await startGateway()
  control = controlOf(shop.gateway)
})
afterAll(() => shop.close())

const pay = async () => queryOf((await payerAt(shop).pay()).address)

test('the next payment on a page is authenticated as was set, and the one after it as its card has it', async () => {
  const set = await control.post('/3ds/next?merchant_id=1', { flow: 'frictionless', result: 'N' })
  expect(set.body).toMatchObject({ merchant_id: 1, next: { flow: 'frictionless', result: 'N' } })
  expect(await pay()).toMatchObject({ error_name: 'errors.mpi.not_approved' })
  expect(await pay()).toMatchObject({ status: 'approved' })
})

test('what cannot be had is refused', async () => {
  for (const wrong of [{ result: 'perhaps' }, { result: 'N', delay_seconds: 901 }, {}, { flow: 'none' }])
    expect((await control.post('/3ds/next?merchant_id=1', wrong)).body).toMatchObject({ code: 253 })
  expect((await control.post('/3ds/next', { result: 'N' })).body).toMatchObject({ code: 253 })
})
