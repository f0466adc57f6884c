import { TRIGGERS } from '../../domain/webhook/triggers.ts'
import { readWebhookTest } from '../../parsing/control/webhooks.ts'
import { sendTestWebhook } from '../../webhooks/send-test.ts'
import { workOf } from '../http/exchange.ts'
import { html } from '../pages/html.ts'
import { formView } from './design/forms.ts'
import { type ConsoleProblem, type FormFields, filledIn, redisplayOnError } from './form-errors.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type FormAction,
  fieldsOf,
  type MerchantVisit,
  textsOf,
} from './visit.ts'

const path = '/webhooks/test'
const section = 'webhooks'

/** Sends a webhook of any trigger to an address; a link to it may fill it in. */
export const WEBHOOK_TEST_PAGE: ConsolePage<MerchantVisit> = {
  path,
  section,
  show: async (visit) => show(visit),
}

export const WEBHOOK_TEST_ACT: FormAction<MerchantVisit> = {
  path,
  section,
  act: (visit) =>
    redisplayOnError(
      visit,
      async () => {
        const id = await sendTestWebhook(workOf(visit.response), readWebhookTest(fieldsOf(visit)))
        return { to: `/webhooks/${id}`, done: 'test_sent' }
      },
      async (problem) => show(visit, problem),
    ),
}

const FIELDS: FormFields = {
  trigger: {
    label: 'Trigger',
    help: 'The event of the webhook.',
    kind: 'choice',
    choices: TRIGGERS,
  },
  url: {
    label: 'URL',
    help: 'Target of the webhook, for example http://localhost:3000/hook. Or fill in an e-mail address.',
  },
  email: { label: 'E-mail' },
  http_method: { label: 'Method', kind: 'choice', choices: ['post', 'get'] },
  data_format: { label: 'Data format', kind: 'choice', choices: ['json', 'form_data', 'xml'] },
  transaction_id: {
    label: 'Transaction',
    help: 'Id of the transaction in the body. Empty: the newest transaction that fits the trigger, or an example.',
    kind: 'number',
  },
}

function show(visit: MerchantVisit, problem: ConsoleProblem | null = null): ConsoleView {
  const form = formView({
    formToken: visit.formToken,
    to: `${visit.home}/webhooks/test`,
    ...filledIn(FIELDS, textsOf(visit.parameters, Object.keys(FIELDS)), problem),
    button: 'Send',
  })
  return {
    title: 'Send a test webhook',
    body: html`<p class="quiet">The test webhook is sent immediately and signed like every webhook.
Its result appears on a page of its own.
Its <code>webhook-id</code> starts with <code>msg_test_</code>.
The transaction’s own webhooks do not change.</p>
${form}`,
  }
}
