import { z } from 'zod'
import { withoutCardNumbers } from '../card/numbers.ts'
import { readWebhook, targetOf, type WebhookTarget } from './request.ts'

/** A webhook for every transaction and stored card of a merchant (specification: Webhooks). */
export interface WebhookTemplate extends WebhookTarget {
  /** Unique for the merchant. */
  readonly name: string
  /** Number of the mail template; null: the standard mail. */
  readonly template_id: number | null
}

/** A webhook template as input: a name, and the fields of a webhook. */
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
 * Decodes input, and encodes every member for an export of fixtures. A card number in an address is
 * masked, as in the webhooks of a payment.
 */
export const webhookTemplate = z.codec(webhookTemplateInput, z.custom<WebhookTemplate>(), {
  decode({ name, template_id = null, ...webhook }, { issues }) {
    const read = readWebhook(webhook)
    if (read.ok) return { name, template_id, ...withoutCardNumbers(targetOf(read.value)) }
    issues.push({ code: 'custom', input: webhook, message: read.why.replace(/\.$/, '') })
    return z.NEVER
  },
  encode: (template) => ({ ...template }),
})

/**
 * Maximum number of templates of one merchant (our decision), because every event sends a request
 * for each.
 */
export const MOST_TEMPLATES = 20

export const webhookTemplates = z
  .array(webhookTemplate)
  .max(MOST_TEMPLATES)
  .refine(
    (all) => new Set(all.map(({ name }) => name)).size === all.length,
    'must have different names',
  )

/**
 * Disturbances of webhook delivery, to test a shop's handler. The defaults send each webhook
 * immediately, once and in order.
 */
export interface WebhookDelivery {
  /** Delay before the first attempt, in seconds. */
  delay: number
  /** Number of duplicates, with the same webhook-id. */
  duplicates: number
  /** Delay before the duplicates, in seconds. */
  duplicates_after: number
  /**
   * Delays every other event of a transaction by ten seconds, so that the next one overtakes it.
   */
  reorder: boolean
  /** Holds every webhook until it is released or sent by hand. */
  hold: boolean
  /** Payment references whose webhooks are held. */
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
 * Changes of a merchant's webhooks at run time; members that are absent have the value of the
 * settings.
 */
export interface WebhookOverrides {
  readonly templates?: readonly WebhookTemplate[]
  readonly delivery?: WebhookDelivery
}
