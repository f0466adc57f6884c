import { afterAll, describe, expect, test } from 'vitest'
import { createFindings } from '../../../mock-gateway/serializers/findings/read-findings.ts'
import { openDatabase } from '../../../mock-gateway/storage/database.ts'
import { resetData } from '../../../mock-gateway/storage/reset.ts'
import { payment, startGateway } from '../../helpers/gateway.ts'
import { filePlace, sharedPlace } from '../storage/databases.ts'

describe('findings', async () => {
  const open = filePlace
  const target = await sharedPlace(open)
  const [shop, database] = [await startGateway({ database: target }), await openDatabase(target)]
  const readFindings = createFindings(database.db)
  afterAll(() => Promise.all([shop.close(), database.close()]))

  /**
   * Waits until the findings are as expected, because requests are stored a moment after their
   * answers.
   */
  const finds = (...expected: readonly (readonly [name: string, proofs: number])[]) =>
    expect
      .poll(async () => (await readFindings(1)).map(({ name, proofs }) => [name, proofs.length]))
      .toEqual(expected)

  const pay = async () => {
    const { status } = await shop.post('/v1/transactions', payment({ colour: 'red' }))
    expect(status).toBe(200)
  }

  test('do not contain evidence of deleted requests, even if ids start with 1 again', async () => {
    await resetData(database)
    await finds()
    await pay()
    await finds(['unused_parameter', 1])
    await resetData(database)
    for (const _each of [1, 2]) await shop.post('/v1/transactions', payment({ card_type: 'VISA' }))
    await pay()
    await finds(['unused_parameter', 1])
  })
})
