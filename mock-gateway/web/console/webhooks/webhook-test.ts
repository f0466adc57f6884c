import { operationNamed } from '../../../operations/table.ts'
import { html } from '../../pages/html.ts'
import { type ConsoleProblem, filledIn } from '../parts/form-errors.ts'
import { formView } from '../parts/forms.ts'
import { formOf, runFromForm } from '../parts/operation-form.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type FormAction,
  type MerchantVisit,
  textsOf,
} from '../visit.ts'

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
  async act(visit) {
    const sent = await runFromForm(visit, TEST.name, visit.merchant.id)
    return { to: `/webhooks/${(sent as { id: number }).id}`, done: 'test_sent' }
  },
  again: async (visit, problem) => show(visit, problem),
}

const TEST = operationNamed('webhooks.test')

const { type: _type, ...FIELDS } = formOf(TEST, {
  trigger: { help: 'The event of the webhook.' },
  url: {
    label: 'URL',
    help: 'Target of the webhook, for example http://localhost:3000/hook. Or fill in an e-mail address.',
    usual: null,
  },
  http_method: { label: 'Method', kind: 'choice', choices: ['post', 'get'], usual: null },
  data_format: { kind: 'choice', choices: ['json', 'form_data', 'xml'], usual: null },
  email: { label: 'E-mail', usual: null },
  transaction_id: {
    label: 'Transaction',
    help: 'Id of the transaction in the body. Empty: the newest transaction that fits the trigger, or an example.',
    usual: null,
  },
})

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
