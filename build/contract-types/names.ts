import { at, type Contract, part, type Schema } from '../../mock-gateway/web/docs/contract.ts'
import { formatted } from './typescript.ts'

/** Objects of the API whose field names the code reads. */
const LISTED = [
  'Transaction',
  'PaymentDetails',
  'StoredCard',
  'Customer',
  'Plan',
  'Subscription',
  'Refund',
  'Capture',
  'LogEvent',
  'Webhook',
  'DynamicWebhook',
] as const

/** The source of the lists of names, in the order of the contract. */
export function declareNames(contract: Contract): readonly string[] {
  const fields = LISTED.map(
    (name) => `${name}: [${quoted(namesIn(contract, `/components/schemas/${name}`))}],`,
  )
  const repeated = at<Schema>(
    contract,
    '/components/schemas/Transaction/properties/payment_request/propertyNames',
  ).value.enum as readonly string[]
  return [
    `/** Names of the fields of each object. */\nexport const FIELDS = {${fields.join('\n')}} as const\n`,
    constant('PAYMENT_REQUEST_FIELDS', 'Parameters that `payment_request` repeats', repeated),
  ]
}

/** The source of `sdk/shared/payment-parameters.ts`. */
export const generatePaymentParameters = (contract: Contract): string =>
  formatted(
    `// Generated from openapi.yaml by \`npm run generate\`.\n${constant(
      'NEW_TRANSACTION_PARAMETERS',
      'Parameters of a new transaction',
      namesIn(contract, '/components/schemas/NewTransaction'),
    )}`,
  )

const constant = (name: string, about: string, names: readonly string[]): string =>
  `/** ${about}. */\nexport const ${name} = [${quoted(names)}] as const\n`

const quoted = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ')

/** Names of the properties of a schema, including those that it takes over from other schemas. */
export function namesIn(contract: Contract, pointer: string): string[] {
  const { value, pointer: where } = at<Schema>(contract, pointer)
  const { properties = {}, allOf = [] } = value
  return [
    ...Object.keys(properties),
    ...[...allOf.keys()].flatMap((index) => namesIn(contract, `${where}/allOf${part(index)}`)),
  ]
}
