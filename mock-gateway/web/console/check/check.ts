import { ONCE } from '../../../check/cases/case.ts'
import { CASE_GROUPS, CASES, type CheckCase } from '../../../check/cases.ts'
import { CheckError } from '../../../check/errors.ts'
import { renderGroups } from '../../../check/report-html.ts'
import { explainResults } from '../../../check/results.ts'
import type { ShopCheck } from '../../../check/shop-checks.ts'
import { GatewayError } from '../../../domain/errors/errors.ts'
import { text } from '../../../parsing/parameters/parameters.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { status } from '../parts/cells.ts'
import { renderButtonForm } from '../parts/forms.ts'
import { formAct, type OperationForm, renderOperationForm } from '../parts/operation-form.ts'
import { type Column, fill, renderTable } from '../parts/table.ts'
import {
  type ConsolePage,
  type ConsoleRoute,
  type ConsoleView,
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
const PAGE: ConsolePage<MerchantVisit> = { path: '/check', show }

const CHECK: OperationForm = {
  ...{ name: 'check', path: '/check', button: `Run all ${CASES.length} cases` },
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

export const CHECK_PAGES: readonly ConsoleRoute<MerchantVisit>[] = [
  PAGE,
  formAct(CHECK, PAGE),
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
    actions: html`<a class="button small" href="/docs/how-to/check-my-shop">How to write a plan</a>`,
    body: html`<p>The check buys in your shop, while it holds back webhooks and moves the clock of this merchant.</p>
${check && renderSummary(visit, check, at)}
${renderOperationForm(visit, CHECK, { values: { ...(check ?? EXAMPLE) } })}
${explained.causes.length > 0 ? html`<h2>Causes</h2>` : null}
${renderGroups(explained, {
  command: `mondido-gateway check ${check?.shop ?? ''}`,
  showPayment: ({ id, payment_ref }) =>
    html`<p>Payment <a href="${home}/transactions/${id}">${payment_ref}</a></p>`,
})}
<h2>Cases <span class="quiet">${CASES.length}</span></h2>
<p class="quiet">Expected result, unless a case names another one: ${ONCE.says}</p>
${Object.entries(CASE_GROUPS).map(([title, cases]) => groupView(title, cases, check))}`,
  }
}

function renderSummary(visit: MerchantVisit, check: ShopCheck, at: string): SafeHtml {
  const { running, ended } = check
  if (running) {
    const { finished, total } = running
    const name = running.case && html`: <code>${running.case}</code>`
    return html`<p role="status">Case ${finished + 1} of ${total}${name}
<progress max="${total}" value="${finished}">${finished}</progress></p>
${renderButtonForm(visit, `${at}/stop`, 'Stop')}`
  }
  const counts = countVerdicts(CASES, check)
  const isBad = counts.some(({ verdict }) => verdict === 'failed')
  return html`<div class="callout ${isBad ? 'bad' : 'good'}" role="status"><p>${ended}</p>
<p class="row">${counts.map(renderCount)}</p></div>`
}

/** Counts the last results of cases, without results that no case has. */
const countVerdicts = (cases: readonly CheckCase[], check: ShopCheck | undefined) => {
  const found = Map.groupBy(cases, (each) => findResult(each, check).verdict)
  return (['failed', 'passed', 'not checked', 'not run'] as const).flatMap((verdict) => {
    const count = found.get(verdict)?.length
    return count ? [{ verdict, count }] : []
  })
}

const renderCount = ({ verdict, count }: ReturnType<typeof countVerdicts>[number]): SafeHtml =>
  html` <span class="${verdict === 'not run' ? 'quiet' : `is ${status(verdict).tone}`}">${count} ${verdict}</span>`

const findResult = ({ name }: CheckCase, check: ShopCheck | undefined) =>
  check?.results.get(name) ?? ({ verdict: 'not run', cause: null } as const)

const isRunning = ({ name }: CheckCase, check: ShopCheck | undefined): boolean =>
  check?.running?.case === name

/** Renders the cases of a topic, folded unless one failed or runs. */
function groupView(
  title: string,
  cases: readonly CheckCase[],
  check: ShopCheck | undefined,
): SafeHtml {
  const counts = countVerdicts(cases, check)
  const isOpen =
    counts.some(({ verdict }) => verdict === 'failed') ||
    cases.some((each) => isRunning(each, check))
  const columns: readonly Column<CheckCase>[] = [
    ['Case', ({ name }) => ({ text: name, content: html`<code>${name}</code>` }), 'first'],
    [
      'Events',
      ({ done: text, must }) => ({ text, note: must === ONCE.says ? null : `Expected: ${must}` }),
      'second',
    ],
    [
      'Last result',
      (each) => {
        const { verdict, cause } = findResult(each, check)
        if (isRunning(each, check)) return status('running')
        return { ...status(verdict), note: verdict === 'not checked' ? (cause ?? null) : null }
      },
      'first-end',
    ],
    ['Run', ({ name }) => ({ text: 'Run', content: runButton(name) }), 'second-end'],
  ]
  return html`<details class="group"${isOpen ? html` open` : null}>
<summary><b>${title}</b>${counts.map(renderCount)}</summary>
${renderTable(fill(columns, cases, ''))}</details>
`
}

const runButton = (name: string): SafeHtml =>
  html`<button class="small" form="form-check" name="only" value="${name}"
  aria-label="Run ${name}">Run</button>`
