import { NotCheckedError } from '../errors.ts'
import type { PayerCard, Purchase } from '../purchase.ts'
import type { Stage } from '../stage.ts'

/** A situation from production, and the result that a shop must reach. */
export interface CheckCase {
  readonly name: string
  readonly done: string
  readonly must: string
  /** Why it happens in the field. */
  readonly why: string
  /** True: it touches clock, outcomes or faults, so no other case acts or waits meanwhile. */
  readonly isAlone?: true
  /** @param unrecorded the same stage, for steps that the story of the case leaves out */
  run(stage: Stage, unrecorded: Stage): Promise<void>
}

/** Results that several cases require. */
export const ONCE = 'The order is fulfilled once, with the paid amount and currency.'
export const NEVER = 'The order is not fulfilled.'

/**
 * Delivers the webhooks of a purchase. A shop without webhooks is checked only by its return
 * address.
 */
export const deliver = (stage: Stage, purchase: Purchase): Promise<unknown> =>
  ifAny(stage.webhooks.release(purchase))

/** Ignores a missing webhook, because some shops have none. */
export const ifAny = <Result>(delivering: Promise<Result>): Promise<Result | undefined> =>
  delivering.catch((error) => {
    if (error instanceof NotCheckedError) return undefined
    throw error
  })

/** Lets the payer pay and return, and delivers the webhooks. */
export async function payAndReturn(stage: Stage, purchase: Purchase): Promise<void> {
  await stage.payer.visit(await stage.payer.pay(purchase))
  await deliver(stage, purchase)
}

/** Runs `payAndReturn`, and checks that the order is fulfilled once. */
export async function mustPay(stage: Stage, purchase: Purchase): Promise<void> {
  await payAndReturn(stage, purchase)
  await stage.orders.mustBeFulfilledOnce(purchase)
}

/** Number of times that simultaneous messages are tried, each with another order. */
const RACES = 10

/** Runs simultaneous messages for several orders, and checks that each is fulfilled once. */
export async function race(stage: Stage, run: () => Promise<Purchase>): Promise<void> {
  const purchases: Purchase[] = []
  for (let round = 0; round < RACES; round++) purchases.push(await run())
  await stage.orders.mustBeFulfilledOnce(...purchases)
}

/** Makes a paid purchase about which the shop has received no webhook and no return. */
export async function buyAndPay(
  stage: Stage,
  card?: PayerCard,
): Promise<{ purchase: Purchase; back: string }> {
  const purchase = await stage.payer.buy()
  return { purchase, back: await stage.payer.pay(purchase, card) }
}

/** Returns the return address of a payment with other values in its query. */
export function withQuery(address: string, values: Readonly<Record<string, string>>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value)
  return url.href
}
