import { administratorTurn, endOfTime, newWorkbench } from '../clients/administrator.ts'
import type { Acting } from '../clients/machine.ts'
import { newVisit, payerTurn } from '../clients/payer.ts'
import { shopTurn } from '../clients/shop.ts'
import { newSubscriber, subscriberTurn } from '../clients/subscriber.ts'
import { holdRest } from '../model/rest.ts'
import type { ClientKind, ClientPlan, Plan } from './plan.ts'
import { createWorld, type Ground, type Told, type World } from './simulation.ts'
import { Violation } from './violation.ts'

/** What came of a run. */
export interface Run {
  readonly plan: Plan
  /** Two runs of one plan have the same. */
  readonly digest: string
  readonly events: number
  readonly story: readonly Told[]
  /** Undefined when everything held. */
  readonly violation: { readonly rule: string; readonly message: string } | undefined
}

/** What a client does in each of its turns: each has a life of its own. */
const LIVES: Readonly<Record<ClientKind, () => (acting: Acting) => Promise<void>>> = {
  shop: () => shopTurn,
  payer: () => payerTurn(newVisit()),
  subscriber: () => subscriberTurn(newSubscriber()),
  administrator: () => administratorTurn(newWorkbench()),
}

/** Milliseconds between two turns of one client, and of what may befall everybody. */
const BETWEEN = { 20: 6, 400: 3, 3000: 1 }
const FATE_MS = 400

async function clientLife(world: World, plan: ClientPlan): Promise<void> {
  const chance = world.chance(plan.name)
  const act = LIVES[plan.kind]()
  for (let turn = 0; turn < plan.turns; turn += 1) {
    await world.sleep(chance.below(Number(chance.weighed(BETWEEN))))
    await act({ world, plan, chance })
  }
}

/** What befalls gateways and their machine while clients are at work. */
async function fate(world: World, isOver: () => boolean): Promise<void> {
  const chance = world.chance('fate')
  const { clockJumps, gatewayKilled, powerLost } = world.plan.rates
  while (!isOver()) {
    await world.sleep(chance.below(FATE_MS))
    if (chance.happens(gatewayKilled)) world.kill(chance)
    if (chance.happens(powerLost)) world.losePower()
    if (chance.happens(clockJumps)) world.jump((chance.below(20) - 5) * 60_000)
  }
}

async function life(world: World): Promise<void> {
  let isOver = false
  const fated = fate(world, () => isOver)
  await world.whole()
  await Promise.all(world.plan.clients.map((client) => clientLife(world, client)))
  isOver = true
  await fated
  world.heal()
  await world.whole()
  await world.sleep(world.leaseMs)
  while (world.model.webhooks.areUnderWay()) await world.sleep(1_000)
  await endOfTime(world)
  await holdRest(world)
  await world.close()
}

/** Runs a plan to its end, or until something is seen that must never be. */
export async function run(ground: Ground, plan: Plan): Promise<Run> {
  const world = createWorld(ground, plan)
  const { scheduler, story, failed } = world
  const unforeseen = (error: unknown) => error instanceof Violation || world.crashed(error)
  process.on('unhandledRejection', unforeseen).on('uncaughtException', unforeseen)
  let violation: Run['violation']
  try {
    await scheduler.until(Promise.race([life(world), failed]))
  } catch (error) {
    if (!(error instanceof Violation)) throw error
    violation = { rule: error.rule, message: error.message }
  } finally {
    process.off('unhandledRejection', unforeseen).off('uncaughtException', unforeseen)
    world.end()
  }
  return { plan, digest: scheduler.digest(), events: scheduler.events(), story, violation }
}
