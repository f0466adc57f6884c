import type { GatewayClient } from './gateway.ts'
import type { GatewayState } from './gateway-state.ts'
import type { ShopUnderCheck } from './plan.ts'
import type { Story } from './story.ts'
import type { CheckTime } from './time.ts'

/** Parts that a stage is made of. */
export interface StageParts {
  readonly gateway: GatewayClient
  readonly shop: ShopUnderCheck
  readonly state: GatewayState
  readonly story: Story
  readonly time: CheckTime
  /** Waits, and lets other cases act meanwhile. Only for steps one after the other. */
  readonly rest: (milliseconds: number) => Promise<unknown>
}
