import type { OrderEvent, OrderView } from './order-view.ts'

/** Address of the gateway, and the account that the shop uses. */
export interface CheckedGateway {
  readonly url: string
  readonly controlKey: string
  readonly merchant: { readonly id: number; readonly password: string }
  /** Calls the gateway without a port. Default: over HTTP. */
  readonly ask?: (call: Request) => Promise<Response>
}

/** The case cannot be checked with this shop or plan; the message says why. */
export class NotCheckedError extends Error {}

/** A mistake of the shop. */
export class ShopFault extends Error {}

/** A purchase in the shop: its payment page is open, nothing is paid. */
export interface Purchase {
  readonly id: number
  readonly paymentRef: string
  readonly page: string
  readonly amount: string
  readonly currency: string
  readonly successUrl: string
}

/** Kind of test card: the bank approves, declines, or asks the payer first (3-D Secure). */
export type PayerCard = 'approved' | 'declined' | 'asked'

export type DeliveryOrder = 'oldest first' | 'newest first'

/**
 * A fault of the gateway's answers to the shop, as `/_control/faults` takes it. Default: the next
 * request that prepares a payment.
 */
export interface StageFault {
  readonly kind: string
  readonly method?: 'GET' | 'POST'
  readonly milliseconds?: number
  /** 0: until it is ended. */
  readonly times?: number
}

/** Actions of a case. */
export interface StageActions {
  buy(): Promise<Purchase>
  /** Starts a purchase that may fail. */
  tryToBuy(): Promise<void>
  /** Opens another payment page for an order, as the plan's `retry` says. */
  buyAgain(purchase: Purchase): Promise<Purchase>
  /** Buys with a reservation, as the plan's `reserve` says. */
  reserve(): Promise<Purchase>
  /** Begins a subscription, as the plan's `subscribe` says. */
  subscribe(): Promise<Purchase>
  /** Changes an order, as the plan's `change` says. */
  change(purchase: Purchase): Promise<void>
  /**
   * Pays on the payment page.
   * @param copies number of copies of each webhook
   * @returns the address that the payer is redirected to: the shop's, or the bank's
   */
  pay(purchase: Purchase, card?: PayerCard, copies?: number): Promise<string>
  /**
   * Answers at the bank.
   * @returns the address that the payer is redirected to
   */
  answerBank(address: string, answer: 'right' | 'cancel'): Promise<string>
  /** Changes the amount that the payer pays for an order, without the shop. */
  changePayment(
    purchase: Purchase,
    fields: { readonly amount?: string; readonly currency?: string },
  ): Promise<void>
  /** The payer arrives at an address and follows redirects. */
  visit(address: string): Promise<void>
  /**
   * Releases webhooks of a purchase that are held or were answered with an error, one after the
   * other.
   */
  release(purchase: Purchase, order?: DeliveryOrder): Promise<void>
  /** Releases held webhooks of a purchase in parallel. @param apart milliseconds between them */
  releaseTogether(purchase: Purchase, apart: number): Promise<void>
  /**
   * Delivers the webhooks about one event of a purchase, or delivers them again.
   * @param place of the event: 0 is the first, -1 the last
   * @returns whether the shop accepted them
   */
  arrive(purchase: Purchase, place: number): Promise<boolean>
  /** Deletes the held webhooks of a purchase, as if they were lost. */
  lose(purchase: Purchase): Promise<void>
  resend(purchase: Purchase): Promise<void>
  /**
   * Sends altered copies of the webhooks of a purchase. @param change names of alterations with
   * commas
   */
  alter(purchase: Purchase, change: string, paymentRef?: string): Promise<void>
  refund(purchase: Purchase, amount: string): Promise<void>
  /** Captures a reservation; the bank declines it after an hour. */
  captureInVain(purchase: Purchase): Promise<void>
  /**
   * Moves the merchant's clock.
   * @param outcomes the bank's answers to the next charges
   */
  passTime(time: { readonly days: number }, outcomes?: readonly string[]): Promise<void>
  /** Gives a subscription another card. */
  changeCard(purchase: Purchase): Promise<void>
  /** Deletes the card of a subscription. */
  removeCard(purchase: Purchase): Promise<void>
  /** Cancels a subscription, and sets the merchant's clock back. */
  endSubscription(purchase: Purchase): Promise<void>
  /** Begins a fault. @returns ends it */
  fault(fault: StageFault): Promise<() => Promise<void>>
}

/** Questions and requirements of a case. */
export interface StageRequirements {
  /** Payments of a subscription that the gateway has made, the oldest first, without the first. */
  charges(purchase: Purchase): Promise<readonly (Purchase & { readonly status: string })[]>
  see(purchase: Purchase): Promise<OrderView>
  /** A message changed nothing of the order. */
  mustBeAs(before: OrderView, purchase: Purchase): Promise<void>
  /** Asserts that the order is paid and fulfilled once, with the paid amount. */
  mustBeFulfilledOnce(purchase: Purchase): Promise<void>
  /**
   * Asserts the same with one read of the order, for a shop that has answered everything.
   * @param refunded amount that the order shows as refunded, if the plan shows it
   */
  mustBeSettled(purchase: Purchase, refunded: string | undefined): Promise<void>
  /** The order is fulfilled so often. */
  mustBeFulfilled(purchase: Purchase, times: number): Promise<void>
  /** The order shows the paid amount, if it is fulfilled. */
  mustBeAsPaid(purchase: Purchase): Promise<void>
  mustNotBeFulfilled(purchase: Purchase): Promise<void>
  mustNotBePaid(purchase: Purchase): Promise<void>
  /** Asserts that only one of several payments of an order took money. */
  mustBePaidOnce(purchases: readonly Purchase[]): Promise<void>
  mustBeRefunded(purchase: Purchase, amount: string): Promise<void>
}

export interface Stage extends StageActions, StageRequirements {
  /** Events whose orders are all tried. */
  readonly events: readonly OrderEvent[]
}
