import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../../../mock-gateway/storage/database.ts'
import { MERCHANT } from '../../helpers/gateway.ts'
import { until } from '../../helpers/sink.ts'
import { onBothDatabases, type Shop } from './shop.ts'

/**
 * Lets the database reject rows of a table that match an SQL condition.
 * @param event the statement: insert or update
 * @returns a function that allows them again
 */
async function refuseRows(
  { dialect, db }: Database,
  table: string,
  when: string,
  event = 'insert',
): Promise<() => Promise<unknown>> {
  const [before, refusal] =
    dialect === 'postgres'
      ? [
          "create function refuse() returns trigger language plpgsql as 'begin raise ''refused''; end'",
          'refuse()',
        ]
      : ['select 1', '']
  await sql.raw(before).execute(db)
  const does =
    dialect === 'postgres'
      ? `execute function ${refusal}`
      : "begin select raise(abort, 'refused'); end"
  await sql
    .raw(`create trigger refused before ${event} on ${table} for each row when (${when}) ${does}`)
    .execute(db)
  return async () => {
    await sql.raw(`drop trigger refused${dialect === 'postgres' ? ` on ${table}` : ''}`).execute(db)
    if (dialect === 'postgres') await sql.raw('drop function refuse').execute(db)
  }
}

let shop: Shop
const ALERTED = { administrators: [{ email: 'ada@example.org' }] }
const PAYER = { payment_details: '{"email":"kim@example.org"}' }

/** Waits until no delivery is pending, and returns the first one. */
const ended = () =>
  until(async () => {
    const [first, ...others] = await shop.deliveries()
    return (
      first?.status !== 'pending' && others.every(({ status }) => status !== 'pending') && first
    )
  })

const alerts = async () => (await shop.deliveries()).filter(({ trigger }) => trigger === 'alert')

onBothDatabases((openShop) => {
  test.each([
    ['the mail', 'mails', "new.recipient = 'kim@example.org'", { type: 'receipt', url: undefined }],
    [
      'a sent body and its answer',
      'webhook_attempts',
      "new.outcome = 'delivered' and new.delivery_id = 1",
      {},
    ],
  ])(
    '%s that the database rejects is a failed delivery, and is reported as one',
    async (_what, table, when, hook) => {
      shop = await openShop({ merchants: [{ ...MERCHANT, settings: ALERTED }] })
      const takeBack = await refuseRows(shop.database, table, when)
      try {
        await shop.pay({ trigger: 'payment', ...hook }, PAYER)
        expect(await ended()).toMatchObject({ status: 'failed', attempts: 1 })
        expect(await shop.attempts()).toMatchObject([
          {
            outcome: 'failed',
            response: { code: null, error: expect.stringContaining('refused') },
          },
          { outcome: 'delivered' },
        ])
        expect(await shop.notifications()).toHaveLength(1)
        expect(await alerts()).toHaveLength(1)
      } finally {
        await takeBack()
      }
    },
  )

  test('webhooks of a host that could be claimed are sent although the claim of the next host fails', async () => {
    shop = await openShop()
    const when = "new.lease_owner is not null and new.host <> '1 '"
    const takeBack = await refuseRows(shop.database, 'webhook_deliveries', when, 'update')
    try {
      const hooks = [
        { trigger: 'payment', url: shop.sink.url },
        { trigger: 'payment', type: 'Email', email: 'ada@example.org' },
      ]
      await shop.pay({}, { webhook: JSON.stringify(hooks) })
      const statuses = async () =>
        (await shop.deliveries()).map(({ type, status }) => [type, status])
      await expect.poll(statuses).toEqual([
        ['CustomHttp', 'pending'],
        ['Email', 'delivered'],
      ])
    } finally {
      await takeBack()
    }
  })
})
