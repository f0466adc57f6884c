import type { WebhookDelivery, WebhookTemplate } from '../../domain/webhook/template.ts'
import { TRIGGERS } from '../../domain/webhook/triggers.ts'
import { readDeliverySettings, readTemplate } from '../../parsing/control/webhooks.ts'
import type { Parameters } from '../../parsing/parameters/parameters.ts'
import { findMerchant } from '../../storage/merchants.ts'
import { needTemplate, override, putTemplate, removeTemplate } from '../../webhooks/administer.ts'
import { type Cell, link, longText, plain } from './cells.ts'
import { targetOf } from './deliveries.ts'
import { type FormFields, filledIn, orAgain, type Problem } from './refused-form.ts'
import { type Act, type MerchantVisit, noPage, type Onward, type Page, textsOf, type View } from './visit.ts'
import { keysOf } from './webhook-keys.ts'

const section = 'webhook_templates'

/** Webhooks of all that happens, by templates (specification: Webhooks), and how they are sent. */
export const WEBHOOK_TEMPLATE_PAGES: readonly Page<MerchantVisit>[] = [
  { path: '/webhook_templates', section, show: (visit) => list(visit) },
  {
    path: '/webhook_templates/:name',
    section,
    show: async (visit) => one(visit, asWritten(await ownTemplate(visit))),
  },
]

export const WEBHOOK_TEMPLATE_ACTS: readonly Act<MerchantVisit>[] = [
  {
    path: '/webhook_templates',
    section,
    async act(visit) {
      const written = writtenIn(visit.parameters)
      const put = () => save(visit, readTemplate(withoutEmpty(written)))
      return orAgain(visit, put, (problem) => list(visit, { written, problem }))
    },
  },
  {
    path: '/webhook_templates/:name/change',
    section,
    async act(visit) {
      const { name } = await ownTemplate(visit)
      const written = { ...writtenIn(visit.parameters), name }
      const put = () => save(visit, readTemplate(withoutEmpty(written), name))
      return orAgain(visit, put, async (problem) => one(visit, written, problem))
    },
  },
  {
    path: '/webhook_templates/:name/remove',
    async act({ merchant, named, dependencies }) {
      await removeTemplate(dependencies.webhooks, merchant.id, named.name ?? '')
      return { to: '/webhook_templates', done: 'removed' }
    },
  },
  {
    path: '/webhook_sending',
    section,
    async act(visit) {
      const sending = textsOf(visit.parameters, [
        'delay',
        'duplicates',
        'duplicates_after',
        'reorder',
        'hold',
        'hold_orders',
      ])
      async function put(): Promise<Onward> {
        await override(visit.dependencies.webhooks, visit.merchant.id, { delivery: readDeliverySettings(sending) })
        return SAVED
      }
      return orAgain(visit, put, (sendingProblem) => list(visit, { sending, sendingProblem }))
    },
  },
]

const SAVED: Onward = { to: '/webhook_templates', done: 'saved' }

async function save({ merchant, dependencies }: MerchantVisit, template: WebhookTemplate): Promise<Onward> {
  await putTemplate(dependencies.webhooks, merchant.id, template)
  return SAVED
}

/** @throws errors.webhook_template.not_found (1511) */
const ownTemplate = ({ merchant, named, dependencies }: MerchantVisit) =>
  needTemplate(dependencies.webhooks, merchant.id, named.name ?? '')

const FIELDS = ['name', 'trigger', 'type', 'url', 'http_method', 'data_format', 'email', 'template_id'] as const
type Written = Readonly<Record<(typeof FIELDS)[number], string>>

const writtenIn = (parameters: Parameters): Written => textsOf(parameters, FIELDS)
const EMPTY: Written = writtenIn({})

/** Of the types only a receipt is said: the others follow from where it goes. */
function asWritten(template: WebhookTemplate): Written {
  const sent = Object.entries(template).map(([name, value]) => [name, String(value ?? '')])
  return { ...EMPTY, ...Object.fromEntries(sent), type: template.type === 'receipt' ? 'receipt' : '' }
}

/** What a test of it is filled in with. */
const pickTexts = ({ trigger, url, email, http_method, data_format }: Written) => ({
  trigger,
  url,
  email,
  http_method,
  data_format,
})

/** What stands in no field was not sent, but for those that every template has. */
const withoutEmpty = ({ name, trigger, ...others }: Written): Parameters => ({
  name,
  trigger,
  ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== '')),
})

/** What each field is for. */
const SHOWN: FormFields<(typeof FIELDS)[number]> = {
  name: { label: 'Name', help: 'Letters, digits, _ and -. It is in the address of the template.', isRequired: true },
  trigger: { label: 'Trigger', help: 'What it waits for.', list: 'triggers', isRequired: true },
  type: {
    label: 'Goes to',
    kind: 'choice',
    words: [
      { choice: '', text: 'the URL or e-mail' },
      { choice: 'receipt', text: 'the payer, as a receipt' },
    ],
  },
  url: { label: 'URL', help: 'Such as http://localhost:3000/hook' },
  http_method: { label: 'Method', kind: 'choice', choices: ['post', 'get'] },
  data_format: { label: 'Data format', kind: 'choice', choices: ['json', 'form_data', 'xml'] },
  email: { label: 'or e-mail', help: 'Of a receipt: instead of the payer’s.' },
  template_id: { label: 'Mail template', help: 'The number of a page template that is a mail.', kind: 'number' },
}

/** The name is in the address of one that is changed. */
const { name: _name, ...CHANGED } = SHOWN

const SENDING: FormFields<keyof WebhookDelivery> = {
  delay: { label: 'Seconds before the first attempt', kind: 'number' },
  duplicates: { label: 'Times that each comes again', kind: 'number' },
  duplicates_after: { label: 'Seconds before it comes again', kind: 'number' },
  reorder: {
    label: 'Order',
    kind: 'choice',
    words: [
      { choice: 'false', text: 'as it happened' },
      { choice: 'true', text: 'every other one 10 seconds late' },
    ],
  },
  hold: {
    label: 'Hold',
    kind: 'choice',
    words: [
      { choice: 'false', text: 'send each when it is due' },
      { choice: 'true', text: 'hold each until it is released' },
    ],
  },
  hold_orders: { label: 'Hold only these orders', help: 'Their payment_refs, with commas.' },
}

const textsIn = ({ delay, duplicates, duplicates_after, reorder, hold, hold_orders }: WebhookDelivery) => ({
  delay: String(delay),
  duplicates: String(duplicates),
  duplicates_after: String(duplicates_after),
  reorder: String(reorder),
  hold: String(hold === true),
  hold_orders: hold_orders.join(','),
})

/** Forms that come back as they were filled in, with what is wrong. */
interface Refused {
  readonly written?: Written
  readonly problem?: Problem
  readonly sending?: Readonly<Record<keyof WebhookDelivery, string>>
  readonly sendingProblem?: Problem
}

async function list({ home, merchant, dependencies }: MerchantVisit, refused: Refused = {}): Promise<View> {
  const kept = await findMerchant(dependencies.database.db, merchant.id)
  if (!kept) throw noPage()
  const { settings, webhook_overrides } = kept
  const sending = webhook_overrides.delivery ?? settings.webhook_delivery
  return {
    view: 'webhook_templates',
    title: 'Webhook templates',
    data: {
      heads: ['Name', 'Trigger', 'Target', 'Data format', 'Mail template'],
      rows: (webhook_overrides.templates ?? []).map((template) =>
        rowOf(template, link(template.name, `${home}/webhook_templates/${template.name}`)),
      ),
      of_settings: settings.webhooks.map((template) => rowOf(template, plain(template.name))),
      triggers: TRIGGERS,
      ...filledIn(SHOWN, refused.written ?? EMPTY, refused.problem ?? null),
      how_sent: filledIn(SENDING, refused.sending ?? textsIn(sending), refused.sendingProblem ?? null),
      keys: keysOf(merchant),
    },
  }
}

const rowOf = (template: WebhookTemplate, name: Cell): Cell[] => [
  name,
  plain(template.trigger),
  longText(targetOf(template)),
  plain(template.data_format),
  plain(template.template_id),
]

const one = ({ home }: MerchantVisit, template: Written, problem: Problem | null = null): View => ({
  view: 'webhook_template',
  title: `Webhook template ${template.name}`,
  data: {
    at: `${home}/webhook_templates/${template.name}`,
    test: `${home}/webhooks/test?${new URLSearchParams(pickTexts(template))}`,
    triggers: TRIGGERS,
    ...filledIn(CHANGED, template, problem),
  },
})
