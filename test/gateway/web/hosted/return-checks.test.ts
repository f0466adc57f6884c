import { afterAll, describe, expect, test } from 'vitest'
import { createFindings } from '../../../../mock-gateway/serializers/findings/read-findings.ts'
import { openDatabase } from '../../../../mock-gateway/storage/database.ts'
import { CARD, handSetClock, prepared, startGateway } from '../../../helpers/gateway.ts'
import { freePort } from '../../../setup/free-port.ts'
import { filePlace, sharedPlace } from '../../storage/databases.ts'

describe('addresses that payers return to', async () => {
  const target = await sharedPlace(filePlace)
  const clock = handSetClock()
  const [shop, database] = [
    await startGateway({ database: target, clock, webhooks: {} }),
    await openDatabase(target),
  ]
  const readFindings = createFindings(database.db)
  afterAll(() => Promise.all([shop.close(), database.close()]))

  /**
   * Pays on the payment page, which redirects the payer to this address.
   * @returns the id of the payment
   */
  async function payerReturnsTo(success_url: string): Promise<number> {
    const { body } = await shop.post('/v1/transactions', prepared({ success_url }))
    const page = new URL(body.href).pathname
    const { headers } = await shop.browser.submit(page, CARD)
    expect(headers.get('location')).toContain(success_url)
    return body.id
  }

  const lostPayers = async () => {
    const finding = (await readFindings(1)).find(({ name }) => name === 'lost_payer')
    return finding?.proofs.map(({ transactionId, says }) => ({ transactionId, says })) ?? []
  }

  const refused = `http://127.0.0.1:${await freePort()}`

  test('a port without a server is a finding of the first payment', async () => {
    const id = await payerReturnsTo(`${refused}/paid`)
    await expect
      .poll(lostPayers)
      .toEqual([
        { transactionId: id, says: expect.stringContaining('No server listens at 127.0.0.1:') },
      ])
    const control = { 'x-control-key': shop.gateway.controlKey ?? '' }
    const { body } = await shop.get<{ findings: string[] }>(
      `/_control/stories/${id}.json`,
      {},
      control,
    )
    expect(body.findings).toEqual([
      expect.stringMatching(/^Payers are sent to an address .*start the server/),
    ])
  })

  test('the same address is checked again after five minutes', async () => {
    const before = await lostPayers()
    clock.advance(5 * 60_000 - 1)
    await payerReturnsTo(`${refused}/paid`)
    clock.advance(1)
    const id = await payerReturnsTo(`${refused}/paid`)
    await expect.poll(async () => (await lostPayers()).length).toBeGreaterThan(before.length)
    expect(await lostPayers()).toEqual([{ transactionId: id, says: expect.any(String) }, ...before])
  })
})
