import { LONGEST_CAPTURE, USUAL_CAPTURE } from '../../../domain/order/capture-instruction.ts'
import { WALLETS } from '../../../domain/order/wallets.ts'
import { operationNamed } from '../../../operations/table.ts'
import type { NextOutcome, Operation } from '../../../storage/next-outcomes.ts'
import { hiddenFields, html } from '../../pages/html.ts'
import { plain, quantity } from '../parts/cells.ts'
import { emptyState } from '../parts/empty.ts'
import {
  type ConsoleProblem,
  type FormFields,
  filledIn,
  redisplayOnError,
} from '../parts/form-errors.ts'
import { buttonForm, formView, tokenField } from '../parts/forms.ts'
import { formOf, runFromForm } from '../parts/operation-form.ts'
import { everybody, type OwnerOf, oneMerchant } from '../parts/owner.ts'
import { table } from '../parts/table.ts'
import { merchantWords } from '../settings/merchants.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type ConsoleVisit,
  type FormAction,
  textsOf,
} from '../visit.ts'
import { CAPTURES_IN_WORDS, NEXT_IN_WORDS, outcomeSuggestions } from './outcomes.ts'

const AS_PAYER_CHOOSES = { choice: '', text: 'as the payer chooses' } as const

/** Differences between the pages of payments and of captures. */
const OPERATIONS = {
  payment: {
    section: 'next',
    title: 'Next payments',
    what: 'Forced outcomes: the bank’s answers to the next payments, in this order. Charges of subscriptions also use them. A payment that is rejected before the bank is asked, for example because of a wrong hash, does not use one.',
    none: 'No outcomes are set: the card decides.',
    heads: ['Outcome', 'Payments', 'Wallet', 'Currency conversion'],
    places: ['first', 'first-end', 'second', null],
    presets: Object.entries(NEXT_IN_WORDS).map(([words, outcome]) => ({
      words,
      outcome,
      seconds: null,
    })),
    fields: formOf(operationNamed('payments.force'), {
      outcome: { list: 'outcomes' },
      times: { label: 'Payments', usual: null },
      wallet_type: {
        label: 'Wallet',
        usual: null,
        choices: [],
        words: [
          AS_PAYER_CHOOSES,
          ...Object.entries(WALLETS).map(([choice, { name }]) => ({ choice, text: name })),
        ],
      },
      currency_converter: {
        label: 'Currency conversion',
        help: 'Stores the payment as if the payer had been offered to pay in the currency of the card. JSON, for example {"currency": "eur", "rate": "0.0880"}.',
        kind: 'line',
        usual: null,
      },
    }),
    proposed: { outcome: '', times: '1', wallet_type: '', currency_converter: '' },
  },
  capture: {
    section: 'next_captures',
    title: 'Next captures',
    what: 'Forced outcomes: the bank’s answers to the next captures, in this order. Until the answer, a transaction is capture pending. Move the clock to get the answer.',
    none: 'No outcomes are set: captures are approved, after the seconds of the setting capture_seconds.',
    heads: ['Outcome', 'Seconds', 'Captures'],
    places: ['first', 'second', 'first-end'],
    presets: CAPTURES_IN_WORDS,
    fields: formOf(operationNamed('captures.force'), {
      outcome: { list: 'outcomes' },
      seconds: {
        help: `Seconds until the bank answers, from 1 to ${LONGEST_CAPTURE}. Empty: ${USUAL_CAPTURE}.`,
        usual: null,
      },
      times: { label: 'Captures', usual: null },
    }),
    proposed: { outcome: '', seconds: '', times: '1' },
  },
} as const satisfies Readonly<
  Record<Operation, { readonly fields: FormFields; readonly [name: string]: unknown }>
>

/** Page of the forced outcomes of a merchant's payments. */
export const NEXT = nextOf('payment', oneMerchant)

/** Page of forced outcomes for all merchants. */
export const NEXT_OF_ALL = nextOf('payment', everybody)

/** Page of the forced outcomes of captures, with their delay. */
export const NEXT_CAPTURES = nextOf('capture', oneMerchant)
export const NEXT_CAPTURES_OF_ALL = nextOf('capture', everybody)

function nextOf<Who extends ConsoleVisit>(operation: Operation, ownerOf: OwnerOf<Who>) {
  const { section, title, what, none, heads, presets, fields, proposed } = OPERATIONS[operation]
  const path = `/${section}`

  async function show(visit: Who, problem: ConsoleProblem | null = null): Promise<ConsoleView> {
    const { merchantId, home, heads: ofOwner, cells } = ownerOf(visit)
    // Outcomes without a merchant affect this one too; only the administrator deletes them.
    const waiting = (await visit.dependencies.nextOutcomes.waiting(operation)).filter(
      (next) =>
        merchantId === undefined || next.merchant_id === null || next.merchant_id === merchantId,
    )
    const isOwn = (next: NextOutcome) => merchantId === undefined || next.merchant_id === merchantId
    const whose = merchantId === undefined ? { merchant_id: await anyMerchant(visit) } : {}
    const asked: FormFields = { ...fields, ...whose }
    const written = problem
      ? textsOf(visit.parameters, Object.keys(asked))
      : { ...proposed, merchant_id: '' }
    const at = `${home}${path}`
    const token = tokenField(visit)
    const form = formView({
      formToken: visit.formToken,
      to: at,
      ...filledIn(asked, written, problem),
      button: 'Add',
    })
    const rows = waiting.map((next) => {
      const { outcome, seconds, times, wallet_type, currency_converter, merchant_id } = next
      return [
        { ...plain(outcome), note: isOwn(next) ? null : OF_ALL },
        ...(operation === 'capture' ? [quantity(seconds)] : []),
        quantity(times),
        ...(operation === 'payment'
          ? [plain(wallet_type), plain(currency_converter && JSON.stringify(currency_converter))]
          : []),
        ...cells({ merchantId: merchant_id }),
      ]
    })
    return {
      live: ['data', 'transactions'],
      title: merchantId === undefined ? `${title} of all merchants` : title,
      body: html`<p class="quiet">${what}</p>
${
  rows.length > 0
    ? html`${table({ heads: [...heads, ...ofOwner], rows })}
${waiting.some(isOwn) ? buttonForm(visit, `${at}/forget`, 'Delete all') : null}`
    : emptyState(none)
}
<h2>Common outcomes</h2>
<div class="choices">${presets.map(
        ({ words, ...fields }) =>
          html`<form method="post" action="${at}">${token}${hiddenFields(fields)}
<button class="small">${words}</button></form>`,
      )}</div>
<h2>Another outcome</h2>
${form}
${outcomeSuggestions()}`,
    }
  }

  const page: ConsolePage<Who> = { path, section, show: (visit) => show(visit) }
  const acts: readonly FormAction<Who>[] = [
    {
      path,
      section,
      act: (visit) =>
        redisplayOnError(
          visit,
          async () => {
            await runFromForm(visit, `${operation}s.force`, ownerOf(visit).merchantId)
            return { to: path, done: 'outcome_added' }
          },
          (problem) => show(visit, problem),
        ),
    },
    {
      path: `${path}/forget`,
      async act(visit) {
        await visit.dependencies.nextOutcomes.clear(operation, ownerOf(visit).merchantId)
        return { to: path, done: 'outcomes_deleted' }
      },
    },
  ]
  return { page, acts }
}

/** Note at an outcome that no merchant owns. */
const OF_ALL = 'Set for all merchants. The administrator can delete it.'

/** Renders the field that selects one merchant or all. */
const anyMerchant = async (visit: ConsoleVisit) => ({
  label: 'Merchant',
  kind: 'choice' as const,
  words: [{ choice: '', text: 'the first to pay' }, ...(await merchantWords(visit))],
})
