import { expect, test } from 'vitest'
import { insertRequests, listRequests } from '../../../mock-gateway/storage/requests.ts'
import type { NewRequestRow } from '../../../mock-gateway/storage/tables/requests.ts'
import { onEveryDatabase } from './databases.ts'
import { newMerchant, requestRow } from './new-rows.ts'

onEveryDatabase((database) => {
  test('a list without views leaves out the accepted requests of a payer', async () => {
    const { db } = database()
    const merchantId = await newMerchant(db)
    const row = (over: Partial<NewRequestRow>) => requestRow(merchantId, over)
    await insertRequests(db, [
      row({ route: '/v1/transactions' }),
      row({ route: '/v1/form/:token' }),
      row({ route: '/v1/form/:token', error: 'errors.payment.declined' }),
      row({ route: '/v1/acs/:token', method: 'GET' }),
      row({ route: '/pay/:token', method: 'GET' }),
      row({ route: null, method: 'GET' }),
    ])
    const routes = async (views: boolean | undefined) =>
      (await listRequests(db, { merchantId, views })).map(({ route, error }) => error ?? route)
    expect(await routes(false)).toEqual([null, 'errors.payment.declined', '/v1/transactions'])
    expect(await routes(true)).toHaveLength(6)
    expect(await listRequests(db, { merchantId, views: false }, { limit: 1, offset: 2 })).toEqual([
      expect.objectContaining({ route: '/v1/transactions' }),
    ])
  })
})
