import type { TestGatewayOptions } from '../../helpers/gateway.ts'
import type { Sink } from '../../helpers/sink.ts'
import { openShop, type Shop } from '../webhooks/shop.ts'
import { type Row, row } from './rows.ts'

/** Creates the row of a statement about requests to a shop's server. */
export const sent = (says: string, holds: (shop: Shop) => Promise<void>): Row =>
  row(says, () => inShop({}, undefined, holds))

export async function inShop(
  options: TestGatewayOptions,
  sink: Sink | undefined,
  holds: (shop: Shop) => Promise<void>,
) {
  const shop = await openShop(options, undefined, sink)
  try {
    await holds(shop)
  } finally {
    await shop.close()
  }
}
