import { beforeClock, type ClockSaid, holdClock } from '../model/clock.ts'
import { type Fields, form } from '../runs/merchants.ts'
import { CONTROL_KEY, type Simulation } from '../runs/simulation.ts'
import { type Acting, type Acts, step, type Table } from './machine.ts'

type State = 'runs' | 'stands'
type Act = 'advance' | 'nextEvent' | 'freeze' | 'resume' | 'look' | 'outcome' | 'sendAgain'

/** Actions of administrators in the console and control API, by the state of their clock. */
const CLOCK: Table<State, Act> = {
  runs: { advance: 5, nextEvent: 3, freeze: 2, look: 1, outcome: 1, sendAgain: 1 },
  stands: { advance: 5, nextEvent: 3, resume: 2, look: 1, outcome: 1, sendAgain: 1 },
}

/** Durations of clock moves, in the format of the request. */
const SPANS: Readonly<Record<string, Fields>> = {
  month: { months: 1 },
  quarter: { months: 3 },
  week: { days: 7 },
  day: { days: 1 },
  hour: { seconds: 3_600 },
}
const SPAN_WEIGHTS = { month: 3, quarter: 1, week: 3, day: 3, hour: 1 }

interface Workbench {
  state: string
}

async function control<Body>(
  acting: Acting,
  method: string,
  path: string,
  fields?: Fields,
): Promise<Body | undefined> {
  const { simulation, plan, chance } = acting
  const headers = {
    'x-control-key': CONTROL_KEY,
    ...(fields && { 'content-type': 'application/x-www-form-urlencoded' }),
  }
  const heard = await simulation.send(plan.name, chance, {
    method,
    path: `/_control/${path}`,
    headers,
    body: fields && form(fields),
  })
  return heard.lost || heard.status !== 200 ? undefined : JSON.parse(heard.text)
}

/** Moves the common clock or the merchant's clock, and compares the report with the stored data. */
async function move(acting: Acting, path: string, fields: Fields): Promise<boolean> {
  const { simulation, plan, chance } = acting
  const { store, fail } = simulation
  const merchantId = chance.happens(0.3) ? plan.merchant : undefined
  const { moves } = simulation.model
  const before = beforeClock(store, merchantId)
  const faults = simulation.faults()
  const own = Symbol('move')
  for (const other of moves.keys()) moves.set(other, 'met')
  moves.set(own, moves.size === 0 ? 'alone' : 'met')
  const said = await control<ClockSaid>(acting, 'POST', `clock/${path}`, {
    ...fields,
    merchant_id: merchantId,
  })
  const isAlone = moves.get(own) === 'alone'
  moves.delete(own)
  // A move that a fault stopped is repeated later. If two moves meet, only one report is complete.
  if (said && isAlone && faults === simulation.faults())
    holdClock(store, fail, before, said, simulation.plan.gateways > 1)
  return said !== undefined
}

const ACTS: Acts<State, Act, Workbench> = {
  async advance(acting, { state }) {
    await move(acting, 'advance', SPANS[acting.chance.weighed(SPAN_WEIGHTS)] ?? {})
    return state as State
  },
  async nextEvent(acting, { state }) {
    await move(acting, 'advance', { until: 'next_event' })
    return state as State
  },
  freeze: async (acting) => ((await move(acting, 'freeze', {})) ? 'stands' : 'runs'),
  resume: async (acting) => ((await move(acting, 'resume', {})) ? 'runs' : 'stands'),
  async look(acting, { state }) {
    await control(acting, 'GET', 'webhooks/deliveries')
    return state as State
  },
  async outcome(acting, { state }) {
    await control(acting, 'POST', 'payments/next', {
      outcome: 'errors.payment.declined',
      merchant_id: acting.plan.merchant,
    })
    return state as State
  },
  async sendAgain(acting, { state }) {
    await control(acting, 'POST', 'webhooks/deliveries/send?status=failed', {})
    return state as State
  },
}

/** Runs a turn of an administrator. */
export const administratorTurn = (bench: Workbench) => (acting: Acting) =>
  step(CLOCK, ACTS, acting, bench)

export const newWorkbench = (): Workbench => ({ state: 'runs' })

/** Number of days that is longer than all retries of a webhook. */
const DAYS = 8

const DAY_MS = 86_400_000

/** Maximum number of attempts of 30 seconds each, which is longer than any shop takes to answer. */
const TRIES = 5

/** Moves every clock until no due work is left. */
export async function endOfTime(simulation: Simulation): Promise<void> {
  const plan = { kind: 'administrator', name: 'end of time', merchant: 0, turns: 0 } as const
  const acting = { simulation, plan, chance: simulation.chance(plan.name) }
  const owners = simulation.store.rows('select merchant_id from clocks where merchant_id > 0')
  for (const merchant_id of [undefined, ...owners.map((row) => Number(row.merchant_id))]) {
    // If a shop is slow, a clock move ends before all work is done, and reports that (control API:
    // the clock).
    let said: ClockSaid | undefined
    for (let tries = 0; tries < TRIES && !isAtRest(simulation, said); tries += 1)
      said = await control<ClockSaid>(acting, 'POST', 'clock/advance', {
        days: daysLeft(simulation, said),
        merchant_id,
      })
    if (!isAtRest(simulation, said)) simulation.fail('rest', 'A clock does not come to rest')
  }
}

/**
 * Returns true if only webhooks with a later date remain. With several gateways, a webhook can have
 * such a date during the second until its gateway knows the new clock.
 */
const datedAhead = ({ plan }: Simulation, said: ClockSaid | undefined) =>
  plan.gateways > 1 ? said?.next.find(({ kind }) => kind === 'webhook') : undefined

const isAtRest = (simulation: Simulation, said: ClockSaid | undefined) =>
  said?.quiet === true && datedAhead(simulation, said) === undefined

const daysLeft = (simulation: Simulation, said: ClockSaid | undefined) => {
  const ahead = datedAhead(simulation, said)
  return (
    DAYS + (said && ahead ? Math.ceil((Date.parse(ahead.at) - Date.parse(said.now)) / DAY_MS) : 0)
  )
}
