import { drawRates, type Rates } from '../faults/rates.ts'
import { type Chance, createChance } from './chance.ts'

/** Kinds of clients. */
const CLIENTS = ['shop', 'payer', 'subscriber', 'administrator'] as const
export type ClientKind = (typeof CLIENTS)[number]

export interface ClientPlan {
  readonly kind: ClientKind
  /** Unique name of the client. */
  readonly name: string
  /** Id of the client's merchant. */
  readonly merchant: number
  /** Number of actions of the client. */
  readonly turns: number
}

/**
 * Everything that defines a run: the same plan gives the same run. Shrinking removes parts of the
 * plan.
 */
export interface Plan {
  readonly seed: number
  /** Number of gateways, which share one store. */
  readonly gateways: number
  readonly rates: Rates
  /** Number of payments at the start of the run. */
  readonly fixtures: number
  readonly clients: readonly ClientPlan[]
}

export const MERCHANTS = [1, 2] as const

/** Time of the machine's clock at which every run begins, in epoch milliseconds. */
export const BEGINNING = Date.UTC(2026, 0, 31, 9)

/**
 * Returns the plan of a seed.
 * @param most maximum number of turns for each client: a shorter run of the same plan
 */
export function planOf(seed: number, most = Number.POSITIVE_INFINITY): Plan {
  const chance = createChance(`plan ${seed}`)
  return {
    seed,
    gateways: Number(chance.weighed({ 1: 5, 2: 4, 3: 1, 4: 1 })),
    rates: drawRates(chance),
    fixtures: Number(chance.weighed({ 0: 3, 1: 1, 3: 1 })),
    clients: Array.from({ length: 2 + chance.below(4) }, (_, index) =>
      clientOf(chance, index, most),
    ),
  }
}

function clientOf(chance: Chance, index: number, most: number): ClientPlan {
  const kind = chance.weighed({ shop: 4, payer: 3, subscriber: 3, administrator: 3 })
  const merchant = chance.pick(MERCHANTS)
  return {
    kind,
    name: `${kind} ${index + 1}`,
    merchant,
    turns: Math.min(most, 4 + chance.below(8)),
  }
}
