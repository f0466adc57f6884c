import { z } from 'zod'
import { hasControlCharacters, isLongerThan } from '../domain/characters.ts'
import { badFormat, GatewayError } from '../domain/errors/errors.ts'
import { readCurrency } from '../domain/money/currencies.ts'
import { requirePayableAmount } from '../domain/money/money.ts'
import { isNumbered, readRefPattern } from '../domain/order/payment-link.ts'
import { readReturnUrl } from '../parsing/order-fields.ts'
import { readPlanId } from '../parsing/subscription-order.ts'
import {
  type CountedLink,
  createPaymentLink,
  endPaymentLink,
  findCountedLinks,
  requirePaymentLink,
} from '../payments/payment-links.ts'
import { presentPaymentLink } from '../serializers/resources.ts'
import { findAll } from '../storage/rows.ts'
import type { Work } from '../work/work.ts'
import { operation, type Subject } from './operation.ts'
import { at, idInPath, page, time, wholeNumber } from './shapes.ts'

const link = z
  .object({
    id: z.int().min(1),
    created_at: time,
    merchant_id: z.int().min(1),
    url: z
      .url()
      .regex(/\/pay\/[2-9a-kmnp-z]{12}$/)
      .describe('Address of the payment link, for the payer.'),
    status: z.enum(['active', 'used_up', 'expired', 'closed']),
    amount: z.string().regex(/^\d+\.\d\d$/),
    currency: z.string().regex(/^[a-z]{3}$/),
    payment_ref: z.string(),
    description: z.string().describe('Empty if there is no description.'),
    plan_id: z.int().nullable(),
    test: z.boolean(),
    success_url: z.string().nullable(),
    error_url: z.string().nullable(),
    expires_at: time.nullable(),
    uses: z.int().describe('Number of payments that the link accepts; 0: any number.'),
    used: z.int().describe('Number of its payments that are paid or in progress.'),
    closed_at: time.nullable(),
  })
  .meta({ id: 'PaymentLink' })

const show = (row: CountedLink, { addresses, now }: Work) => presentPaymentLink(row, addresses, now)

/** Limit of an item's description, which it becomes (specification: Item). */
const DESCRIPTION_LENGTH = 150

const input = z.object({
  amount: z
    .string()
    .meta({ examples: ['100.00'] })
    .optional(),
  currency: z
    .string()
    .meta({ examples: ['sek'] })
    .optional(),
  payment_ref: z
    .string()
    .optional()
    .meta({
      description:
        'Order id of the payments. {n} is the number of the payment; it is required if the link accepts several payments.',
      examples: ['order-{n}'],
    }),
  description: z
    .string()
    .refine(
      (text) => !isLongerThan(text, DESCRIPTION_LENGTH) && !hasControlCharacters(text),
      `may have at most ${DESCRIPTION_LENGTH} characters on one line`,
    )
    .default('')
    .describe('Description of the purchase; it becomes the item of each payment.'),
  plan_id: z.string().optional().meta({
    type: 'integer',
    description: 'Each payment starts a subscription for this plan.',
  }),
  test: z.boolean().default(true),
  success_url: z.string().optional().describe('Address for the payer after the payment.'),
  error_url: z.string().optional(),
  expires_at: at.optional().describe('The link accepts payments until then.'),
  uses: wholeNumber(0, 1_000_000)
    .default(1)
    .describe('Number of payments that the link accepts; 0: any number.'),
})

/**
 * Reads the terms of a link: by default one test payment.
 * @throws errors.amount.*, errors.currency.*, errors.payment_ref.invalid (also without `{n}` if the
 *   link takes several payments), errors.plan.invalid, errors.success_url.* and errors.error_url.*
 */
function readTerms(sent: z.output<typeof input>, { addresses, now }: Work) {
  const plan_id = readPlanId({ plan_id: sent.plan_id }) ?? null
  const currency = readCurrency(sent.currency)
  const payment_ref = sent.payment_ref === undefined ? undefined : readRefPattern(sent.payment_ref)
  if (payment_ref !== undefined && sent.uses !== 1 && !isNumbered(payment_ref))
    throw new GatewayError('errors.payment_ref.invalid', {
      explain:
        'Each order can be paid only once. If the link has several uses, put {n} into payment_ref, such as order-{n}.',
    })
  const expires_at = sent.expires_at ?? null
  if (expires_at !== null && expires_at <= now) throw badFormat('expires_at must be in the future.')
  return {
    amount: requirePayableAmount(sent.amount, currency, plan_id === null ? 1 : 0),
    currency,
    payment_ref,
    description: sent.description,
    plan_id,
    test: sent.test,
    success_url: readReturnUrl(sent, 'success_url', addresses, undefined) ?? null,
    error_url: readReturnUrl(sent, 'error_url', addresses, undefined) ?? null,
    expires_at,
    uses: sent.uses,
  }
}

const CREATE_LINK = operation({
  name: 'links.create',
  route: 'POST /payment-links',
  does: 'Creates a payment link',
  whose: 'first',
  input,
  output: link,
  async run(sandbox, sent) {
    const work = sandbox.work()
    return show(await createPaymentLink(work, sandbox.mask(readTerms(sent, work))), work)
  },
})

const close = (route: 'POST /payment-links/:id/close' | 'DELETE /payment-links/:id') =>
  operation({
    name: route.startsWith('POST') ? 'links.close' : 'links.delete',
    route,
    does: route.startsWith('POST')
      ? 'Closes a payment link; its payments remain'
      : 'Closes a payment link, the same as links.close',
    whose: 'first',
    input: z.object(idInPath),
    output: link,
    async run(sandbox, { id }) {
      const work = sandbox.work()
      return show(await endPaymentLink(work, id), work)
    },
  })

export const PAYMENT_LINKS: Subject = {
  title: 'Payment links',
  about: 'Addresses where a payer pays a fixed amount.',
  operations: [
    operation({
      name: 'links.list',
      route: 'GET /payment-links',
      does: "Lists a merchant's payment links, the newest first",
      whose: 'first',
      input: z.object(page),
      output: z.array(link),
      async run(sandbox, part) {
        const work = sandbox.work()
        const rows = await findAll(
          work.queries,
          'payment_links',
          { merchant_id: work.merchant.id },
          { ...part, newestFirst: true },
        )
        return (await findCountedLinks(work.queries, rows)).map((each) => show(each, work))
      },
    }),
    CREATE_LINK,
    operation({
      name: 'links.show',
      route: 'GET /payment-links/:id',
      does: 'Shows a payment link',
      whose: 'first',
      input: z.object(idInPath),
      output: link,
      async run(sandbox, { id }) {
        const work = sandbox.work()
        return show(await requirePaymentLink(work, id), work)
      },
    }),
    close('POST /payment-links/:id/close'),
    close('DELETE /payment-links/:id'),
  ],
}
