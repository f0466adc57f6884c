import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/gateway.ts'
import { type Database, openDatabase } from '../../../mock-gateway/storage/database.ts'
import { clientAt, payment } from '../../helpers/gateway.ts'
import { filePlace, type Place, postgresPlace } from '../storage/databases.ts'
import { type GatewayProcess, startGatewayProcess } from './load.ts'

/**
 * Number of captures. `npm run lab -- crash` makes more captures, kills more often, and also uses
 * PostgreSQL.
 */
const { TEST_CAPTURES } = process.env
const CAPTURES = Number(TEST_CAPTURES ?? 4)
const KILLS = Math.ceil(CAPTURES / 10)

const PLACES: readonly (readonly [
  string,
  () => Promise<Place>,
  (target: string) => readonly string[],
])[] = [
  ['SQLite', filePlace, (target) => ['--data', target.replace(/\/gateway\.db$/, '')]],
  ['PostgreSQL', postgresPlace, (target) => ['--database', target]],
]
const { id, password, secret } = DEFAULT_MERCHANT
const SHOP = { id, password, secret }
const INSTRUCTION = 'metadata[service_instructions][capture]'

/** Captures a payment. The bank answers after a second, and declines every second capture. */
async function capture({ url }: GatewayProcess, number: number): Promise<void> {
  const client = clientAt(new URL(url).origin, SHOP)
  const refused =
    number % 2 === 1 ? { [`${INSTRUCTION}[fail_as_code]`]: 'errors.payment.declined' } : {}
  const order = payment({ authorize: true, [`${INSTRUCTION}[seconds]`]: 1, ...refused })
  const reserved = (await client.post('/v1/transactions', order)).body
  const { body } = await client.put(`/v1/transactions/${reserved.id}/capture`, { amount: '4.00' })
  expect(body.status).toBe('capture pending')
}

/** Resolves when at most this number of captures is pending. */
async function waiting({ db }: Database, most: number): Promise<void> {
  const find = db.selectFrom('transactions').select('id').where('status', '=', 'capture pending')
  while ((await find.execute()).length > most) await pause(5)
}

test.each(TEST_CAPTURES ? PLACES : PLACES.slice(0, 1))(
  `each of ${CAPTURES} captures that wait for the bank on %s ends once, however often the gateway is killed`,
  async (_name, make, flagsOf) => {
    const place = await make()
    const first = await startGatewayProcess(flagsOf(place.target))
    for (let number = 0; number < CAPTURES; number++) await capture(first, number)
    await first.program.stop('SIGKILL')
    const data = await openDatabase(place.target)
    for (let kill = 1; kill < KILLS; kill++) {
      const { program } = await startGatewayProcess(flagsOf(place.target))
      await waiting(data, Math.floor((CAPTURES * (KILLS - kill)) / KILLS))
      await program.stop('SIGKILL')
    }
    const { url, program } = await startGatewayProcess(flagsOf(place.target))
    await waiting(data, 0)
    const client = clientAt(new URL(url).origin, SHOP)
    const all = (
      await client.get<Transaction[]>('/v1/transactions', { limit: CAPTURES, order_by: 'id' })
    ).body
    await program.stop()
    const ends = all.map(({ status, captures, log_events }) => ({
      status,
      captures: captures.map(({ amount }) => amount),
      told: log_events
        .map(({ data: { event } }) => event)
        .filter((event) => /^capture/.test(String(event))),
    }))
    const approved = { status: 'approved', captures: ['4.00'], told: ['capture_sent', 'captured'] }
    const failed = { status: 'failed', captures: [], told: ['capture_sent', 'capture_failed'] }
    expect(ends).toEqual(all.map((_each, number) => (number % 2 === 1 ? failed : approved)))
    await data.close()
    await place.remove()
  },
  300_000,
)
