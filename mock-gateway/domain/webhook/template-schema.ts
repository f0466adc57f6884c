import { z } from 'zod'
import { removeCardNumbers } from '../card/numbers.ts'
import { parseList } from '../schema-problems.ts'
import { pickTarget, readWebhook } from './request.ts'
import { MOST_TEMPLATES, UNDISTURBED, type WebhookTemplate } from './template.ts'

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
    const parsed = readWebhook(webhook)
    if (parsed.ok) return { name, template_id, ...removeCardNumbers(pickTarget(parsed.value)) }
    issues.push({ code: 'custom', input: webhook, message: parsed.why.replace(/\.$/, '') })
    return z.NEVER
  },
  encode: (template) => ({ ...template }),
})

export const webhookTemplates = parseList(webhookTemplate)
  .max(MOST_TEMPLATES)
  .refine(
    (all) => new Set(all.map(({ name }) => name)).size === all.length,
    'must have different names',
  )

export const webhookDelivery = z.strictObject({
  delay: z.int().min(0).max(86_400).default(UNDISTURBED.delay),
  duplicates: z.int().min(0).max(5).default(UNDISTURBED.duplicates),
  duplicates_after: z.int().min(0).max(86_400).default(UNDISTURBED.duplicates_after),
  reorder: z.boolean().default(UNDISTURBED.reorder),
  hold: z.boolean().default(UNDISTURBED.hold),
  hold_orders: parseList(z.string().min(1).max(64)).max(1_000).default(UNDISTURBED.hold_orders),
})
