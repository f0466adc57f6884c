import { describe, expect, test } from 'vitest'
import { CARD, MERCHANT, prepared, type TestGateway } from '../../helpers/gateway.ts'
import { OTHER_PRIVATE_KEY } from '../../helpers/keys.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { DATABASES, sharedPlace } from '../storage/databases.ts'
import { refusals, TOO_LATE, times, won } from './at-once.ts'

const OTHER_MERCHANT = {
  id: 2,
  password: 'other password',
  secret: 'other secret',
  private_key: OTHER_PRIVATE_KEY,
}

describe.each(DATABASES)('two gateways on one %s', async (_name, open) => {
  const database = await sharedPlace(open)
  const merchants = [MERCHANT, OTHER_MERCHANT] as const
  const gateways = await times(2, (index) =>
    sharedGateway({ database, merchants, seed: `gateway ${index}` }),
  )

  /** Returns one of the gateways in turn. */
  const shop = (index: number) => gateways[index % 2] as TestGateway

  test('check ten of 40 parallel guesses at a password', async () => {
    const guess = (index: number) =>
      shop(index).browser.get(
        '/v1/plans',
        {},
        { authorization: `Basic ${btoa(`3:guess ${index}`)}` },
      )
    const codes = (await times(40, guess)).map(({ body }) => (body as { code?: number }).code)
    expect(codes.filter((code) => code === 182)).toHaveLength(10)
    expect(codes.filter((code) => code === 207)).toHaveLength(30)
  })

  test('charge once for 40 parallel payments of one transaction', async () => {
    const { id } = (await shop(0).post('/v1/transactions', prepared())).body
    const answers = await times(40, (index) => shop(index).put(`/v1/transactions/${id}`, CARD))
    expect(answers.filter(won)).toHaveLength(1)
    expect(TOO_LATE).toEqual(expect.arrayContaining(refusals(answers)))
  })
})
