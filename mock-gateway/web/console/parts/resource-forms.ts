import { createCustomer, updateCustomerOf } from '../../../customers/customers.ts'
import { badFormat } from '../../../domain/errors/errors.ts'
import { isObject } from '../../../domain/json.ts'
import { readCreateCustomer, readUpdateCustomer } from '../../../parsing/customer.ts'
import type { Parameters } from '../../../parsing/parameters/parameters.ts'
import { readCreatePlan, readUpdatePlan } from '../../../parsing/plan-terms.ts'
import { createPlan, updatePlanOf } from '../../../subscriptions/plans.ts'
import type { OpenWork } from '../../../work/work.ts'
import { workOf } from '../../http/exchange.ts'
import { maskCardNumbers } from '../../http/mask-card-numbers.ts'
import { html } from '../../pages/html.ts'
import {
  type ConsolePage,
  type ConsoleRedirect,
  type ConsoleView,
  type FormAction,
  fieldsOf,
  type MerchantVisit,
  oneOf,
  ownRow,
  textsOf,
} from '../visit.ts'
import { objectOf } from './details.ts'
import {
  aboveForm,
  asFormField,
  besideField,
  type ConsoleProblem,
  type FormField,
  formField,
} from './form-errors.ts'
import { formView } from './forms.ts'
import type { Wire } from './resources.ts'

/** Resources with forms, which use the API's readers and use cases. */
type Name = 'plans' | 'customers'

/** Masks card numbers, as in the API. */
type Mask = <Command extends object>(command: Command) => Command

interface ResourceForm {
  /** Fields in order, with differences from the contract. */
  readonly fields: Readonly<Record<string, Partial<FormField>>>
  create(work: OpenWork, sent: Parameters, mask: Mask): Promise<{ readonly id: number }>
  change(
    work: OpenWork,
    id: number | undefined,
    sent: Parameters,
    mask: Mask,
  ): Promise<{ readonly id: number }>
}

const PRICES: Partial<FormField> = { kind: 'json' }

const PRICE_FIELDS = ['prices', 'setup_fees']
const isPrices = (name: string): boolean => PRICE_FIELDS.includes(name)

const FORMS: Readonly<Record<Name, ResourceForm>> = {
  plans: {
    fields: {
      name: { label: 'Name' },
      description: { label: 'Description', kind: 'long', usual: '' },
      interval: { label: 'Interval' },
      interval_unit: { label: 'Interval unit' },
      prices: { ...PRICES, label: 'Prices' },
      setup_fees: { ...PRICES, label: 'Setup fees', usual: '' },
      periods: { label: 'Periods', usual: '0' },
      trial_length: { label: 'Trial length', usual: '0' },
      status: { label: 'Status', usual: 'active' },
    },
    create: (work, sent, mask) => createPlan(work, readCreatePlan(mask(withPrices(sent)))),
    change: (work, id, sent, mask) =>
      updatePlanOf(work, readUpdatePlan(id, mask(withPrices(sent)))),
  },
  customers: {
    fields: { ref: {}, metadata: { kind: 'json' } },
    create: (work, sent, mask) => createCustomer(work, mask(readCreateCustomer(sent))),
    change: (work, id, sent, mask) => updateCustomerOf(work, mask(readUpdateCustomer(id, sent))),
  },
}

const NAMES = Object.keys(FORMS) as Name[]

export const RESOURCE_FORM_PAGES: readonly ConsolePage<MerchantVisit>[] = NAMES.flatMap((name) => [
  { path: `/${name}/new`, section: name, show: (visit) => show(visit, name, null) },
  {
    path: `/${name}/:id/change`,
    section: name,
    show: async (visit) => show(visit, name, await objectOf(visit, name)),
  },
])

export const RESOURCE_FORM_ACTS: readonly FormAction<MerchantVisit>[] = NAMES.flatMap(
  (name): FormAction<MerchantVisit>[] => [
    {
      path: `/${name}/new`,
      section: name,
      act: (visit) => save(visit, name, null),
      again: (visit, problem) => show(visit, name, null, problem),
    },
    {
      path: `/${name}/:id/change`,
      section: name,
      act: async (visit) => save(visit, name, (await ownRow(visit, name)).id),
      again: async (visit, problem) => show(visit, name, await objectOf(visit, name), problem),
    },
  ],
)

/** @param id of the object to change; null to create one */
async function save(visit: MerchantVisit, name: Name, id: number | null): Promise<ConsoleRedirect> {
  const { response } = visit
  const { create, change } = FORMS[name]
  const sent = fieldsOf(visit)
  const mask: Mask = (command) => maskCardNumbers(response, command)
  const work = workOf(response)
  const saved = await (id === null ? create(work, sent, mask) : change(work, id, sent, mask))
  return { to: `/${name}/${saved.id}`, done: 'saved' }
}

async function show(
  visit: MerchantVisit,
  name: Name,
  object: Wire | null,
  problem: ConsoleProblem | null = null,
): Promise<ConsoleView> {
  const { home, dependencies } = visit
  const one = oneOf(name)
  const { fields } = FORMS[name]
  const [method, route] = object ? ['PUT', `/v1/${name}/:id`] : ['POST', `/v1/${name}`]
  const known = new Map(
    (await dependencies.knownCalls.fields(method, route)).map((field) => [field.name, field]),
  )
  const names = Object.keys(fields).filter((each) => known.has(each))
  const typed = textsOf(visit.parameters, names)
  const beside = besideField(problem, names)
  return {
    title: object ? `Change ${one} ${object.id}` : `New ${one}`,
    body: formView({
      formToken: visit.formToken,
      to: `${home}/${name}/${object ? `${object.id}/change` : 'new'}`,
      problem: aboveForm(problem, beside),
      fields: names.map((each) => {
        const field = known.get(each)
        return formField(each, {
          ...(field && asFormField(field)),
          ...fields[each],
          ...(isPrices(each) && {
            help: `${field?.description} One currency on each line, for example sek 99.00.`,
          }),
          value: problem ? (typed[each] ?? '') : writtenOf(object?.[each], isPrices(each)),
          problem: beside[each] ?? null,
        })
      }),
      button: object ? 'Save' : 'Create',
      after: html`<a href="${home}/${name}${object ? `/${object.id}` : null}">Back</a>`,
    }),
  }
}

/** Formats a value for the form. */
function writtenOf(value: Wire[string] | undefined, hasPrices: boolean): string {
  if (value === undefined || value === null) return ''
  if (!isObject(value)) return String(value)
  if (!hasPrices) return JSON.stringify(value, null, 2)
  return Object.entries(value)
    .map(([currency, amount]) => `${currency} ${amount}`)
    .join('\n')
}

/**
 * Converts prices written one currency on a line to the API's format; an empty field removes the
 * fees.
 */
const withPrices = (sent: Parameters): Parameters => ({
  ...sent,
  ...Object.fromEntries(
    PRICE_FIELDS.flatMap((name) => {
      const written = sent[name]
      return typeof written === 'string' && !/^\s*[{%]/.test(written)
        ? [[name, pricesOn(name, written)]]
        : []
    }),
  ),
})

/** @throws errors.request.bad_format (253) */
function pricesOn(name: string, text: string): Readonly<Record<string, string>> {
  const prices: Record<string, string> = {}
  for (const line of text.split(/[\r\n,]+/)) {
    const [currency, amount, ...more] = line.trim().split(/[\s:]+/)
    if (!currency) continue
    if (amount === undefined || more.length > 0 || currency in prices)
      throw badFormat(
        `${name}: write each currency once, on a line of its own, for example sek 99.00.`,
      )
    prices[currency] = amount
  }
  return prices
}
