import { z } from 'zod'
import { CALLS, type Calls } from '../../client/calls.ts'
import { type Control, type ControlParameters, callRoute } from '../../client/control.ts'
import type { Operations } from '../../client/operations.ts'
import { pickHashedParts } from '../../domain/order/hash.ts'
import { diagnoseHash } from '../../domain/order/hash-diagnosis.ts'
import { listFields } from '../../operations/read-input.ts'
import { getOperation, listAllOperations } from '../../operations/table.ts'
import { findLastRejection } from '../last-rejection.ts'

/** The merchant of the tools, and their rights: the rights of the control key. */
export interface ToolContext {
  /** Address of the gateway, without a trailing slash. */
  readonly url: string
  readonly client: Calls
  readonly control: Control & Operations
  readonly merchant: { readonly id: number; readonly password: string; readonly secret: string }
}

/** A tool of the assistant. */
export interface Tool {
  readonly description: string
  readonly input: z.ZodRawShape
  run(context: ToolContext, input: unknown): Promise<unknown>
}

const defineTool = <Shape extends z.ZodRawShape>(
  description: string,
  input: Shape,
  run: (context: ToolContext, input: z.output<z.ZodObject<Shape>>) => Promise<unknown>,
): Tool => ({
  description,
  input,
  run: (context, given) => run(context, z.object(input).parse(given)),
})

const id = z.int().positive()

const order = {
  payment_ref: z.string().min(1).max(64).describe('Order id of the merchant.'),
  amount: z.string().describe('Amount with two decimals, such as 10.00.'),
  currency: z.string().default('sek'),
  customer_ref: z.string().optional(),
  test: z.boolean().default(true),
}

/** The tools, by name; `docs/reference/command.md` has them all. */
export const TOOLS: Readonly<Record<string, Tool>> = {
  pay: defineTool(
    'Pays with a test card. A declined payment returns its error and explanation. With plan_id and store_card, starts a subscription.',
    {
      ...order,
      payment_ref: order.payment_ref.optional(),
      amount: order.amount.default('10.00'),
      card_number: z
        .string()
        .default('4111111111111111')
        .describe('A test card, see docs/reference/api.md.'),
      card_cvv: z.string().default('200').describe('200 is approved, 201 is declined.'),
      plan_id: id.optional(),
      store_card: z.boolean().optional(),
      authorize: z.boolean().optional().describe('true reserves the amount; capture it later.'),
    },
    ({ client }, { payment_ref = `mcp-${crypto.randomUUID().slice(0, 8)}`, ...fields }) =>
      client.createTransaction({
        ...fields,
        payment_ref,
        card_holder: 'Kim Berg',
        card_expiry: '1230',
      }),
  ),
  call: defineTool(
    'Makes any API call. operation is its operationId in /openapi.json, such as createPlan, createRefund or listTransactions.',
    {
      operation: z.enum(Object.keys(CALLS) as [keyof Calls, ...(keyof Calls)[]]),
      id: z.union([id, z.string()]).optional().describe('The id or token in the path of the call.'),
      parameters: z.record(z.string(), z.json()).default({}),
    },
    async ({ client }, { operation, id: named, parameters }) => {
      const call: (...args: never[]) => unknown = client[operation]
      const isNamed = CALLS[operation].path.includes('{')
      const answer = await Reflect.apply(call, client, isNamed ? [named, parameters] : [parameters])
      return CALLS[operation].answers === 'list'
        ? (answer as ReturnType<Calls['listPlans']>).page()
        : answer
    },
  ),
  control: defineTool(
    `Controls the sandbox. Without merchant_id in the input, an operation applies to your merchant. Operations: ${listOperations()}`,
    {
      operation: z.enum(listAllOperations().map(({ name }) => name)),
      input: z.record(z.string(), z.json()).default({}),
    },
    ({ control, merchant }, { operation, input }) => {
      const { route, whose } = getOperation(operation)
      const owner = whose === 'none' ? {} : { merchant_id: merchant.id }
      return callRoute(control, route, { ...owner, ...(input as ControlParameters) })
    },
  ),
  explain_last_rejection: defineTool(
    'Returns the newest rejected request: its call, its error, the mistake and the fix.',
    {},
    async (context) => (await findLastRejection(context)) ?? NO_REJECTION,
  ),
  hash_doctor: defineTool(
    'Explains why a hash is wrong: tests the usual mistakes, also in pairs, and names the mistake.',
    { ...order, hash: z.string().describe('The hash that was sent.') },
    async ({ merchant }, { hash: sent, ...fields }) => {
      const request = pickHashedParts(merchant.id, fields)
      const mistaken = { 'the password': merchant.password }
      const found = diagnoseHash({ request, sent, secret: merchant.secret, mistaken }, 'all')
      return { wrong: found, ...(found.length > 0 ? {} : { note: NO_USUAL_MISTAKE }) }
    },
  ),
  story: defineTool(
    "Returns the timeline of a payment: requests, the bank's answer and its reason, 3-D Secure, webhooks with every attempt, mails, possible next steps, and warnings. Contains no secrets.",
    { transaction_id: id },
    async ({ client, control }, { transaction_id }) => {
      // Another merchant's is not there.
      const { id: own } = await client.getTransaction(transaction_id)
      return control.stories.show({ id: `${own}.json` })
    },
  ),
  deliveries: defineTool(
    'Lists sent and pending webhooks with every attempt, newest first.',
    {
      status: z.enum(['pending', 'delivered', 'failed', 'dead']).optional(),
      trigger: z.string().optional(),
      transaction_id: id.optional(),
      limit: z.int().min(1).max(20).default(5),
    },
    async ({ control: { deliveries }, merchant }, filter) => {
      const rows = await deliveries.list({ merchant_id: merchant.id, ...filter })
      return Promise.all(rows.map(({ id: each }) => deliveries.show({ id: each })))
    },
  ),
}

/** Describes every operation in one line, such as `faults.remove(id): Deletes one fault`. */
function listOperations(): string {
  const lines = listAllOperations().map((each) => {
    const names = listFields(each).map(({ name, isRequired }) => (isRequired ? name : `${name}?`))
    return `${each.name}(${names.join(', ')}): ${each.does}.`
  })
  return lines.join('\n')
}

const NO_REJECTION = { note: 'No request of this merchant was rejected.' }
const NO_USUAL_MISTAKE =
  'The hash is right, or it has none of the usual mistakes. If your signed text is right, the secret is probably wrong.'
