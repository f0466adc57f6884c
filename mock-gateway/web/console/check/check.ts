import { ONCE } from '../../../check/cases/case.ts'
import { CASE_GROUPS, CASES, type CheckCase } from '../../../check/cases.ts'
import { CheckError } from '../../../check/errors.ts'
import { explainResults } from '../../../check/groups.ts'
import { renderGroups } from '../../../check/report-html.ts'
import type { ShopCheck } from '../../../check/shop-checks.ts'
import { GatewayError } from '../../../domain/errors/errors.ts'
import { text } from '../../../parsing/parameters/parameters.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { type Cell, cell, plain, status } from '../parts/cells.ts'
import { buttonForm } from '../parts/forms.ts'
import { fieldForm, formAct, type OperationForm } from '../parts/operation-form.ts'
import { table } from '../parts/table.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type FormAction,
  type MerchantVisit,
  readTexts,
} from '../visit.ts'

const EXAMPLE = {
  shop: 'http://localhost:3000',
  plan: JSON.stringify(
    {
      buy: { post: '/buy' },
      order: {
        get: '/orders/{payment_ref}.json',
        paid: "status = 'paid'",
        amount: 'amount',
        currency: 'currency',
        fulfilled: 'fulfilled',
        refunded: 'refunded',
      },
      settle: 10,
    },
    null,
    2,
  ),
}

/** Cases that check the merchant's shop, and their last results. */
export const CHECK_PAGE: ConsolePage<MerchantVisit> = {
  path: '/check',
  section: 'check',
  show,
}

const CHECK: OperationForm = {
  ...{ name: 'check', path: '/check', section: 'check', button: `Run all ${CASES.length} cases` },
  fields: { shop: { label: 'Address of the shop', isRequired: true } },
  more: {
    plan: {
      label: 'Plan, as JSON',
      help: 'The steps to buy, and the address that shows an order. Use addresses only, because the console starts no programs.',
      kind: 'json',
      usual: EXAMPLE.plan,
    },
  },
  moreTitle: 'Plan: how the check buys, and where it finds an order',
  async run({ parameters, dependencies, merchant }) {
    const only = text(parameters, 'only')
    const written = readTexts(parameters, ['shop', 'plan'])
    await dependencies.checks.start(merchant.id, written, only).catch(refuse)
  },
  ...{ to: '/check', done: 'check_started' },
}

export const CHECK_ACTS: readonly FormAction<MerchantVisit>[] = [
  formAct(CHECK, CHECK_PAGE),
  {
    path: '/check/stop',
    async act({ dependencies, merchant }) {
      await dependencies.checks.stop(merchant.id)
      return { to: '/check', done: 'check_stopped' }
    },
  },
]

function refuse(error: unknown): never {
  if (!(error instanceof CheckError)) throw error
  throw new GatewayError('errors.request.bad_format', { explain: error.message })
}

async function show(visit: MerchantVisit): Promise<ConsoleView> {
  const { dependencies, merchant, home } = visit
  const check = dependencies.checks.of(merchant.id)
  const at = `${home}/check`
  const explained = explainResults(CASES.flatMap(({ name }) => check?.results.get(name) ?? []))
  return {
    live: ['data'],
    title: 'Check my shop',
    body: html`<p>The check buys in your shop and tests how the shop handles common failures:
duplicate, late, lost and forged webhooks, and payers who never return.
Meanwhile it holds back this merchant’s webhooks, and moves its clock for some cases.
<a href="/docs/how-to/check-my-shop">How to write a plan</a></p>
${check && summaryView(visit, check, at)}
${fieldForm(visit, CHECK, { values: { ...(check ?? EXAMPLE) } })}
${explained.causes.length > 0 ? html`<h2>Causes</h2>` : null}
${renderGroups(explained, {
  command: `mondido-gateway check ${check?.shop ?? ''}`,
  showPayment: ({ id, payment_ref }) =>
    html`<p>Payment <a href="${home}/transactions/${id}/story">${payment_ref}</a></p>`,
})}
<h2>Cases <span class="quiet">${CASES.length}</span></h2>
<p class="quiet">Expected result, unless a case names another one: ${ONCE.says}</p>
${Object.entries(CASE_GROUPS).map(([title, cases]) => groupView(title, cases, check))}`,
  }
}

function summaryView(visit: MerchantVisit, check: ShopCheck, at: string): SafeHtml {
  const { running, ended, results } = check
  if (running) {
    const { finished, total } = running
    const name = running.case && html`: <code>${running.case}</code>`
    return html`<p role="status">Case ${finished + 1} of ${total}${name}
<progress max="${total}" value="${finished}">${finished}</progress></p>
${buttonForm(visit, `${at}/stop`, 'Stop')}`
  }
  const counts = countVerdicts(CASES, check).map(
    ({ verdict, count }) => html`<div><dt>${cell(status(verdict))}</dt><dd>${count}</dd></div>`,
  )
  const bad = CASES.some(({ name }) => results.get(name)?.verdict === 'failed')
  return html`<div class="callout ${bad ? 'bad' : 'good'}" role="status"><p>${ended}</p>
<dl class="tally">${counts}</dl></div>`
}

/** Counts the last results of cases, without results that no case has. */
const countVerdicts = (cases: readonly CheckCase[], check: ShopCheck | undefined) =>
  (['failed', 'passed', 'not checked', 'not run'] as const)
    .map((verdict) => ({
      verdict,
      count: cases.filter(({ name }) => findVerdict(name, check) === verdict).length,
    }))
    .filter(({ count }) => count > 0)

const findVerdict = (name: string, check: ShopCheck | undefined) =>
  check?.results.get(name)?.verdict ?? 'not run'

/** Renders the cases of a topic, folded unless one failed or runs. */
function groupView(
  title: string,
  cases: readonly CheckCase[],
  check: ShopCheck | undefined,
): SafeHtml {
  const isOpen = cases.some(
    ({ name }) => findVerdict(name, check) === 'failed' || check?.running?.case === name,
  )
  const counts = countVerdicts(cases, check).map(
    ({ verdict, count }) =>
      html` <span class="is ${status(verdict).tone}">${count} ${verdict}</span>`,
  )
  const rows = table({
    heads: ['Case', 'Events', 'Last result', 'Run'],
    places: ['first', 'second', 'first-end', 'second-end'],
    rows: cases.map((each) => caseRow(each, check)),
  })
  return html`<details class="group"${isOpen ? html` open` : null}>
<summary><b>${title}</b>${counts}</summary>
${rows}</details>
`
}

function caseRow({ name, done, must }: CheckCase, check: ShopCheck | undefined): Cell[] {
  const shown = check?.running?.case === name ? 'running' : findVerdict(name, check)
  const cause = shown === 'not checked' ? (check?.results.get(name)?.cause ?? null) : null
  return [
    { text: name, content: html`<code>${name}</code>` },
    { ...plain(done), note: must === ONCE.says ? null : `Expected: ${must}` },
    { ...status(shown), note: cause },
    {
      text: 'Run',
      content: html`<button class="small" form="form-check" name="only" value="${name}"
  aria-label="Run ${name}">Run</button>`,
    },
  ]
}
