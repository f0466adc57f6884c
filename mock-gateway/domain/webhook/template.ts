import { z } from 'zod'
import { withoutCardNumbers } from '../card/numbers.ts'
import { readWebhook, targetOf, type WebhookTarget } from './request.ts'

/**
 * A webhook that a merchant's account has: for each of its transactions and stored cards
 * (specification: Webhooks).
 */
export interface WebhookTemplate extends WebhookTarget {
  /** Unlike the others of the merchant. */
  readonly name: string
  /** Number of the Liquid template that writes its mail; null: the mail that everybody has. */
  readonly template_id: number | null
}

/** A template as somebody writes it: a name, and the fields of a webhook. */
export interface WebhookTemplateInput {
  name: string
  trigger: string
  type?: string | null | undefined
  url?: string | null | undefined
  http_method?: string | null | undefined
  data_format?: string | null | undefined
  email?: string | null | undefined
  template_id?: number | null | undefined
}

const webhookTemplateInput = z.strictObject({
  name: z.string().regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -'),
  type: z.string().nullish(),
  trigger: z.string(),
  url: z.string().nullish(),
  http_method: z.string().nullish(),
  data_format: z.string().nullish(),
  email: z.string().nullish(),
  template_id: z.int().min(1).nullish(),
})

/**
 * Both ways: what was read is written, with every member, into an export of fixtures. A card number
 * in an address is masked, as in the webhooks of a payment.
 */
export const webhookTemplate = z.codec(webhookTemplateInput, z.custom<WebhookTemplate>(), {
  decode({ name, template_id = null, ...webhook }, { issues }) {
    const read = readWebhook(webhook)
    if (read.ok) return { name, template_id, ...withoutCardNumbers(targetOf(read.value)) }
    issues.push({ code: 'custom', input: webhook, message: read.why })
    return z.NEVER
  },
  encode: (template) => ({ ...template }),
})

/** Most templates of one account (our decision): each is a request to somebody for every event. */
export const MOST_TEMPLATES = 20

export const webhookTemplates = z
  .array(webhookTemplate)
  .max(MOST_TEMPLATES)
  .refine(
    (all) => new Set(all.map(({ name }) => name)).size === all.length,
    'must have different names',
  )

/**
 * How webhooks are sent otherwise than at once, once and in order, so that a shop's handler can be
 * tested.
 */
export interface WebhookDelivery {
  /** Seconds that pass before the first attempt. */
  delay: number
  /** How often each is sent again, with the same webhook-id. */
  duplicates: number
  /** Seconds that pass before it is sent again. */
  duplicates_after: number
  /** Every other event of a transaction waits ten seconds, so that the next overtakes it. */
  reorder: boolean
  /** Each waits until it is released or sent by hand. */
  hold: boolean
  /** References of payments whose webhooks wait. */
  hold_orders: string[]
}

export const webhookDelivery = z.strictObject({
  delay: z.int().min(0).max(86_400).default(0),
  duplicates: z.int().min(0).max(5).default(0),
  duplicates_after: z.int().min(0).max(86_400).default(0),
  reorder: z.boolean().default(false),
  hold: z.boolean().default(false),
  hold_orders: z.array(z.string().min(1).max(64)).max(1_000).default([]),
})

/**
 * What an account's webhooks are changed to while the gateway runs; what is left out is as in the
 * settings.
 */
export interface WebhookOverrides {
  readonly templates?: readonly WebhookTemplate[]
  readonly delivery?: WebhookDelivery
}
