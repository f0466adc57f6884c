import type { WebhookTemplate } from '../../../domain/webhook/template.ts'
import { TRIGGERS } from '../../../domain/webhook/triggers.ts'
import { needMerchant } from '../../../merchants/administer.ts'
import { text } from '../../../parsing/parameters/parameters.ts'
import { requireTemplate } from '../../../webhooks/administer.ts'
import { html } from '../../pages/html.ts'
import { type CellValue, link, longText } from '../parts/cells.ts'
import { getAddress } from '../parts/filters.ts'
import { type FormFields, labelChoices, renderButtonForm } from '../parts/forms.ts'
import {
  buttonAct,
  changeSettings,
  formAct,
  formPage,
  type OperationForm,
  renderCreation,
  renderFoldedForm,
  renderOperationForm,
  renderShownOnce,
} from '../parts/operation-form.ts'
import { renderEmptyState } from '../parts/problem.ts'
import { fill, renderTable } from '../parts/table.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type FormAction,
  type MerchantVisit,
  noPage,
} from '../visit.ts'
import { formatTarget } from './deliveries.ts'

const path = '/webhook_templates'

const FORMAT = {
  http_method: { label: 'Method', choices: labelChoices(['post', 'get']), usual: 'post' },
  data_format: { choices: labelChoices(['json', 'form_data', 'xml']), usual: 'json' },
} satisfies FormFields

const CHANGED = {
  fields: {
    trigger: { suggestions: labelChoices(TRIGGERS), isRequired: true },
    url: { label: 'URL' },
  } satisfies FormFields,
  more: {
    type: {
      label: 'Send to',
      choices: { '': 'the URL or e-mail', receipt: 'the payer, as a receipt' },
    },
    email: { label: 'E-mail', help: 'For a receipt, this address replaces the payer’s address.' },
    ...FORMAT,
    template_id: { label: 'Mail template' },
  } satisfies FormFields,
}

const CREATE: OperationForm = {
  ...{ name: 'webhooks.createTemplate', path, button: 'Add' },
  fields: { name: { isRequired: true }, ...CHANGED.fields },
  more: CHANGED.more,
  ...{ to: path, done: 'saved' },
}

const UPDATE: OperationForm = {
  ...{ name: 'webhooks.updateTemplate', path: `${path}/:name`, button: 'Save' },
  ...CHANGED,
  ...{ to: path, done: 'saved' },
}

const TEST: OperationForm = {
  ...{ name: 'webhooks.test', path: '/webhooks/test', button: 'Send' },
  fields: {
    url: { label: 'URL', placeholder: 'http://localhost:3000/hook', help: '' },
    trigger: { help: '' },
    ...FORMAT,
    email: { label: 'E-mail' },
    transaction_id: { label: 'Transaction', help: 'By default the newest one that fits.' },
  },
  to: ({ id }) => `/webhooks/${id}`,
  done: 'test_sent',
}

/** Bytes of a key that is made (Standard Webhooks: 24 to 64). */
const BYTES = 32

/** Adds a key that webhooks are signed with. Only the page of the response shows a generated one. */
const ADD_KEY: OperationForm = {
  ...{ name: 'key', path: '/webhooks/keys', button: 'Add' },
  fields: {
    key: {
      label: 'Key',
      help: 'whsec_ and base64 of 24 to 64 bytes. Empty: the gateway generates a key and shows it once.',
    },
  },
  async run(visit) {
    const { merchant, dependencies, parameters } = visit
    const typed = text(parameters, 'key')
    const key =
      typed ?? `whsec_${Buffer.from(dependencies.chance.of(merchant.id)(BYTES)).toString('base64')}`
    await changeSettings(visit, { webhook_keys: [...merchant.settings.webhook_keys, key] })
    return { key: typed === undefined ? key : null }
  },
  shows: ({ key }, { home }) =>
    key
      ? renderShownOnce(
          'Webhook signing key',
          { Key: key },
          html`<p><a href="${home}${path}">Webhook templates</a>,
<a href="${home}/webhooks/test">send a test webhook</a></p>`,
        )
      : undefined,
  ...{ to: path, done: 'saved' },
}

/** Webhooks for all events, and their signing keys (specification: Webhooks). */
const LIST: ConsolePage<MerchantVisit> = { path, show: list }

const ONE = formPage(UPDATE, async (visit) => {
  const { merchant, named, dependencies, home } = visit
  const template = await requireTemplate(dependencies.webhooks, merchant.id, named.name ?? '')
  // The destination implies every other type.
  const values = { ...template, type: template.type === 'receipt' ? 'receipt' : '' }
  const known: Readonly<Record<string, unknown>> = { ...template }
  const target = Object.keys(TEST.fields).map((name) => [name, String(known[name] ?? '')])
  return {
    title: `Webhook template ${template.name}`,
    actions: html`<a class="button small" href="${getAddress(`${home}/webhooks/test`, Object.fromEntries(target))}">Send a test webhook</a>`,
    body: html`${renderOperationForm(visit, UPDATE, { values })}
${renderButtonForm(visit, `${home}${path}/${template.name}/remove`, 'Delete this template')}`,
  }
})

const TEST_PAGE = formPage(TEST, async (visit) => ({
  title: 'Send a test webhook',
  body: html`<p class="quiet">The test webhook is sent immediately and signed like every webhook.
Its result appears on a page of its own.
Its <code>webhook-id</code> starts with <code>msg_test_</code>.
The transaction’s own webhooks do not change.</p>
${renderOperationForm(visit, TEST, { values: visit.parameters })}`,
}))

export const WEBHOOK_FORM_PAGES = [...TEST_PAGE, LIST, ...ONE]

export const WEBHOOK_FORM_ACTS: readonly FormAction<MerchantVisit>[] = [
  formAct(CREATE, LIST),
  buttonAct(`${path}/:name/remove`, 'webhooks.deleteTemplate', { to: path, done: 'removed' }),
  formAct(ADD_KEY, LIST),
  {
    path: '/webhooks/keys/:number/remove',
    async act(visit) {
      const { webhook_keys } = visit.merchant.settings
      const left = webhook_keys.filter((_key, index) => String(index + 1) !== visit.named.number)
      if (left.length === webhook_keys.length) throw noPage()
      await changeSettings(visit, { webhook_keys: left })
      return { to: path, done: 'removed' }
    },
  },
]

async function list(visit: MerchantVisit): Promise<ConsoleView> {
  const { home, merchant, db } = visit
  const { settings, webhook_overrides } = await needMerchant(db, merchant.id)
  const templates = webhook_overrides.templates ?? []
  const creation = renderCreation(visit, 'New template', CREATE)
  return {
    title: 'Webhook templates',
    actions: html`<a class="button small" href="${home}/webhooks/test">Send a test webhook</a>${creation.button}`,
    body: html`${creation.form}${
      creation.form && templates.length === 0
        ? null
        : renderTemplateTable(templates, ({ name }) => link(name, `${home}${path}/${name}`))
    }
<h2 id="keys">Signing keys</h2>
<p class="quiet">${
      merchant.settings.webhook_keys.length > 0
        ? 'Every webhook is signed with each of these keys. You can have up to three.'
        : 'Until you add a key, webhooks are signed with a key that is derived from the merchant’s secret.'
    }</p>
<ul class="plain">${merchant.settings.webhook_keys.map(
      (key, index) => html`<li><code>whsec_***${key.slice(-4)}</code>
${renderButtonForm(visit, `${home}/webhooks/keys/${index + 1}/remove`, 'Delete')}</li>`,
    )}</ul>
${renderFoldedForm(visit, 'Add a key', ADD_KEY, { look: 'button small' })}
${
  settings.webhooks.length > 0
    ? html`<h2>Templates of the configuration</h2>
<p class="quiet">The start-up configuration defines them. Change them there.</p>
${renderTemplateTable(settings.webhooks, ({ name }) => name)}`
    : null
}
<p class="quiet"><a href="${home}/controls#webhooks">Hold, duplicate, swap or delay webhooks</a> in the test controls.</p>`,
  }
}

const renderTemplateTable = (
  templates: readonly WebhookTemplate[],
  createNameCell: (template: WebhookTemplate) => CellValue,
) =>
  renderTable({
    ...fill<WebhookTemplate>(
      [
        ['Name', createNameCell, 'first'],
        ['Trigger', ({ trigger }) => trigger, 'first-end'],
        ['Target', (template) => longText(formatTarget(template)), 'second'],
        ['Data format', ({ data_format }) => data_format],
        ['Mail template', ({ template_id }) => template_id],
      ],
      templates,
      '',
    ),
    empty: renderEmptyState(
      'No webhook templates yet.',
      html`A template sends a webhook for every transaction or stored card that matches its trigger.`,
    ),
  })
