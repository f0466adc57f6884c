import { TEST_CARDS } from '../../../domain/card/test-cards.ts'
import { isObject } from '../../../domain/json.ts'
import { text, yesOrNo } from '../../../parsing/parameters/parameters.ts'
import { findRequest } from '../../../storage/requests.ts'
import { contentsIn, type RequestRow } from '../../../storage/tables/requests.ts'
import { exchangeOf } from '../../http/exchange.ts'
import { html } from '../../pages/html.ts'
import { fieldView, tokenField } from '../parts/forms.ts'
import { problemOf } from '../parts/operation-form.ts'
import {
  type ConsolePage,
  type ConsoleRedirect,
  type ConsoleView,
  type FormAction,
  type MerchantVisit,
  noPage,
} from '../visit.ts'
import {
  HASHES,
  type HashChoice,
  parseFieldLines,
  restoreFields,
  withHash,
  withNewRef,
  withoutCards,
} from './repeated-request.ts'
import { canRepeat, requestOf } from './request-page.ts'
import { type Field, fieldsIn, isInQuery } from './snippets.ts'

const path = '/requests/:id/again'
const section = 'requests'

/** Page with the form of a repeated request, filled from the stored one. */
export const SEND_AGAIN_PAGE: ConsolePage<MerchantVisit> = {
  path,
  section,
  async show(visit) {
    const row = await repeatable(visit)
    const sent = contentsIn(row).sent ?? {}
    return formOf(visit, row, {
      fields: restoreFields(sent),
      more: '',
      hash: 'right',
      login: true,
      renew: false,
    })
  },
}

/** Sends the request to this gateway as a client, and leads to the page of the new request. */
export const SEND_AGAIN_ACT: FormAction<MerchantVisit> = {
  path,
  section,
  async act(visit) {
    return send(visit, await repeatable(visit), writtenIn(visit))
  },
  async again(visit, problem) {
    const written = writtenIn(visit)
    const shown = { ...written, fields: withoutCards(written.fields) }
    return formOf({ ...visit, refused: { form: path, problem } }, await repeatable(visit), shown)
  },
}

/** Values of the form. */
interface RequestTexts {
  readonly fields: readonly Field[]
  /** Additional parameters, one on a line. */
  readonly more: string
  readonly hash: HashChoice
  /** True if the merchant logs in. */
  readonly login: boolean
  /** True if the order gets a new payment_ref. */
  readonly renew: boolean
}

/** @throws errors.not_found (196), also for other merchants' requests (attack 116) */
async function repeatable(visit: MerchantVisit): Promise<RequestRow> {
  const row = await requestOf(visit, visit.merchant.id)
  if (canRepeat(row)) return row
  throw noPage()
}

function writtenIn({ parameters }: MerchantVisit): RequestTexts {
  const { field = {} } = parameters
  return {
    fields: isObject(field) ? fieldsIn(field) : [],
    more: text(parameters, 'more') ?? '',
    hash:
      (Object.keys(HASHES) as HashChoice[]).find((each) => each === text(parameters, 'hash_is')) ??
      'right',
    login: yesOrNo(parameters, 'login') ?? false,
    renew: yesOrNo(parameters, 'renew') ?? false,
  }
}

async function send(
  visit: MerchantVisit,
  row: RequestRow,
  written: RequestTexts,
): Promise<ConsoleRedirect> {
  const { merchant, dependencies, response } = visit
  const { sent, path: at } = contentsIn(row)
  const filled = [...written.fields, ...parseFieldLines(written.more)].filter(
    ([, value]) => value !== '',
  )
  const named = written.renew
    ? withNewRef(filled, sent ?? {}, exchangeOf(response).id.slice(0, 8))
    : filled
  const fields = (await isHashed(visit, row))
    ? withHash(named, written.hash, merchant, written.login)
    : named
  const request = requestWith(new URL(at, dependencies.addresses.base), row.method, fields)
  const answer = await dependencies
    .ask(written.login ? merchant.id : undefined, request)
    .catch(() => undefined)
  if (!answer) return { to: '/requests', done: 'request_cut' }
  await dependencies.keptRequests.settle()
  const made = await findRequest(dependencies.database.db, answer.headers.get('x-request-id') ?? '')
  if (made?.merchant_id !== merchant.id)
    return { to: '/requests', done: 'request_of_nobody', count: answer.status }
  return { to: `/requests/${made.request_id}`, done: 'request_sent' }
}

function requestWith(url: URL, method: string, fields: readonly Field[]): Request {
  const form = new URLSearchParams(fields.map(([name, value]) => [name, value]))
  const headers = { 'user-agent': 'mondido-gateway console' }
  if (!isInQuery({ method })) return new Request(url, { method, headers, body: form })
  url.search = String(form)
  return new Request(url, { method, headers })
}

/** Returns whether the call has a hash, by the contract. */
async function isHashed(
  { dependencies }: MerchantVisit,
  { method, route }: RequestRow,
): Promise<boolean> {
  return (await dependencies.knownCalls.names(method, route ?? ''))?.has('hash') ?? false
}

async function formOf(
  visit: MerchantVisit,
  row: RequestRow,
  { fields, more, hash, login, renew }: RequestTexts,
): Promise<ConsoleView> {
  const { sent, path: at } = contentsIn(row)
  const before = `${visit.home}/requests/${row.request_id}`
  const problem = problemOf(visit, path)
  const canRenew = fields.some(([name]) => name === 'payment_ref' || name === 'order_id')
  const checked = (isChecked: boolean) => (isChecked ? html` checked` : null)
  return {
    title: `Send again: ${row.method} ${at}`,
    body: html`<p><a href="${before}">The original request</a>.
Sending it again makes a new request to this gateway, which can really pay, capture or refund.</p>
<form class="fields" method="post" action="${before}/again">${tokenField(visit)}
${fields.map(([name, value]) =>
  fieldView(
    `field[${name}]`,
    {
      label: name,
      help: helpOf(name, value, sent?.[name] !== '') ?? '',
      ...(name === 'card_number' && { suggestions: BRANDS }),
    },
    { value },
  ),
)}
${fieldView(
  'more',
  {
    label: 'Further fields',
    help: 'One field on each line, for example metadata[colour]=red.',
    kind: 'json',
  },
  { value: more, problem: problem?.explain },
)}
${
  (await isHashed(visit, row))
    ? html`<fieldset><legend>Hash</legend>
${Object.entries(HASHES).map(
  ([value, words]) => html`<label class="tick">
<input type="radio" name="hash_is" value="${value}"${checked(value === hash)}> ${words}</label>
`,
)}</fieldset>`
    : null
}
${
  canRenew
    ? html`<p><label class="tick">
<input type="checkbox" name="renew" value="true"${checked(renew)}> Use a new payment_ref,
unless you have changed it (an order can be paid only once)</label></p>`
    : null
}
<p><label class="tick">
<input type="checkbox" name="login" value="true"${checked(login)}> Log in as the merchant</label>
</p>
<p><button>Send</button></p>
</form>`,
  }
}

const BRANDS = Object.fromEntries([...TEST_CARDS].map(([number, { brand }]) => [number, brand]))

/**
 * Explains why a field is empty or differs from the request. @param was true if the request had a
 * value
 */
function helpOf(name: string, value: string, was: boolean): string | null {
  if (name === 'card_number') return 'Card numbers are not stored. Enter a test card.'
  if (name === 'card_cvv') return 'CVV codes are not stored. Use 200 for an approved payment.'
  return value === '' && was
    ? 'The original value is not stored. If empty, the field is not sent.'
    : null
}
