import { administratorTurn, endOfTime, newWorkbench } from '../clients/administrator.ts'
import type { Acting } from '../clients/machine.ts'
import { newVisit, payerTurn } from '../clients/payer.ts'
import { shopTurn } from '../clients/shop.ts'
import { newSubscriber, subscriberTurn } from '../clients/subscriber.ts'
import { holdRest } from '../model/rest.ts'
import type { ClientKind, ClientPlan, Plan } from './plan.ts'
import { createSimulation, type Ground, type Simulation, type Told } from './simulation.ts'
import { Violation } from './violation.ts'

/** Result of a run. */
export interface Run {
  readonly plan: Plan
  /** Fingerprint of a run. Two runs of one plan have the same one. */
  readonly digest: string
  readonly events: number
  readonly story: readonly Told[]
  /** Violation that ended the run. Undefined if no rule was broken. */
  readonly violation: { readonly rule: string; readonly message: string } | undefined
}

/** Factories for the turns of a client, by its kind. */
const TURNS: Readonly<Record<ClientKind, () => (acting: Acting) => Promise<void>>> = {
  shop: () => shopTurn,
  payer: () => payerTurn(newVisit()),
  subscriber: () => subscriberTurn(newSubscriber()),
  administrator: () => administratorTurn(newWorkbench()),
}

/** Milliseconds between two turns of one client and between two faults, with their weights. */
const BETWEEN = { 20: 6, 400: 3, 3000: 1 }
const FAULT_MS = 400

async function runClient(simulation: Simulation, plan: ClientPlan): Promise<void> {
  const chance = simulation.chance(plan.name)
  const act = TURNS[plan.kind]()
  for (let turn = 0; turn < plan.turns; turn += 1) {
    await simulation.sleep(chance.below(Number(chance.weighed(BETWEEN))))
    await act({ simulation, plan, chance })
  }
}

/** Kills gateways, cuts the power and moves the machine's clock while clients are active. */
async function injectFaults(simulation: Simulation, isOver: () => boolean): Promise<void> {
  const chance = simulation.chance('fate')
  const { clockJumps, gatewayKilled, powerLost } = simulation.plan.rates
  while (!isOver()) {
    await simulation.sleep(chance.below(FAULT_MS))
    if (chance.happens(gatewayKilled)) simulation.kill(chance)
    if (chance.happens(powerLost)) simulation.losePower()
    if (chance.happens(clockJumps)) simulation.jump((chance.below(20) - 5) * 60_000)
  }
}

async function runAll(simulation: Simulation): Promise<void> {
  let isOver = false
  const injected = injectFaults(simulation, () => isOver)
  await simulation.whole()
  await Promise.all(simulation.plan.clients.map((client) => runClient(simulation, client)))
  isOver = true
  await injected
  simulation.heal()
  await simulation.whole()
  await simulation.sleep(simulation.leaseMs)
  while (simulation.model.webhooks.areUnderWay()) await simulation.sleep(1_000)
  await endOfTime(simulation)
  await holdRest(simulation)
  await simulation.close()
}

/** Runs a plan to its end, or until a rule is broken. */
export async function run(ground: Ground, plan: Plan): Promise<Run> {
  const simulation = createSimulation(ground, plan)
  const { scheduler, story, failed } = simulation
  const unforeseen = (error: unknown) => error instanceof Violation || simulation.crashed(error)
  process.on('unhandledRejection', unforeseen).on('uncaughtException', unforeseen)
  let violation: Run['violation']
  try {
    await scheduler.until(Promise.race([runAll(simulation), failed]))
  } catch (error) {
    if (!(error instanceof Violation)) throw error
    violation = { rule: error.rule, message: error.message }
  } finally {
    process.off('unhandledRejection', unforeseen).off('uncaughtException', unforeseen)
    simulation.end()
  }
  return { plan, digest: scheduler.digest(), events: scheduler.events(), story, violation }
}
