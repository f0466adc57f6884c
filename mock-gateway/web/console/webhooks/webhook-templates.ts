import type { WebhookTemplate } from '../../../domain/webhook/template.ts'
import { TRIGGERS } from '../../../domain/webhook/triggers.ts'
import type { Parameters } from '../../../parsing/parameters/parameters.ts'
import { findMerchant } from '../../../storage/merchants.ts'
import { removeTemplate, requireTemplate } from '../../../webhooks/administer.ts'
import { html } from '../../pages/html.ts'
import { type Cell, link, longText, plain } from '../parts/cells.ts'
import { type ConsoleProblem, type FormFields, filledIn } from '../parts/form-errors.ts'
import { buttonForm, datalist, foldedForm, formView } from '../parts/forms.ts'
import { runFromForm } from '../parts/operation-form.ts'
import { emptyState } from '../parts/problem.ts'
import { table } from '../parts/table.ts'
import {
  type ConsolePage,
  type ConsoleRedirect,
  type ConsoleView,
  type FormAction,
  type MerchantVisit,
  noPage,
  textsOf,
} from '../visit.ts'
import { targetOf } from './delivery-table.ts'
import { keysOf } from './webhook-keys.ts'

const section = 'webhook_templates'

/** Settings and templates of webhooks for all events (specification: Webhooks). */
export const WEBHOOK_TEMPLATE_PAGES: readonly ConsolePage<MerchantVisit>[] = [
  { path: '/webhook_templates', section, show: (visit) => list(visit) },
  {
    path: '/webhook_templates/:name',
    section,
    show: async (visit) => one(visit, asWritten(await ownTemplate(visit))),
  },
]

export const WEBHOOK_TEMPLATE_ACTS: readonly FormAction<MerchantVisit>[] = [
  {
    path: '/webhook_templates',
    section,
    act: (visit) => save(visit, 'webhooks.createTemplate', writtenIn(visit.parameters)),
    again: (visit, problem) => list(visit, { written: writtenIn(visit.parameters), problem }),
  },
  {
    path: '/webhook_templates/:name/change',
    section,
    act(visit) {
      const { name: _name, ...changed } = writtenIn(visit.parameters)
      return save(visit, 'webhooks.updateTemplate', changed)
    },
    async again(visit, problem) {
      const { name } = await ownTemplate(visit)
      return one(visit, { ...writtenIn(visit.parameters), name }, problem)
    },
  },
  {
    path: '/webhook_templates/:name/remove',
    async act({ merchant, named, dependencies }) {
      await removeTemplate(dependencies.webhooks, merchant.id, named.name ?? '')
      return { to: '/webhook_templates', done: 'removed' }
    },
  },
]

const SAVED: ConsoleRedirect = { to: '/webhook_templates', done: 'saved' }

async function save(
  visit: MerchantVisit,
  operation: string,
  written: Parameters,
): Promise<ConsoleRedirect> {
  await runFromForm(visit, operation, visit.merchant.id, written)
  return SAVED
}

/** @throws errors.webhook_template.not_found (1511) */
const ownTemplate = ({ merchant, named, dependencies }: MerchantVisit) =>
  requireTemplate(dependencies.webhooks, merchant.id, named.name ?? '')

const FIELDS = [
  'name',
  'trigger',
  'type',
  'url',
  'http_method',
  'data_format',
  'email',
  'template_id',
] as const
type TemplateTexts = Readonly<Record<(typeof FIELDS)[number], string>>

const writtenIn = (parameters: Parameters): TemplateTexts => textsOf(parameters, FIELDS)
const EMPTY: TemplateTexts = writtenIn({})

/** Keeps the type only for a receipt: otherwise the destination implies it. */
function asWritten(template: WebhookTemplate): TemplateTexts {
  const sent = Object.entries(template).map(([name, value]) => [name, String(value ?? '')])
  return {
    ...EMPTY,
    ...Object.fromEntries(sent),
    type: template.type === 'receipt' ? 'receipt' : '',
  }
}

/** Picks the fields of a test webhook. */
const pickTexts = ({ trigger, url, email, http_method, data_format }: TemplateTexts) => ({
  trigger,
  url,
  email,
  http_method,
  data_format,
})

/** Descriptions of the fields. */
const SHOWN: FormFields<(typeof FIELDS)[number]> = {
  name: {
    label: 'Name',
    help: 'Letters, digits, _ and -. The address of the template contains the name.',
    isRequired: true,
  },
  trigger: {
    label: 'Trigger',
    help: 'The event that sends the webhook.',
    list: 'triggers',
    isRequired: true,
  },
  type: {
    label: 'Send to',
    usual: '',
    kind: 'choice',
    words: [
      { choice: '', text: 'the URL or e-mail' },
      { choice: 'receipt', text: 'the payer, as a receipt' },
    ],
  },
  url: { label: 'URL', help: 'For example http://localhost:3000/hook' },
  email: {
    label: 'E-mail',
    help: 'For a receipt, this address replaces the payer’s address.',
    usual: '',
  },
  http_method: { label: 'Method', kind: 'choice', choices: ['post', 'get'], usual: 'post' },
  data_format: {
    label: 'Data format',
    kind: 'choice',
    choices: ['json', 'form_data', 'xml'],
    usual: 'json',
  },
  template_id: {
    label: 'Mail template',
    help: 'Id of a page template of the kind mail.',
    kind: 'number',
    usual: '',
  },
}

/** The name of an existing template is in the address of its page. */
const { name: _name, ...CHANGED } = SHOWN

/** Forms that are shown again with their values and problems. */
interface RefusedTemplate {
  readonly written?: TemplateTexts
  readonly problem?: ConsoleProblem
}

async function list(visit: MerchantVisit, refused: RefusedTemplate = {}): Promise<ConsoleView> {
  const { home, merchant, dependencies } = visit
  const kept = await findMerchant(dependencies.database.db, merchant.id)
  if (!kept) throw noPage()
  const { settings, webhook_overrides } = kept
  const heads = ['Name', 'Trigger', 'Target', 'Data format', 'Mail template']
  const templates = webhook_overrides.templates ?? []
  const keys = keysOf(merchant)
  return {
    title: 'Webhook templates',
    actions: html`<a class="button" href="${home}/webhooks/test">Send a test webhook</a>`,
    body: html`<p class="quiet">A template sends a webhook for every transaction or stored card
that matches its trigger, in addition to the webhooks sent with a transaction.</p>
${
  templates.length > 0
    ? table({
        heads,
        places: PLACES,
        rows: templates.map((template) =>
          rowOf(template, link(template.name, `${home}/webhook_templates/${template.name}`)),
        ),
      })
    : emptyState('No webhook templates yet.')
}
${foldedForm(
  'New template',
  formView({
    formToken: visit.formToken,
    to: `${home}/webhook_templates`,
    ...filledIn(SHOWN, refused.written ?? EMPTY, refused.problem ?? null),
    button: 'Add',
  }),
  refused.problem !== undefined,
)}
${triggerList}
<p><a href="${home}/controls#webhooks">Hold, duplicate, swap or delay webhooks</a> in the test controls.</p>
<h2>Signing keys</h2>
${
  keys.length > 0
    ? html`<ul class="plain">${keys.map(
        ({ text, number }) => html`<li><code>${text}</code>
${buttonForm(visit, `${home}/webhook_keys/${number}/remove`, 'Delete')}</li>`,
      )}</ul>`
    : html`<p>Webhooks are signed with a key that is derived from the merchant’s secret.</p>`
}
<p><a href="${home}/webhook_keys/new">Add a key</a>
<span class="quiet">With several keys, each webhook has one signature for each key.</span></p>
${
  settings.webhooks.length > 0
    ? html`<h2>Templates of the configuration</h2>
<p class="quiet">The start-up configuration defines them. Change them there.</p>
${table({
  heads,
  places: PLACES,
  rows: settings.webhooks.map((template) => rowOf(template, plain(template.name))),
})}`
    : null
}`,
  }
}

const triggerList = datalist(
  'triggers',
  TRIGGERS.map((trigger) => [trigger, trigger]),
)

const PLACES = ['first', 'first-end', 'second', null, null] as const

const rowOf = (template: WebhookTemplate, name: Cell): Cell[] => [
  name,
  plain(template.trigger),
  longText(targetOf(template)),
  plain(template.data_format),
  plain(template.template_id),
]

const one = (
  visit: MerchantVisit,
  template: TemplateTexts,
  problem: ConsoleProblem | null = null,
): ConsoleView => {
  const templates = `${visit.home}/webhook_templates`
  const at = `${templates}/${template.name}`
  const query = new URLSearchParams(pickTexts(template)).toString()
  const form = formView({
    formToken: visit.formToken,
    to: `${at}/change`,
    ...filledIn(CHANGED, template, problem),
    button: 'Save',
  })
  return {
    title: `Webhook template ${template.name}`,
    body: html`<p><a class="button" href="${visit.home}/webhooks/test?${query}">
Send a test webhook</a></p>
${form}
${triggerList}
${buttonForm(visit, `${at}/remove`, 'Delete this template')}
<p><a href="${templates}">All webhook templates</a></p>`,
  }
}
