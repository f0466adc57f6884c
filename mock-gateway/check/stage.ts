import type { GatewayClient } from './gateway.ts'
import type { GatewayState } from './gateway-state.ts'
import { createPayer, type Payer } from './payer.ts'
import type { ShopUnderCheck } from './plan.ts'
import type { Purchase } from './purchase.ts'
import type { Story } from './story.ts'
import type { CheckTime } from './time.ts'

/** Everything that the steps of a case act on. The webhooks of the merchant must be held. */
export interface Stage {
  readonly gateway: GatewayClient
  readonly shop: ShopUnderCheck
  readonly payer: Payer
  readonly state: GatewayState
  readonly story: Story
  readonly time: CheckTime
  /** Waits, and lets other cases act meanwhile. Only for steps one after the other. */
  readonly rest: (milliseconds: number) => Promise<unknown>
}

/** Step of a case with one purchase: an event, or a requirement. */
export type Action<Bought = Purchase> = (stage: Stage, bought: Bought) => Promise<unknown>

export function createStage(parts: Omit<Stage, 'payer'>): Stage {
  const { shop, gateway } = parts
  const payer = shop.createPayer?.(gateway.url) ?? createPayer(gateway.url, shop.timeout)
  return { ...parts, payer }
}

/** Joins actions to one that runs them in their order. */
export const joinActions =
  <Bought>(...actions: readonly Action<Bought>[]): Action<Bought> =>
  async (stage, bought) => {
    for (const act of actions) await act(stage, bought)
  }

/** Default of `quiet` in milliseconds. */
export const QUIET_MS = 1_000

/** Waits until the queue of a shop is empty. */
export const waitForQueue = ({ shop, rest }: Stage): Promise<unknown> =>
  rest(shop.quiet ?? QUIET_MS)
