import type { GatewayOptions } from '../../../../mock-gateway/gateway.ts'
import { createOutside } from '../faults/outside.ts'
import { NO_FAULTS, type Rates } from '../faults/rates.ts'
import { createModel, type Model } from '../model/model.ts'
import { type Chance, createChance } from './chance.ts'
import type { Data, Store } from './data.ts'
import { drawFixtures } from './fixtures.ts'
import { createGatewayPool } from './gateway-pool.ts'
import type { Answered, CreateGateway, Sent } from './gateways.ts'
import { beginSimulation, runAs } from './machine.ts'
import { seeds } from './merchants.ts'
import { BEGINNING, type Plan } from './plan.ts'
import { createScheduler, type Scheduler } from './scheduler.ts'
import { Violation } from './violation.ts'

/** Answer to a request. If it was lost, it is unknown whether the request was carried out. */
export type Heard =
  | (Answered & { readonly lost?: undefined })
  | { readonly lost: true; readonly wasSent: boolean }

/** Entry of the timeline. */
export interface Told {
  readonly at: number
  readonly who: string
  readonly what: string
}

/**
 * Simulation run: gateways, their store and their clients, in one process and in simulated time.
 */
export interface Simulation {
  readonly plan: Plan
  readonly scheduler: Scheduler
  readonly store: Store
  readonly model: Model
  readonly story: readonly Told[]
  chance(name: string): Chance
  tell(who: string, what: string): void
  /** Ends the run. */
  fail(rule: string, message: string): never
  readonly leaseMs: number
  /** Rejects with the violation that ends the run. */
  readonly failed: Promise<never>
  /** Reports an uncaught error, which would have ended a real process. */
  crashed(error: unknown): void
  /** Sends a client's request to one of the gateways. */
  send(who: string, chance: Chance, sent: Sent): Promise<Heard>
  sleep(milliseconds: number): Promise<void>
  /** Returns the number of faults so far. */
  faults(): number
  /** Returns the time of the machine's clock in milliseconds. */
  machineNow(): number
  jump(milliseconds: number): void
  kill(chance: Chance): void
  losePower(): void
  /** Ends all faults, and corrects the machine's clock. */
  heal(): void
  /** Waits until every gateway is running again. Fails the run if a gateway does not start. */
  whole(): Promise<void>
  /** Closes every gateway like a machine that is shut down. */
  close(): Promise<void>
  /** Ends the run, and drops everything that is scheduled. */
  end(): void
}

/** Modules that were loaded on the replaced machine, before any run begins. */
export interface Ground {
  readonly createGateway: CreateGateway
  /** Creates a database with tables for the run of a seed. */
  readonly newData: (seed: number) => Data
}

/** Milliseconds after which a client no longer waits for an answer. */
const FORGOTTEN_MS = 120_000

export const CONTROL_KEY = 'key-of-the-simulation'

/** Begins a simulation run. Its gateways are still opening. */
export function createSimulation({ createGateway, newData }: Ground, plan: Plan): Simulation {
  const chanceOf = (name: string) => createChance(`${plan.seed} ${name}`)
  const scheduler = createScheduler(runAs, () => rest())
  const { store, lay, leaseMs, isInjected } = newData(plan.seed)
  const story: Told[] = []
  let rates: Rates = plan.rates
  let ahead = 0
  let furthest = 0
  let jumpedAt = Number.NEGATIVE_INFINITY
  let faults = 0

  function tell(who: string, what: string) {
    story.push({ at: scheduler.now(), who, what })
    scheduler.note(`${who}: ${what}`)
  }
  const { promise: failed, reject: breakOff } = Promise.withResolvers<never>()
  const fail = (rule: string, message: string): never => {
    const violation = new Violation(rule, message)
    // The caller can be a gateway, which would catch a thrown error.
    breakOff(violation)
    throw violation
  }
  const machineNow = () => BEGINNING + Math.floor(scheduler.now()) + ahead

  const model = createModel({ store, fail, now: scheduler.now, jumpedAt: () => jumpedAt })
  const fixtures = drawFixtures(chanceOf('fixtures'), plan.fixtures)
  for (const order of fixtures.orders) model.ledger.orders.push(order)
  const current = () => rates
  const onFault = (what: string) => {
    faults += 1
    tell('database', what)
  }
  const rest = lay({ scheduler, chance: chanceOf('queries'), rates: current, onFault })
  const { call, mailServer } = createOutside({
    scheduler,
    chance: chanceOf('outside'),
    rates: current,
    heard(told) {
      const what = 'to' in told ? `to ${told.to}` : told.attempt
      tell('webhook', `${told.id} ${what} of ${told.process}: ${told.answer ?? 'cut'}`)
      model.webhooks.heard(told)
    },
  })
  beginSimulation({ scheduler, chance: chanceOf('machine'), mailServer })

  const optionsOf = (name: string): GatewayOptions => ({
    database: store.target(),
    merchants: seeds(),
    ambient: { now: machineNow, randomBytes: chanceOf(name).bytes },
    control: CONTROL_KEY,
    webhooks: { call, smtp: 'smtp://mail.example' },
    ...(plan.fixtures > 0 && { fixtures: fixtures.file }),
    logger: { info() {}, warn() {}, error: (facts: object) => logged(name, facts) },
  })

  /**
   * Checks that an error that a gateway logs as unexpected follows from an injected fault of its
   * database.
   */
  function logged(name: string, facts: object) {
    const { err } = facts as { readonly err?: Error }
    tell(name, `logs ${err?.message}`)
    if (!err || !isInjected(err))
      fail('logs', `${name} has logged ${err?.stack ?? JSON.stringify(facts)}`)
  }

  const gateways = createGatewayPool({
    createGateway,
    scheduler,
    count: plan.gateways,
    optionsOf,
    tell,
    fail,
    isInjected,
    onEnd() {
      faults += 1
    },
  })

  async function send(who: string, chance: Chance, sent: Sent): Promise<Heard> {
    tell(who, [sent.method, sent.path, sent.body].filter(Boolean).join(' '))
    await scheduler.sleep(1 + chance.below(5))
    const [first, ...others] = gateways.living.values()
    if (!first || chance.happens(rates.requestLost)) return lost(who, false)
    const process = chance.pick([first, ...others])
    const { promise: forgotten, resolve: forget } = Promise.withResolvers<'forgotten'>()
    const timeLimit = scheduler.after(FORGOTTEN_MS, () => forget('forgotten'))
    const answered = await Promise.race([process.answer(sent), forgotten])
    timeLimit.cancel()
    if (answered === 'forgotten')
      return fail('answered', `${who} was never answered: ${sent.method} ${sent.path}`)
    await scheduler.sleep(1 + chance.below(5))
    if (!answered || chance.happens(rates.answerLost)) return lost(who, true)
    tell(who, `hears ${answered.status} ${answered.text.slice(0, 300)} of ${process.name}`)
    model.answered(sent, answered)
    return answered
  }

  function lost(who: string, wasSent: boolean): Heard {
    tell(who, 'hears nothing')
    return { lost: true, wasSent }
  }

  return {
    plan,
    scheduler,
    store,
    model,
    story,
    chance: chanceOf,
    tell,
    fail,
    leaseMs,
    failed,
    crashed: (error) => breakOff(new Violation('crash', String((error as Error)?.stack ?? error))),
    send,
    machineNow,
    faults: () => faults,
    sleep: (milliseconds) => scheduler.sleep(milliseconds),
    jump(milliseconds) {
      faults += 1
      ahead += milliseconds
      furthest = Math.max(furthest, ahead)
      jumpedAt = scheduler.now()
      tell('machine', `its clock jumps by ${milliseconds} ms`)
    },
    kill(chance) {
      const slot = chance.below(plan.gateways)
      gateways.end(slot, 'is killed', 1 + chance.below(5_000))
    },
    losePower() {
      tell('machine', 'loses its power')
      jumpedAt = scheduler.now()
      gateways.endAll('is gone', 1_000)
      store.losePower()
    },
    heal() {
      rates = NO_FAULTS
      // Leases follow the machine's clock. If it was set back, the leases of dead gateways last
      // longer by the same time.
      if (ahead !== furthest) jumpedAt = scheduler.now()
      ahead = furthest
      tell('simulation', 'is healed')
    },
    whole: gateways.whole,
    close: gateways.close,
    end() {
      gateways.abandon()
      store.remove()
    },
  }
}
