import type { Contract } from '../../mock-gateway/web/docs/contract.ts'
import { declareNames } from './names.ts'
import { declare, formatted } from './typescript.ts'

/** Schemas of the API's answers. */
const ANSWERED = [
  'Transaction',
  'Refund',
  'StoredCard',
  'Customer',
  'Plan',
  'Subscription',
  'Webhook',
  'Error',
]

/** Names of ours for parts of them. */
const PARTS = {
  TransactionStatus: "Transaction['status']",
  PaymentMethod: "Transaction['payment_method']",
  TransactionType: "NonNullable<Transaction['transaction_type']>",
  IntervalUnit: "Plan['interval_unit']",
  PlanStatus: "Plan['status']",
  WirePrices: "Plan['prices']",
  SubscriptionStatus: "Subscription['status']",
}

/** The declarations of all answers and of the types that they name, by name of schema. */
export function wireTypes(contract: Contract): ReadonlyMap<string, string> {
  const types = new Map([
    [
      'Metadata',
      '/** A free JSON object. */\nexport type Metadata = { readonly [key: string]: unknown }\n',
    ],
  ])
  const waiting = [...ANSWERED]
  for (const name of waiting)
    if (!types.has(name))
      types.set(name, declare(contract, name, contract.components.schemas[name] ?? {}, waiting))
  return types
}

/**
 * The source of `mock-gateway/contract/wire.ts`, from the contract: types of answers, and lists of
 * names.
 */
export const generateWire = (contract: Contract): string =>
  formatted(
    [
      '// Generated from openapi.yaml by `npm run generate`.',
      ...wireTypes(contract).values(),
      ...Object.entries(PARTS).map(([name, type]) => `export type ${name} = ${type}`),
      '',
      ...declareNames(contract),
    ].join('\n'),
  )
