import { TEST_CARDS, testCard } from '../../../domain/card/test-cards.ts'
import { badFormat } from '../../../domain/errors/errors.ts'
import { isObject, type JsonObject } from '../../../domain/json.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import {
  listAcceptedVariants,
  listHashExamples,
  pickHashedParts,
} from '../../../domain/order/hash.ts'
import { UNSEEN } from '../../../domain/secrets.ts'
import { findOne } from '../../../storage/rows.ts'
import { type RequestRow, readContents } from '../../../storage/tables/requests.ts'
import { getExchange } from '../../http/exchange.ts'
import { ENCRYPTED, NOT_KEPT } from '../../http/request-contents.ts'
import { html } from '../../pages/html.ts'
import type { FormFields } from '../parts/forms.ts'
import { renderOperationForm } from '../parts/operation-form.ts'
import {
  type ConsolePage,
  type ConsoleRedirect,
  type ConsoleView,
  type FormAction,
  type MerchantVisit,
  noPage,
  readTexts,
} from '../visit.ts'
import { canRepeat, findShownRequest } from './request-page.ts'
import { type Field, isInQuery, listFields } from './snippets.ts'

const path = '/requests/:id/again'

/** Page with the form of a repeated request, filled from the stored one. */
export const SEND_AGAIN_PAGE: ConsolePage<MerchantVisit> = {
  ...{ path },
  async show(visit) {
    const row = await repeatable(visit)
    return showForm(visit, row, restoreFields(readContents(row).sent ?? {}), { login: 'true' })
  },
}

/** Sends the request to this gateway as a client, and leads to the page of the new request. */
export const SEND_AGAIN_ACT: FormAction<MerchantVisit> = {
  ...{ path },
  act: async (visit) => send(visit, await repeatable(visit)),
  again: async (visit, problem) =>
    showForm(
      { ...visit, refused: { form: path, problem } },
      await repeatable(visit),
      removeCards(typedFields(visit)),
      choicesIn(visit),
    ),
}

/** @throws errors.not_found (196), also for other merchants' requests (attack 116) */
async function repeatable(visit: MerchantVisit): Promise<RequestRow> {
  const row = await findShownRequest(visit)
  if (canRepeat(row)) return row
  throw noPage()
}

const typedFields = ({ parameters: { field } }: MerchantVisit): Field[] =>
  isObject(field) ? listFields(field) : []

const choicesIn = ({ parameters }: MerchantVisit) =>
  readTexts(parameters, Object.keys(CHOICES) as (keyof typeof CHOICES)[])

async function send(visit: MerchantVisit, row: RequestRow): Promise<ConsoleRedirect> {
  const { merchant, dependencies, response, db } = visit
  const { sent, path: at } = readContents(row)
  const { more, hash_is, renew, login } = choicesIn(visit)
  const all = [...typedFields(visit), ...parseFieldLines(more)]
  const filled = all.filter(([, value]) => value !== '')
  const tail = getExchange(response).id.slice(0, 8)
  const named = renew ? withNewRef(filled, sent ?? {}, tail) : filled
  const isWithHash = await isHashed(visit, row)
  const fields = isWithHash ? withHash(named, hash_is, merchant, login !== '') : named
  const request = requestWith(new URL(at, dependencies.addresses.base), row.method, fields)
  const asked = dependencies.ask(login ? merchant.id : undefined, request)
  const answer = await asked.catch(() => undefined)
  if (!answer) return { to: '/requests', done: 'request_cut' }
  await dependencies.keptRequests.settle()
  const request_id = answer.headers.get('x-request-id') ?? ''
  const made = await findOne(db, 'requests', { request_id })
  return made?.merchant_id === merchant.id
    ? { to: `/requests/${request_id}`, done: 'request_sent' }
    : { to: '/requests', done: 'request_of_nobody', count: answer.status }
}

function requestWith(url: URL, method: string, fields: readonly Field[]): Request {
  const form = new URLSearchParams(fields.map(([name, value]) => [name, value]))
  const headers = { 'user-agent': 'mondido-gateway console' }
  if (!isInQuery({ method })) return new Request(url, { method, headers, body: form })
  url.search = String(form)
  return new Request(url, { method, headers })
}

/** Returns whether the call has a hash, by the contract. */
const isHashed = async ({ dependencies }: MerchantVisit, { method, route }: RequestRow) =>
  (await dependencies.knownCalls.names(method, route ?? ''))?.has('hash') ?? false

/** Fields of the form about the request as a whole. */
const CHOICES = {
  more: {
    label: 'Further fields',
    help: 'One field on each line, for example metadata[colour]=red.',
    kind: 'json',
  },
  hash_is: {
    label: 'Hash',
    choices: {
      right: 'Calculate the right hash',
      kept: 'Send the hash of the form',
      wrong: 'Send a wrong hash',
    },
  },
  renew: {
    label: 'Order',
    choices: {
      '': 'Send the payment_ref of the form',
      true: 'Use a new payment_ref, unless it was changed',
    },
    help: 'An order can be paid only once.',
  },
  login: { label: 'Login', choices: { true: 'Log in as the merchant', '': 'Send no login' } },
} as const satisfies FormFields

async function showForm(
  visit: MerchantVisit,
  row: RequestRow,
  fields: readonly Field[],
  choices: Readonly<Record<string, string>>,
): Promise<ConsoleView> {
  const { sent, path: at } = readContents(row)
  const { more, hash_is, renew, login } = CHOICES
  const values = {
    ...choices,
    ...Object.fromEntries(fields.map(([name, value]) => [nameInput(name), value])),
  }
  const shown = fields.map(([name, value]) => {
    const suggestions = name === 'card_number' ? { suggestions: BRANDS } : {}
    const help = writeHelp(name, value, sent?.[name] !== '')
    return [nameInput(name), { label: name, help, ...suggestions }] as const
  })
  return {
    title: `Send again: ${row.method} ${at}`,
    body: html`<p><a href="${visit.home}/requests/${row.request_id}">The original request</a>.
Sending it again makes a new request to this gateway, which can really pay, capture or refund.</p>
${renderOperationForm(
  visit,
  {
    ...{ name: path, path, button: 'Send' },
    fields: {
      ...Object.fromEntries(shown),
      more,
      ...((await isHashed(visit, row)) && { hash_is }),
      ...(fields.some(([name]) => REFS.has(name)) && { renew }),
      login,
    },
  },
  { values, typed: values },
)}`,
  }
}

const nameInput = (field: string): string => `field[${field}]`

const BRANDS = Object.fromEntries([...TEST_CARDS].map(([number, { brand }]) => [number, brand]))

/**
 * Explains why a field is empty or differs from the request. @param was true if the request had a
 * value
 */
function writeHelp(name: string, value: string, was: boolean): string {
  if (name === 'card_number') return 'Card numbers are not stored. Enter a test card.'
  if (name === 'card_cvv') return 'CVV codes are not stored. Use 200 for an approved payment.'
  return value === '' && was
    ? 'The original value is not stored. If empty, the field is not sent.'
    : ''
}

/** A security code that the simulated bank approves. */
const GOOD_CVV = '200'

/**
 * Restores the fields of a request for its repetition: values that were not stored are empty, test
 * cards are complete.
 */
const restoreFields = (sent: JsonObject): Field[] =>
  listFields(sent)
    .filter(([name]) => name !== 'encrypted')
    .map(([name, value]): Field => {
      if (name === 'card_number') return [name, findTestCard(value)]
      if (name === 'card_cvv') return [name, value === '' ? '' : GOOD_CVV]
      return [name, NOT_STORED.has(value) ? '' : value]
    })

const NOT_STORED: ReadonlySet<string> = new Set([NOT_KEPT, ENCRYPTED, UNSEEN])

/** Returns the test card with the same first and last digits; empty for another card. */
function findTestCard(masked: string): string {
  const [, first, last] = /^(\d{6})\*+(\d{4})$/.exec(masked) ?? []
  const isShown = (number: string) =>
    first && last && number.startsWith(first) && number.endsWith(last)
  return [...TEST_CARDS.keys()].find(isShown) ?? ''
}

const removeCards = (fields: readonly Field[]): Field[] =>
  fields.map(([name, value]) => [name, isSecret(name, value) ? '' : value])

const isSecret = (name: string, value: string) =>
  name === 'card_cvv' || (name === 'card_number' && testCard(value) === undefined)

/** Parses one field per line, as `name=value`. @throws errors.request.bad_format (253) */
const parseFieldLines = (text: string): Field[] =>
  text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line): Field => {
      const [, name, value] = /^\s*([^=\s]+)=(.*)$/.exec(line) ?? []
      if (name !== undefined && value !== undefined) return [name, value]
      throw badFormat('more: write one field on each line, for example metadata[a]=1.')
    })

const WRONG_HASH = '0'.repeat(32)

/**
 * Adds the chosen hash to the fields.
 * @param choice of the form; by default the right hash
 * @param login whether the merchant logs in: without a login, some recipes are not accepted
 */
function withHash(
  fields: readonly Field[],
  choice: string,
  { id, secret, settings }: Merchant,
  login: boolean,
): Field[] {
  if (choice === 'kept') return [...fields]
  const others = fields.filter(([name]) => name !== 'hash')
  const sent = Object.fromEntries(others)
  const order = pickHashedParts(id, { ...sent, payment_ref: sent.payment_ref ?? sent.order_id })
  const customer = !login && order.customerRef !== ''
  const [best] = listAcceptedVariants({ strict: settings.strict_hash, customer })
  const hash = listHashExamples(order, secret).find(({ variant }) => variant === best)?.hash ?? ''
  return [...others, ['hash', choice === 'wrong' ? WRONG_HASH : hash]]
}

/** Changes a payment_ref that may already be paid. @param tail unique suffix */
const withNewRef = (fields: readonly Field[], before: JsonObject, tail: string): Field[] =>
  fields.map(([name, value]) =>
    REFS.has(name) && value === before[name]
      ? [name, `${value.slice(0, LONGEST_BEFORE_TAIL)}-${tail}`]
      : [name, value],
  )

const REFS: ReadonlySet<string> = new Set(['payment_ref', 'order_id'])

/** A payment_ref has 64 characters at most. */
const LONGEST_BEFORE_TAIL = 50
