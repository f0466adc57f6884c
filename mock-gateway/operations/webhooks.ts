import { z } from 'zod'
import { GatewayError } from '../domain/errors/errors.ts'
import { formatProblems } from '../domain/schema-problems.ts'
import { pickTarget, readWebhook } from '../domain/webhook/request.ts'
import type { WebhookTemplate } from '../domain/webhook/template.ts'
import { webhookDelivery, webhookTemplate } from '../domain/webhook/template-schema.ts'
import { TRIGGERS } from '../domain/webhook/triggers.ts'
import { findRow } from '../storage/rows.ts'
import {
  changeOverrides,
  holdWebhooks,
  putTemplate,
  readOverrides,
  releaseWebhooks,
  removeTemplate,
  requireDelivery,
  requireTemplate,
} from '../webhooks/administer.ts'
import { sendTestWebhook } from '../webhooks/send-test.ts'
import { type InputErrors, type MerchantContext, operation, type Subject } from './operation.ts'
import { dataFormat, defineId, delivery, httpMethod, presentDelivery } from './shapes.ts'

/** Fields of a webhook as input. Its own reader checks them. */
const webhook = {
  type: z.string().nullish(),
  url: z.string().nullish().describe('Address that is called, such as http://localhost:3000/hook.'),
  http_method: httpMethod.optional(),
  data_format: dataFormat.optional(),
  email: z.string().nullish(),
}

const wrongWebhook = (explain: string) => new GatewayError('errors.webhook.invalid', { explain })

const TEST_WEBHOOK = operation({
  name: 'webhooks.test',
  route: 'POST /webhooks/test',
  does: 'Sends a test webhook of any trigger to an address, now',
  details: 'The webhook-id starts with msg_test_.',
  whose: 'first',
  input: z.object({
    trigger: z.enum(TRIGGERS).describe('Event of the webhook.'),
    ...webhook,
    transaction_id: defineId(
      'Id of the transaction in the body; by default the newest one that fits the trigger, or an example.',
    ),
  }),
  output: delivery,
  async run(sandbox, { trigger, transaction_id, ...fields }) {
    const parsed = readWebhook({ ...fields, trigger })
    if (!parsed.ok) throw wrongWebhook(parsed.why)
    const target = { ...pickTarget(parsed.value), trigger }
    const id = await sendTestWebhook(sandbox.work(), { target, transactionId: transaction_id })
    return presentDelivery(await requireDelivery(sandbox.webhooks, { id }))
  },
})

const shownTemplate = z
  .object({
    name: z.string().regex(/^[\w-]{1,64}$/),
    trigger: z.string(),
    type: z.string().nullable(),
    url: z.string().nullable(),
    http_method: httpMethod,
    data_format: dataFormat,
    email: z.string().nullable(),
    template_id: z.int().nullable().describe('Id of a mail template.'),
  })
  .meta({ id: 'WebhookTemplate' })

const writtenTemplate = {
  trigger: z.string().default('').describe('Event that sends the webhook.'),
  ...webhook,
  template_id: z.int().optional().describe('Id of a mail template.'),
}

const TEMPLATE_ERRORS: InputErrors = {
  unknown: 'errors.webhook_template.invalid',
  invalid: 'errors.webhook_template.invalid',
}

const wrongTemplate = (explain: string) =>
  new GatewayError('errors.webhook_template.invalid', { explain })

/** @throws errors.webhook_template.invalid (1510) */
export function readTemplate(given: Readonly<Record<string, unknown>>): WebhookTemplate {
  const parsed = webhookTemplate.safeParse(given)
  if (!parsed.success)
    throw wrongTemplate(`The template cannot be used: ${formatProblems(parsed.error)}.`)
  return parsed.data
}

const PUT_WEBHOOK_TEMPLATE = operation({
  name: 'webhooks.createTemplate',
  route: 'POST /webhooks/templates',
  does: 'Creates a webhook template, or replaces the template with the same name',
  whose: 'first',
  input: z.object({
    name: z.string().default('').describe('Letters, digits, _ and -.'),
    ...writtenTemplate,
  }),
  output: shownTemplate,
  errors: TEMPLATE_ERRORS,
  async run(sandbox, given) {
    const template = readTemplate(given)
    await putTemplate(sandbox.webhooks, sandbox.merchantId, template)
    return template
  },
})

const sending = z
  .object({
    delay: z.int().describe('Seconds until the first attempt.'),
    duplicates: z.int().describe('Number of additional copies of each webhook.'),
    duplicates_after: z.int().describe('Seconds until the copies are sent.'),
    reorder: z
      .boolean()
      .describe('true: delays every second event of a transaction by ten seconds.'),
    hold: z.boolean().describe('true: holds back all webhooks until you release them.'),
    hold_orders: z
      .array(z.string())
      .describe('Order ids of the payments whose webhooks are held back.'),
  })
  .meta({ id: 'Sending' })

const CHANGE_SENDING = operation({
  name: 'webhooks.setSending',
  route: 'PUT /webhooks/sending',
  does: 'Delays, duplicates or reorders webhooks',
  whose: 'first',
  input: webhookDelivery.extend({
    delay: webhookDelivery.shape.delay.describe('Seconds until the first attempt.'),
  }),
  output: sending,
  async run({ webhooks, merchantId }, chosen) {
    await changeOverrides(webhooks, merchantId, () => ({ delivery: chosen }))
    return chosen
  },
})

const held = z.object({
  payment_ref: z.string().optional(),
  transaction_id: defineId('Id of a transaction, instead of its payment_ref.'),
})

async function findRef(
  { database, merchantId }: MerchantContext,
  { transaction_id, payment_ref }: z.output<typeof held>,
): Promise<string | undefined> {
  if (transaction_id === undefined) return payment_ref
  const row = await findRow(database.db, 'transactions', merchantId, transaction_id)
  if (row?.payment_ref) return row.payment_ref
  throw new GatewayError('errors.transaction.not_found', {
    explain: `Merchant ${merchantId} has no such transaction.`,
  })
}

const nameInPath = { name: z.string() }

export const WEBHOOKS: Subject = {
  title: 'Webhooks',
  about: 'Hold and delay webhooks, send test webhooks, and edit webhook templates.',
  operations: [
    TEST_WEBHOOK,
    operation({
      name: 'webhooks.hold',
      route: 'POST /webhooks/hold',
      does: 'Holds back new webhooks, of one payment or of all',
      whose: 'first',
      input: held,
      output: sending,
      run: async (sandbox, which) =>
        holdWebhooks(sandbox.webhooks, sandbox.merchantId, await findRef(sandbox, which)),
    }),
    operation({
      name: 'webhooks.release',
      route: 'POST /webhooks/release',
      does: 'Sends the held webhooks, of one payment or of all, and stops holding them back',
      whose: 'first',
      input: held,
      output: z.object({
        released: z.int().describe('Number of webhooks that were sent.'),
      }),
      async run(sandbox, which) {
        const ref = await findRef(sandbox, which)
        return { released: await releaseWebhooks(sandbox.webhooks, sandbox.merchantId, ref) }
      },
    }),
    operation({
      name: 'webhooks.templates',
      route: 'GET /webhooks/templates',
      does: 'Lists the webhook templates that were created here',
      whose: 'first',
      output: z.array(shownTemplate),
      run: async ({ webhooks, merchantId }) =>
        (await readOverrides(webhooks, merchantId)).templates ?? [],
    }),
    PUT_WEBHOOK_TEMPLATE,
    operation({
      name: 'webhooks.template',
      route: 'GET /webhooks/templates/:name',
      does: 'Shows a webhook template',
      whose: 'first',
      input: z.object(nameInPath),
      output: shownTemplate,
      run: ({ webhooks, merchantId }, { name }) => requireTemplate(webhooks, merchantId, name),
    }),
    operation({
      name: 'webhooks.updateTemplate',
      route: 'PUT /webhooks/templates/:name',
      does: 'Changes a webhook template',
      whose: 'first',
      input: z.object({ ...nameInPath, ...writtenTemplate }),
      output: shownTemplate,
      errors: TEMPLATE_ERRORS,
      async run({ webhooks, merchantId }, given) {
        await requireTemplate(webhooks, merchantId, given.name)
        const template = readTemplate(given)
        await putTemplate(webhooks, merchantId, template)
        return template
      },
    }),
    operation({
      name: 'webhooks.deleteTemplate',
      route: 'DELETE /webhooks/templates/:name',
      does: 'Deletes a webhook template',
      whose: 'first',
      input: z.object(nameInPath),
      output: shownTemplate,
      async run({ webhooks, merchantId }, { name }) {
        const template = await requireTemplate(webhooks, merchantId, name)
        await removeTemplate(webhooks, merchantId, template.name)
        return template
      },
    }),
    operation({
      name: 'webhooks.sending',
      route: 'GET /webhooks/sending',
      does: 'Shows how webhooks are sent; null means the value of the settings',
      whose: 'first',
      output: sending.nullable(),
      run: async ({ webhooks, merchantId }) =>
        (await readOverrides(webhooks, merchantId)).delivery ?? null,
    }),
    CHANGE_SENDING,
  ],
}
