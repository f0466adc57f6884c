import { changeCustomer, createCustomer } from '../../../customers/customers.ts'
import { badFormat } from '../../../domain/errors/errors.ts'
import { isObject } from '../../../domain/json.ts'
import { readCreateCustomer, readUpdateCustomer } from '../../../parsing/customer.ts'
import type { Parameters } from '../../../parsing/parameters/parameters.ts'
import { readCreatePlan, readUpdatePlan } from '../../../parsing/plan-terms.ts'
import { changePlan, createPlan } from '../../../subscriptions/plans.ts'
import { createWork } from '../../http/exchange.ts'
import { maskCardNumbers } from '../../http/mask-card-numbers.ts'
import { html } from '../../pages/html.ts'
import { getFields, type MerchantVisit, nameOne, ownRow } from '../visit.ts'
import { findObject } from './details.ts'
import { formatLabel } from './filters.ts'
import { type FormField, type FormFields, labelChoices } from './forms.ts'
import { fieldForm, formPage, type OperationForm } from './operation-form.ts'
import type { Wire } from './resources.ts'

const ON_LINES = ' One currency on each line, for example sek 99.00.'
const PRICES = ['prices', 'setup_fees']

/** Forms that create and change objects with the readers and use cases of the API. */
const FORMS = {
  plans: {
    fields: ['name', 'interval', 'interval_unit', 'prices'],
    more: ['description', 'setup_fees', 'periods', 'trial_length', 'status'],
    usual: { periods: '0', trial_length: '0', status: 'active' },
    save: (visit: MerchantVisit, id: number | undefined) => {
      const sent = maskCardNumbers(visit.response, withPrices(getFields(visit)))
      const work = createWork(visit.response)
      return id === undefined
        ? createPlan(work, readCreatePlan(sent))
        : changePlan(work, readUpdatePlan(id, sent))
    },
  },
  customers: {
    fields: ['ref', 'metadata'],
    more: [],
    usual: {},
    save: (visit: MerchantVisit, id: number | undefined) => {
      const sent = getFields(visit)
      const mask = <Command extends object>(command: Command) =>
        maskCardNumbers(visit.response, command)
      const work = createWork(visit.response)
      return id === undefined
        ? createCustomer(work, mask(readCreateCustomer(sent)))
        : changeCustomer(work, mask(readUpdateCustomer(id, sent)))
    },
  },
} as const

const KINDS: Readonly<Record<string, FormField['kind']>> = {
  description: 'long',
  prices: 'json',
  setup_fees: 'json',
  metadata: 'json',
}

type Name = keyof typeof FORMS

const pages = (Object.keys(FORMS) as Name[]).flatMap((name) =>
  ([true, false] as const).map((isNew) => {
    const form: OperationForm = {
      ...{ name, path: isNew ? `/${name}/new` : `/${name}/:id/change`, section: name },
      ...{ fields: {}, button: isNew ? 'Create' : 'Save' },
      run: async (visit) =>
        FORMS[name].save(visit, isNew ? undefined : (await ownRow(visit, name)).id),
      ...{ to: ({ id }) => `/${name}/${id}`, done: 'saved' },
    }
    return formPage(form, async (visit) => {
      const object = isNew ? null : await findObject(visit, name)
      const one = nameOne(name)
      return {
        title: object ? `Change ${one} ${object.id}` : `New ${one}`,
        body: fieldForm(
          visit,
          { ...form, ...(await fieldsOfCall(visit, name, isNew)) },
          {
            values: Object.fromEntries(
              Object.entries(object ?? {}).map(([each, value]) => [each, formatValue(value, each)]),
            ),
            after: html`<a href="${visit.home}/${name}${object && `/${object.id}`}">Back</a>`,
          },
        ),
      }
    })
  }),
)

export const RESOURCE_FORM_PAGES = pages.map(({ page }) => page)
export const RESOURCE_FORM_ACTS = pages.map(({ act }) => act)

/** Builds the fields of a form from the contract of its call. */
async function fieldsOfCall({ dependencies }: MerchantVisit, name: Name, isNew: boolean) {
  const known = await (isNew
    ? dependencies.knownCalls.fields('POST', `/v1/${name}`)
    : dependencies.knownCalls.fields('PUT', `/v1/${name}/:id`))
  const pick = (names: readonly string[]): FormFields =>
    Object.fromEntries(
      names.flatMap((each) => {
        const field = known.find((one) => one.name === each)
        if (!field) return []
        const { description, choices, isNumber, isRequired } = field
        const kind = KINDS[each] ?? (isNumber ? ('number' as const) : undefined)
        const usual = (FORMS[name].usual as Readonly<Record<string, string>>)[each]
        return [
          [
            each,
            {
              label: formatLabel(each),
              help: description + (PRICES.includes(each) ? ON_LINES : ''),
              isRequired,
              ...(choices.length > 0 && { choices: labelChoices(choices) }),
              ...(kind && { kind }),
              ...(usual && { usual }),
            },
          ] as const,
        ]
      }),
    )
  const { fields, more } = FORMS[name]
  return { fields: pick(fields), more: pick(more) }
}

/** Formats a value for the form. */
function formatValue(value: Wire[string] | undefined, name: string): string {
  if (!isObject(value)) return String(value ?? '')
  if (!PRICES.includes(name)) return JSON.stringify(value, null, 2)
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
    PRICES.flatMap((name) => {
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
