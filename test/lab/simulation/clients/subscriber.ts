import { amountOf } from '../model/ledger.ts'
import type { Fields } from '../runs/merchants.ts'
import { callApi } from './calls.ts'
import { type Acting, type Acts, step, type Table } from './machine.ts'

type State = 'nothing' | 'plan' | 'card' | 'active' | 'over'
type Act = 'makePlan' | 'storeCard' | 'subscribe' | 'look' | 'debt' | 'cancel' | 'another'

/** Actions of shops by the state of a subscription. */
const SUBSCRIPTION: Table<State, Act> = {
  nothing: { makePlan: 1 },
  plan: { storeCard: 1 },
  card: { subscribe: 1 },
  active: { look: 2, debt: 1, cancel: 1, another: 3 },
  over: { another: 1 },
}

/** Terms of plans. */
const TERMS: Readonly<Record<string, Fields>> = {
  monthly: { interval_unit: 'months', interval: 1 },
  weekly: { interval_unit: 'days', interval: 7 },
  'every second day': { interval_unit: 'days', interval: 2 },
  trial: { interval_unit: 'months', interval: 1, trial_length: 3 },
  'three times': { interval_unit: 'days', interval: 3, total_periods: 3 },
}
const TERM_WEIGHTS = { monthly: 3, weekly: 3, 'every second day': 2, trial: 1, 'three times': 1 }

/**
 * Expiry dates, which decide recurring payments in test mode (specification: Test mode). With one
 * of three cards, every charge is declined.
 */
const EXPIRIES = { '1230': 2, '0137': 1 }

/** A shop's record of a subscription. */
interface Subscribing {
  state: string
  plan?: number
  card?: number
  subscription?: number
}

interface Made {
  readonly id: number
}

const made = async (acting: Acting, path: string, fields: Fields): Promise<number | undefined> => {
  const said = await callApi<Made>(acting, 'POST', path, fields)
  return said.kind === 'yes' ? said.body.id : undefined
}

const update = async (
  acting: Acting,
  method: 'PUT' | 'DELETE' | 'GET',
  { subscription }: Subscribing,
  fields?: Fields,
) =>
  (await callApi<Made>(acting, method, `/v1/subscriptions/${subscription}`, fields)).kind === 'yes'

const ACTS: Acts<State, Act, Subscribing> = {
  async makePlan(acting, own) {
    const { chance } = acting
    const price = amountOf(100 + chance.below(20_000))
    const terms = TERMS[chance.weighed(TERM_WEIGHTS)]
    own.plan =
      (await made(acting, '/v1/plans', {
        name: 'A plan',
        prices: JSON.stringify({ sek: price }),
        ...terms,
      })) ?? 0
    return own.plan ? 'plan' : 'nothing'
  },
  async storeCard(acting, own) {
    const card = {
      card_number: '4111111111111111',
      card_holder: 'Anna Andersson',
      card_cvv: '200',
      card_type: 'VISA',
    }
    const fields = {
      ...card,
      card_expiry: acting.chance.weighed(EXPIRIES),
      currency: 'sek',
      test: true,
    }
    own.card = (await made(acting, '/v1/stored_cards', fields)) ?? 0
    return own.card ? 'card' : 'plan'
  },
  async subscribe(acting, own) {
    const fields = {
      plan_id: own.plan,
      stored_card_id: own.card,
      quantity: 1 + acting.chance.below(3),
    }
    own.subscription = (await made(acting, '/v1/subscriptions', fields)) ?? 0
    return own.subscription ? 'active' : 'card'
  },
  async look(acting, own) {
    await callApi(acting, 'GET', `/v1/subscriptions/${own.subscription}/transactions`)
    return (await update(acting, 'GET', own)) ? 'active' : 'active'
  },
  async debt(acting, own) {
    await update(acting, 'PUT', own, { debt: amountOf(acting.chance.below(3_000)) })
    return 'active'
  },
  cancel: async (acting, own) => ((await update(acting, 'DELETE', own)) ? 'over' : 'active'),
  another: async (_acting, own) => (own.plan ? 'plan' : 'nothing'),
}

export const newSubscriber = (): Subscribing => ({ state: 'nothing' })

/** Runs a turn of a shop that sells subscriptions. */
export const subscriberTurn = (own: Subscribing) => (acting: Acting) =>
  step(SUBSCRIPTION, ACTS, acting, own)
