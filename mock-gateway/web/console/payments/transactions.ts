import type { Transaction } from '../../../contract/wire.ts'
import { amountIn, formatAmount } from '../../../domain/money/money.ts'
import { leftToRefund, STATES } from '../../../domain/order/states.ts'
import { readCaptureTransaction, readCreateRefund } from '../../../parsing/capture-and-refund.ts'
import { yesOrNo } from '../../../parsing/parameters/parameters.ts'
import { captureTransaction } from '../../../payments/capture.ts'
import { refundTransaction } from '../../../payments/refund.ts'
import { findFailed } from '../../../serializers/story/next-steps.ts'
import { readStory } from '../../../serializers/story/read-story.ts'
import type { Story } from '../../../serializers/story/story.ts'
import { findDeliveries } from '../../../storage/webhook-deliveries.ts'
import { createWork, getExchange } from '../../http/exchange.ts'
import { hiddenFields, html, type SafeHtml } from '../../pages/html.ts'
import { sequenceDiagram } from '../../pages/sequence.ts'
import { storyFile, warningsView } from '../../pages/story.ts'
import { codeBlock, factList, money, plain, time } from '../parts/cells.ts'
import { findObject, listFacts } from '../parts/details.ts'
import { tokenField } from '../parts/forms.ts'
import { runFromForm } from '../parts/operation-form.ts'
import type { ConsoleProblem } from '../parts/problem.ts'
import { problemLine } from '../parts/problem.ts'
import type { Wire } from '../parts/resources.ts'
import { type Column, fill, table } from '../parts/table.ts'
import { withTypedAmount } from '../parts/typed-amount.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type FormAction,
  getFields,
  getId,
  type MerchantVisit,
  noRow,
  ownRow,
  readTexts,
} from '../visit.ts'
import { createDeliveryTable } from '../webhooks/delivery-table.ts'
import { declineBox } from './decline.ts'
import {
  amountLine,
  paymentSentence,
  paymentSteps,
  paymentSummary,
  returnedMoney,
} from './payment-summary.ts'

/** Page of a transaction: its result, the reason, and possible actions. */
export const TRANSACTION_PAGES: readonly ConsolePage<MerchantVisit>[] = [
  { path: '/transactions/:id', section: 'transactions', show: (visit) => show(visit) },
  {
    path: '/transactions/:id/story.html',
    section: 'transactions',
    async show(visit) {
      const story = await findStory(visit)
      const title = `Transaction ${story.id}`
      const { now } = getExchange(visit.response)
      const content = await storyFile(visit.dependencies.assets, [story], { title, now })
      return { name: `transaction-${story.id}.html`, type: 'text/html', content }
    },
  },
]

/** @throws errors.not_found (196), also for other merchants' (attack 116) */
async function findStory(visit: MerchantVisit): Promise<Story> {
  const { keptRequests, database } = visit.dependencies
  await keptRequests.settle()
  const story = await readStory(database.db, visit.merchant, getId(visit))
  if (story) return story
  throw noRow('transaction', visit.named.id ?? '')
}

export const TRANSACTION_ACTS: readonly FormAction<MerchantVisit>[] = [
  {
    path: '/transactions/:id/capture',
    section: 'transactions',
    async act(visit) {
      const command = readCaptureTransaction(getId(visit), withTypedAmount(visit.parameters))
      const { row } = await captureTransaction(createWork(visit.response), command)
      const done = row.status === 'approved' ? 'captured' : 'capture_sent'
      return { to: `/transactions/${visit.named.id}`, done }
    },
    again: (visit, problem) => show(visit, { form: 'capture', problem }),
  },
  {
    path: '/transactions/:id/refund',
    section: 'transactions',
    async act(visit) {
      const sent = {
        ...withTypedAmount(visit.parameters),
        transaction_id: visit.named.id ?? '',
      }
      await refundTransaction(createWork(visit.response), readCreateRefund(sent))
      return { to: `/transactions/${visit.named.id}`, done: 'refunded' }
    },
    again: (visit, problem) => show(visit, { form: 'refund', problem }),
  },
]

/** Answers a challenge for the payer, only with the control API. */
export const ANSWER_ACT: FormAction<MerchantVisit> = {
  path: '/transactions/:id/answer',
  section: 'transactions',
  async act(visit) {
    const { id } = await ownRow(visit, 'transactions')
    const sent = { ...getFields(visit), transaction_id: String(id) }
    await runFromForm(visit, 'authentications.answer', sent)
    return { to: `/transactions/${id}`, done: 'answered' }
  },
  again: (visit, problem) => show(visit, { form: 'answer', problem }),
}

/** Deliveries on the page; the list of webhooks has the others. */
const MOST_DELIVERIES = 50

const CURRENT = html` aria-current="true"`

/** Fields that the page shows separately. */
const SHOWN_APART: readonly string[] = [
  'log_events',
  'refunds',
  'refunds_all',
  'captures',
  'webhooks',
  'error',
]

/** A rejected form of the page, with its values. */
interface RefusedForm {
  readonly form: 'capture' | 'refund' | 'answer'
  readonly problem: ConsoleProblem
}

async function show(visit: MerchantVisit, refused?: RefusedForm): Promise<ConsoleView> {
  const object = await findObject(visit, 'transactions')
  const { home } = visit
  const transaction = object as unknown as Transaction
  const { id, href } = transaction
  const every = yesOrNo({ every: visit.parameters.every }, 'every') ?? false
  const facts = listFacts(object, home).filter(({ name }) => !SHOWN_APART.includes(name))
  const sent = await findDeliveries(
    visit.dependencies.database.db,
    { merchantId: visit.merchant.id, transactionId: id },
    { limit: MOST_DELIVERIES, offset: 0 },
  )
  const failed = findFailed(sent)
  const story = await findStory(visit)
  const counts = { count: sent.length, failed: failed.length }
  return {
    title: `Transaction ${id}`,
    live: ['requests', 'webhooks', `transactions/${id}`],
    heading: amountLine(transaction),
    actions: html`<a class="button" href="${home}/transactions/${id}/story.html"
  title="Without secrets and card numbers: attach it to a bug report">Download</a>
${
  transaction.status === 'pending'
    ? html`<a class="button main" href="${href}" rel="noopener noreferrer">Open the payment page</a>`
    : STATES[transaction.status].capturable || STATES[transaction.status].refundable
      ? html`<a class="button main" href="#money">${STATES[transaction.status].capturable ? 'Capture' : 'Refund'}</a>`
      : null
}`,
    body: html`<p class="tell">${paymentSentence(transaction, counts)} ${returnedMoney(transaction)?.sentence}
${failed.map(
  (one) => html`<a href="${home}/webhooks/${one}">Webhook ${one}</a> failed permanently.
`,
)}</p>
${story.next.length > 0 ? html`<ul class="next">${story.next.map((step) => html`<li>${step}</li>`)}</ul>` : null}
${paymentSteps(transaction, counts)}
${await declineBox(transaction, visit)}
${warningsView(story.findings)}
<div class="two">
<section aria-labelledby="what"><div class="head"><h2 id="what" class="first">What happened</h2>
<nav class="choice" aria-label="Detail"><a href="?every=false"${every ? null : CURRENT}>Steps</a>
<a href="?every=true"${every ? CURRENT : null}>Every request<span class="unseen"> (${story.entries.length})</span></a></nav></div>
${sequenceDiagram(story.entries, ({ what, id }) => `${home}/${what}/${id}`, every)}
${
  sent.length > 0
    ? html`<h2>Webhooks</h2>
${table(await createDeliveryTable(visit, sent))}
<p><a href="${home}/webhooks?transaction_id=${id}">All webhooks of this transaction</a></p>`
    : null
}
</section>
<aside>
${transaction.status === '3ds pending' ? bankForm(visit, id, refused) : null}
${forms(visit, transaction, refused)}
<h2>Payment ${id}</h2>
${paymentSummary(transaction, home)}
${moves(transaction, home)}
<h2>Fields</h2>
<details><summary>All fields</summary>${factList(facts.filter(({ code }) => !code))}
${facts
  .filter(({ code }) => code)
  .map(({ name, text }) => html`<h3>${name}</h3>${codeBlock(text)}`)}</details>
<details><summary>As JSON</summary>${codeBlock(JSON.stringify(object as Wire, null, 2))}</details>
</aside>
</div>`,
  }
}

/** Builds the form that answers a challenge for a payer who is at the bank. */
const bankForm = (
  visit: MerchantVisit,
  id: number,
  refused: RefusedForm | undefined,
): SafeHtml | null =>
  visit.dependencies.controlKey === undefined
    ? null
    : html`<section><h2>Answer for the payer</h2>
<form class="btns" method="post" action="${visit.home}/transactions/${id}/answer">${tokenField(visit)}
<button class="small" name="answer" value="approve">Approve</button>
<button class="small" name="answer" value="deny">Deny</button>
<button class="small" name="answer" value="cancel">Cancel</button></form>
${refused?.form === 'answer' ? problemLine(refused.problem) : null}
<p class="hint">The payer’s page continues by itself.</p></section>`

/** Builds the forms of possible actions with the money. */
function forms(
  visit: MerchantVisit,
  { id, amount, status, refunds }: Transaction,
  refused: RefusedForm | undefined,
): SafeHtml | null {
  const left = leftToRefund(
    amountIn(amount) ?? null,
    refunds.flatMap((refund) => amountIn(refund.amount) ?? []),
  )
  const { capturable, refundable } = STATES[status]
  const canCapture = capturable && refunds.length === 0
  const canRefund = refundable && left > 0
  if (!canCapture && !canRefund) return null
  const written = readTexts(refused ? visit.parameters : {}, ['amount', 'reason'])
  const form = (name: 'capture' | 'refund', fields: SafeHtml, button: SafeHtml) =>
    html`<form method="post" action="${visit.home}/transactions/${id}/${name}">${tokenField(visit)}
${fields}
${button}${refused?.form === name ? problemLine(refused.problem) : null}</form>`
  const amountField = (name: 'capture' | 'refund') =>
    html`<label>Amount to ${name} <input name="amount" value="${refused?.form === name ? written.amount : formatAmount(left)}"
  inputmode="decimal" size="10" required></label>`
  const refund = canCapture ? 'Release' : 'Refund'
  return html`<div class="acts" id="money">
${
  canCapture
    ? html`<section><h2>Capture</h2>
${form('capture', amountField('capture'), html`<button>Capture</button>`)}</section>`
    : null
}
${
  canRefund
    ? html`<section><h2>${refund}</h2>
${form(
  'refund',
  html`${canCapture ? hiddenFields({ amount: formatAmount(left) }) : amountField('refund')}
<label>Reason, required <input name="reason" value="${written.reason}" maxlength="255" required></label>`,
  html`<button class="small">${refund}</button>`,
)}
${canCapture ? html`<p class="hint">The payer’s bank releases the whole reservation.</p>` : null}</section>`
    : null
}
</div>`
}

/** Money that moved. */
type Move = Pick<Transaction['captures'][number], 'created_at' | 'amount'> & {
  readonly kind: string
  readonly reason: string
  readonly currency: string
}

const MOVES: readonly Column<Move>[] = [
  ['Kind', ({ kind }) => plain(kind), 'first'],
  ['When', ({ created_at }) => time(created_at), 'second'],
  ['Amount', ({ amount, currency }) => money(amount, currency), 'first-end'],
  ['Reason', ({ reason }) => plain(reason), 'second-end'],
]

/** Lists captures and refunds. */
function moves({ captures, refunds, currency }: Transaction, home: string): SafeHtml | null {
  const rows = [
    ...captures.map((each) => ({ ...each, kind: 'Capture', reason: '', currency })),
    ...refunds.map((each) => ({ ...each, kind: 'Refund', currency })),
  ]
  return rows.length === 0
    ? null
    : html`<h2>Captures and refunds</h2>
${table(fill(MOVES, rows, home))}`
}
