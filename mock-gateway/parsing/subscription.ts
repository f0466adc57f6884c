import { GatewayError } from '../domain/errors/errors.ts'
import { readCustomerRef } from '../domain/identifiers.ts'
import { readCurrency } from '../domain/money/currencies.ts'
import type { CreateSubscription, UpdateSubscription } from '../subscriptions/commands.ts'
import { NAMED_CUSTOMER_FIELDS } from './customer.ts'
import { readMetadata } from './order-fields.ts'
import {
  flag,
  type Parameters,
  pick,
  readActiveOrCancelled,
  text,
} from './parameters/parameters.ts'
import type { Sender } from './request-hash.ts'
import {
  PLAN_ORDER_FIELDS,
  readPlanId,
  readQuantity,
  readSubscriptionOrder,
} from './subscription-order.ts'

/** Parameters of a new subscription (observed: 6.7). */
export const CREATE_SUBSCRIPTION_FIELDS = [
  ...PLAN_ORDER_FIELDS,
  'quantity',
  'metadata',
  'stored_card_id',
  ...NAMED_CUSTOMER_FIELDS,
  'currency',
  'test',
] as const

/**
 * @throws errors.plan.missing (1300), errors.metadata.invalid (2091), the errors of
 *   `readSubscriptionOrder`
 */
export function readCreateSubscription(
  parameters: Parameters,
  { now }: Pick<Sender, 'now'>,
): CreateSubscription {
  const sent = pick(parameters, CREATE_SUBSCRIPTION_FIELDS)
  const order = readSubscriptionOrder(sent, 'subscription', now)
  if (!order)
    throw new GatewayError('errors.plan.missing', {
      explain: 'plan_id is missing. Send the id of the plan.',
    })
  return {
    order,
    metadata: readMetadata(sent),
    readPayer() {
      const storedCardId = text(sent, 'stored_card_id')
      const currency = text(sent, 'currency')
      return {
        storedCardId,
        test: flag(sent, 'test'),
        currency: currency === undefined ? undefined : readCurrency(currency),
        customerId: text(sent, 'customer_id'),
        customerRef: readCustomerRef(text(sent, 'customer_ref')),
      }
    },
  }
}

/** Parameters of a changed subscription (observed: 6.7). */
export const UPDATE_SUBSCRIPTION_FIELDS = [
  'status',
  'plan_id',
  'subscription_quantity',
  'quantity',
  'debt',
  'stored_card_id',
  'metadata',
] as const

/** Reads a changed subscription; its changes are read after the subscription is found. */
export function readUpdateSubscription(
  id: number | undefined,
  parameters: Parameters,
): UpdateSubscription {
  const sent = pick(parameters, UPDATE_SUBSCRIPTION_FIELDS)
  return {
    id,
    readChanges: () => ({
      status: readActiveOrCancelled(
        text(sent, 'status'),
        'status must be cancelled. This cancels the subscription.',
      ),
      planId: readPlanId(sent),
      quantity: readQuantity(sent, 'subscription'),
      debt: text(sent, 'debt'),
      storedCardId: text(sent, 'stored_card_id'),
    }),
    readMetadata: () => ({ metadata: readMetadata(sent) }),
  }
}
