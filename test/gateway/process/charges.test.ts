import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../mock-gateway/storage/database.ts'
import { startGateway } from '../../helpers/gateway.ts'
import { filePlace, type Place, postgresPlace } from '../storage/databases.ts'
import { newCard, newPlan } from '../subscriptions/new-subscription.ts'
import { startGatewayProcess } from './load.ts'

/**
 * Number of charges. `npm run lab -- crash --charges 1000` makes more charges, and kills the
 * gateway more often.
 */
const CHARGES = Number(process.env.TEST_CHARGES ?? 40)
const KILLS = Math.ceil(CHARGES / 20)
const PERIODS = 10
const DAY = 86_400_000

const PLACES: readonly (readonly [
  string,
  () => Promise<Place>,
  (target: string) => readonly string[],
])[] = [
  ['SQLite', filePlace, (target) => ['--data', target.replace(/\/gateway\.db$/, '')]],
  ['PostgreSQL', postgresPlace, (target) => ['--database', target]],
]

test.each(PLACES)(
  `each of ${CHARGES} charges on %s is made once, however often the gateway is killed`,
  async (_name, make, flagsOf) => {
    const place = await make()
    const shop = await startGateway({ database: place.target })
    const { id: plan_id } = await newPlan(shop, {
      interval_unit: 'days',
      trial_length: 400,
      periods: PERIODS,
    })
    const { id: stored_card_id } = await newCard(shop, { card_expiry: '1235' })
    const subscriptions: number[] = []
    for (let made = 0; made < CHARGES / PERIODS; made++)
      subscriptions.push(
        (await shop.post('/v1/subscriptions', { plan_id, stored_card_id })).body.id,
      )
    await shop.close()

    const { db, close } = await openDatabase(place.target)
    // All periods are past, so a gateway that starts makes the charges one after the other.
    const anchor = Date.now() - 20 * DAY
    await db.updateTable('subscriptions').set({ anchor_at: anchor, next_at: anchor }).execute()
    const charges = () =>
      db
        .selectFrom('transactions')
        .select(['subscription_id', 'payment_ref', 'status'])
        .where('transaction_type', '=', 'recurring')
        .execute()
    const reached = async (count: number) => {
      while ((await charges()).length < count) await pause(5)
    }
    for (let kill = 1; kill <= KILLS; kill++) {
      const { program } = await startGatewayProcess(flagsOf(place.target))
      await reached(
        Math.floor((CHARGES * (kill - 1)) / KILLS) + randomInt(1, Math.ceil(CHARGES / KILLS)),
      )
      await program.stop('SIGKILL')
    }
    const { program } = await startGatewayProcess(flagsOf(place.target))
    await reached(CHARGES)
    await program.stop()

    const made = await charges()
    expect(made.every(({ status }) => status === 'approved')).toBe(true)
    expect([made.length, new Set(made.map(({ payment_ref }) => payment_ref)).size]).toEqual([
      CHARGES,
      CHARGES,
    ])
    const noted = await db
      .selectFrom('subscription_charges')
      .select(['subscription_id', 'period_at'])
      .execute()
    expect(noted).toHaveLength(CHARGES)
    const days = Array.from({ length: PERIODS }, (_period, n) => anchor + n * DAY)
    for (const id of subscriptions)
      expect(
        noted
          .filter((row) => row.subscription_id === id)
          .map((row) => row.period_at)
          .sort(),
      ).toEqual(days)
    const left = await db.selectFrom('subscriptions').select(['status', 'period_count']).execute()
    for (const row of left) expect(row).toEqual({ status: 'cancelled', period_count: PERIODS })
    await close()
    await place.remove()
  },
  900_000,
)
