import type { GatewayClient } from './gateway.ts'
import type { GatewayState } from './gateway-state.ts'
import { createPayer, type Payer } from './payer.ts'
import type { ShopUnderCheck } from './plan.ts'
import type { Purchase } from './purchase.ts'
import { createStory, type Recording, type Story } from './story.ts'
import type { CheckTime } from './time.ts'

/** Parts that all cases share. The webhooks of the merchant must be held. */
interface SharedParts {
  readonly gateway: GatewayClient
  readonly shop: ShopUnderCheck
  readonly state: GatewayState
  readonly time: CheckTime
  /** Waits, and lets other cases act meanwhile. Only for steps one after the other. */
  readonly rest: (milliseconds: number) => Promise<unknown>
}

/** Everything that the steps of a case act on. */
export interface Stage extends SharedParts {
  readonly payer: Payer
  readonly story: Story
}

/** Step of a case with one purchase: an event, or a requirement. */
export type Action<Bought = Purchase> = (stage: Stage, bought: Bought) => Promise<unknown>

export function createStage(parts: SharedParts, recording: Recording = {}): Stage {
  const { shop, gateway, time, state } = parts
  const payer = shop.createPayer?.(gateway.url) ?? createPayer(gateway.url, shop.timeout)
  return { ...parts, payer, story: createStory(shop, time, state.bought, recording) }
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
