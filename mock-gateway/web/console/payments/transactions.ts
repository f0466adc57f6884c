import type { Transaction } from '../../../contract/wire.ts'
import { formatAmount, readAmountFilter } from '../../../domain/money/money.ts'
import { calculateLeftToRefund, STATES } from '../../../domain/order/states.ts'
import { readCaptureTransaction, readCreateRefund } from '../../../parsing/capture-and-refund.ts'
import { readYesOrNo } from '../../../parsing/parameters/parameters.ts'
import { captureTransaction } from '../../../payments/capture.ts'
import { refundTransaction } from '../../../payments/refund.ts'
import { readStory } from '../../../serializers/story/read-story.ts'
import type { Story } from '../../../serializers/story/story.ts'
import { findAll } from '../../../storage/rows.ts'
import type { WebhookDeliveryRow } from '../../../storage/tables/webhook-deliveries.ts'
import { createWork, getExchange } from '../../http/exchange.ts'
import { html, renderHiddenFields, type SafeHtml } from '../../pages/html.ts'
import { renderCodeBlock } from '../../pages/messages.ts'
import { renderSequenceDiagram } from '../../pages/sequence.ts'
import { renderNextSteps, renderStoryFile, renderWarnings } from '../../pages/story.ts'
import {
  formatMoney,
  paymentStatus,
  renderChoice,
  renderFoldedFacts,
  status,
} from '../parts/cells.ts'
import {
  type FormFields,
  renderButtonForm,
  renderFolded,
  renderTokenField,
} from '../parts/forms.ts'
import {
  findProblem,
  renderFoldedForm,
  runFromForm,
  type ShownForm,
} from '../parts/operation-form.ts'
import { renderProblemLine } from '../parts/problem.ts'
import { findObject, listFacts, renderHeading } from '../parts/resource-pages.ts'
import { withTypedAmount } from '../parts/typed-amount.ts'
import type { Done } from '../sections.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type FormAction,
  type MerchantVisit,
  noRow,
  ownRow,
  sendFile,
} from '../visit.ts'
import { listedDeliveries } from '../webhooks/deliveries.ts'
import { renderPaymentFacts } from './payment-facts.ts'
import {
  declineBox,
  describeWebhooks,
  paymentSentence,
  renderPaymentSteps,
  returnedMoney,
} from './payment-summary.ts'

/** Page of a transaction: its result, the reason, and possible actions. */
export const TRANSACTION_PAGES: readonly ConsolePage<MerchantVisit>[] = [
  { path: '/transactions/:id', show },
  {
    path: '/transactions/:id/story.html',
    async show(visit) {
      const story = await findStory(visit)
      const title = `Transaction ${story.id}`
      const { now } = getExchange(visit.response)
      const content = await renderStoryFile(visit.dependencies.assets, [story], { title, now })
      return sendFile(`transaction-${story.id}.html`, 'text/html', content)
    },
  },
]

/** @throws errors.not_found (196), also for other merchants' (attack 116) */
async function findStory(visit: MerchantVisit): Promise<Story> {
  await visit.dependencies.keptRequests.settle()
  const story = await readStory(visit.db, visit.merchant, visit.id)
  if (story) return story
  throw noRow('transaction', visit.named.id ?? '')
}

/** Creates the action of a form of the page. @param run resolves with the word of its success */
const paymentAct = (
  name: 'capture' | 'refund' | 'answer',
  run: (visit: MerchantVisit) => Promise<Done>,
): FormAction<MerchantVisit> => ({
  path: `/transactions/:id/${name}`,
  act: async (visit) => ({ to: `/transactions/${visit.named.id}`, done: await run(visit) }),
  again: (visit, problem) => show({ ...visit, refused: { form: name, problem } }),
})

export const TRANSACTION_ACTS: readonly FormAction<MerchantVisit>[] = [
  paymentAct('capture', async (visit) => {
    const command = readCaptureTransaction(visit.id, withTypedAmount(visit.parameters))
    const { row } = await captureTransaction(createWork(visit.response), command)
    return row.status === 'approved' ? 'captured' : 'capture_sent'
  }),
  paymentAct('refund', async (visit) => {
    const sent = { ...withTypedAmount(visit.parameters), transaction_id: visit.named.id ?? '' }
    await refundTransaction(createWork(visit.response), readCreateRefund(sent))
    return 'refunded'
  }),
]

/** Answers a challenge for the payer, only with the control API. */
export const ANSWER_ACT = paymentAct('answer', async (visit) => {
  const { id } = await ownRow(visit, 'transactions')
  const sent = { ...visit.fields, transaction_id: String(id) }
  await runFromForm(visit, 'authentications.answer', sent)
  return 'answered'
})

/** Webhooks that the page describes; the list of webhooks has the others. */
const MOST_DELIVERIES = 50

async function show(visit: MerchantVisit): Promise<ConsoleView> {
  const { home, merchant, parameters, db } = visit
  const object = await findObject(visit, 'transactions')
  const transaction = object as unknown as Transaction
  const { id, amount, currency } = transaction
  const every = readYesOrNo({ every: parameters.every }, 'every') ?? false
  const owner = { merchant_id: merchant.id, transaction_id: id }
  const newest = { newestFirst: true, limit: MOST_DELIVERIES }
  const sent = await findAll(db, 'webhook_deliveries', owner, newest)
  const webhooks = describeWebhooks(await listedDeliveries(visit, sent))
  const { failing } = webhooks
  const returned = returnedMoney(transaction)
  const state = returned ? status(returned.name) : paymentStatus(transaction.status)
  const story = await findStory(visit)
  const forms = listMoneyForms(transaction)
  return {
    title: String(object.payment_ref || `Transaction ${id}`),
    live: ['requests', 'webhooks', `transactions/${id}`],
    heading: renderHeading(formatMoney(amount, currency), state),
    actions: renderActions(visit, transaction, sent, forms, failing ?? []),
    summary: html`${paymentSentence(transaction)} ${returned?.sentence} ${failing ? null : webhooks.sentence}`,
    body: html`${renderPaymentSteps(transaction, webhooks.step)}
${await declineBox(transaction, visit)}
${
  failing &&
  html`<p class="callout waiting"><b>${webhooks.sentence}</b>
${failing.map(
  ({ id }) => html`<a href="${home}/webhooks/${id}">See the error of webhook ${id}</a>
`,
)}</p>`
}
${renderWarnings(story.findings)}
<div class="two">
${renderStory(visit, story, forms, every)}
<aside>
${renderPaymentFacts(transaction, home)}
${sent.length > 0 ? html`<p><a href="${home}/webhooks?transaction_id=${id}">All webhooks of this transaction</a></p>` : null}
${renderFoldedFacts('All fields', listFacts(object, home))}
${renderFolded('As JSON', renderCodeBlock(JSON.stringify(object, null, 2)))}
</aside>
</div>`,
  }
}

/** Renders the buttons beside the heading; the last one is the next step of the payment. */
function renderActions(
  visit: MerchantVisit,
  { id, status, href }: Transaction,
  sent: readonly WebhookDeliveryRow[],
  [form]: readonly MoneyForm[],
  failing: readonly WebhookDeliveryRow[],
): SafeHtml {
  const { home } = visit
  const canSend = ({ url, again_from }: WebhookDeliveryRow) => url !== null && again_from === null
  const isFailing = failing.some(canSend)
  const resent = [...failing, ...sent].find(canSend)
  const to = `${home}/webhooks/${resent?.id}/send`
  const send =
    resent && renderButtonForm(visit, to, 'Send webhook again', isFailing ? 'main' : null)
  const look = isFailing ? 'button small' : 'button'
  const next = STATES[status].payable
    ? html`<a class="${look}" href="${href}" rel="noopener noreferrer">${status === 'pending' ? 'Open the payment page' : 'Pay again'}</a>`
    : form && html`<a class="${look}" href="#form-${form.name}">${form.button}</a>`
  return html`${status === '3ds pending' ? renderBankForm(visit, id) : null}
${isFailing ? next : send}
<a class="button small" href="${home}/transactions/${id}/story.html"
  title="Without secrets and card numbers: attach it to a bug report">Download</a>
${isFailing ? send : next}`
}

/**
 * Renders what happened, as steps or with every request, and what can be done next.
 * @param forms the next steps whose text starts with the name of their button
 */
const renderStory = (
  visit: MerchantVisit,
  story: Story,
  forms: readonly MoneyForm[],
  every: boolean,
): SafeHtml => {
  // The sentence below the heading tells what the payment waits for.
  const steps = story.next.filter((step) => !step.startsWith('Wait:'))
  return html`
<section aria-labelledby="what"><div class="row head"><h2 id="what">What happened</h2>
${renderChoice(
  'Detail',
  [
    ['Steps', '?every=false'],
    [html`Every request<span class="unseen"> (${story.entries.length})</span>`, '?every=true'],
  ],
  `?every=${every}`,
)}</div>
${renderSequenceDiagram(story, ({ what, id }) => `${visit.home}/${what}/${id}`, every)}
${
  steps.length > 0
    ? html`<h2>Next steps</h2>
${renderNextSteps(
  steps.map((step) => {
    const form = forms.find(({ button }) => step.startsWith(button))
    return html`${step} ${form && renderFoldedForm(visit, form.button, form, { ...form, look: 'button small' })}`
  }),
)}`
    : null
}
</section>`
}

/** Builds the form that answers a challenge for a payer who is at the bank. */
function renderBankForm(visit: MerchantVisit, id: number): SafeHtml | null {
  if (visit.dependencies.controlKey === undefined) return null
  const problem = findProblem(visit, 'answer')
  return html`<form class="row" method="post" action="${visit.home}/transactions/${id}/answer"
aria-label="Answer for the payer">${renderTokenField(visit)}
<button name="answer" value="approve">Approve for the payer</button>
<button class="small" name="answer" value="deny">Deny</button>
<button class="small" name="answer" value="cancel">Cancel</button></form>
${problem && renderProblemLine(problem)}`
}

interface MoneyForm extends ShownForm {
  readonly values: { readonly amount: string }
  readonly after?: SafeHtml
}

/** Lists the forms of possible actions: capture, refund, and release of a reservation. */
function listMoneyForms({ amount, status, refunds }: Transaction): readonly MoneyForm[] {
  const returned = refunds.flatMap((refund) => readAmountFilter(refund.amount) ?? [])
  const left = calculateLeftToRefund(readAmountFilter(amount) ?? null, returned)
  const { capturable, refundable } = STATES[status]
  const values = { amount: formatAmount(left) }
  const [toCapture, toRefund] = ['Amount to capture', 'Amount to refund'].map((label) => ({
    amount: { label, isRequired: true },
  }))
  const reason = { label: 'Reason', isRequired: true }
  const form = (name: string, button: string, fields: FormFields = {}) => ({
    ...{ name, path: `/transactions/:id/${name}`, button, fields, values },
  })
  if (capturable)
    return refunds.length > 0
      ? []
      : [
          form('capture', 'Capture', toCapture),
          {
            ...form('refund', 'Release', { reason }),
            after: html`${renderHiddenFields(values)}<span class="quiet">The payer’s bank releases the whole reservation.</span>`,
          },
        ]
  return refundable && left > 0 ? [form('refund', 'Refund', { ...toRefund, reason })] : []
}
