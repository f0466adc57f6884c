import { describe, expect, test } from 'vitest'
import { MERCHANT, payment, prepared } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'

const shop = await sharedGateway({ merchants: [{ ...MERCHANT, settings: { error_object: true } }] })

/** Error codes, one for each status. */
const FORCED = [
  [138, 401],
  [182, 401],
  [207, 403],
  [204, 404],
  [129, 400],
] as const

describe.each(FORCED)(
  'with error_object a forced error %i includes the transaction',
  (code, status) => {
    const forced = { 'metadata[service_instructions][fail_as_code]': code }
    const withTransaction = {
      status,
      body: { code, object: { transaction: { status: 'failed' } } },
    }

    test('when the transaction is created', async () => {
      expect(await shop.post('/v1/transactions', payment(forced))).toMatchObject(withTransaction)
    })

    test('when the transaction is changed', async () => {
      const { id } = (await shop.post('/v1/transactions', prepared())).body
      expect(await shop.put(`/v1/transactions/${id}`, payment(forced))).toMatchObject(
        withTransaction,
      )
    })
  },
)
