import { entryByName } from '../../domain/errors/errors.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { diagnoseHash } from '../../domain/order/hash-doctor.ts'
import { hashedRequest } from '../../domain/order/request-hash.ts'
import { NONE_ENCRYPTED } from '../../parsing/parameters/decrypt.ts'
import { type Parameters, pick } from '../../parsing/parameters/parameters.ts'
import { HASHED_FIELDS, readHash } from '../../parsing/request-hash.ts'
import { wireTime } from '../../serializers/time.ts'
import { findRequest, NOBODY } from '../../storage/requests.ts'
import { contentsIn, type RequestContents, type RequestRow } from '../../storage/tables/requests.ts'
import { findDeliveries } from '../../storage/webhook-deliveries.ts'
import { type Cell, link, plain, time } from './cells.ts'
import { deliveryTable } from './deliveries.ts'
import { mistakenSecrets } from './mistaken-secrets.ts'
import { toneOf } from './requests.ts'
import { fieldsIn, fieldsToSend } from './sent-fields.ts'
import { snippetsOf } from './snippets.ts'
import { type LiquidView, type MerchantVisit, noRow, type Page, type Visit } from './visit.ts'

/** One request: what was sent as it was read, what was answered and why, and how to send it again. */
export const REQUEST_PAGE: Page<MerchantVisit> = {
  path: '/requests/:id',
  section: 'requests',
  async show(visit) {
    const row = await requestOf(visit, visit.merchant.id)
    const { sent, mistakes } = contentsIn(row)
    const isWrongHash = row.error === 'errors.hash.invalid' && sent !== null
    const view = await shown(visit, row, visit.home, visit.merchant)
    return {
      ...view,
      data: {
        ...view.data,
        mistakes: isWrongHash ? [...new Set([...mistakes, ...(await diagnosed(visit, sent))])] : null,
        again: canRepeat(row) ? `${visit.home}/requests/${row.request_id}/again` : null,
        hash_tool: row.error?.startsWith('errors.hash.') && sent ? `${visit.home}/hash?${hashQuery(sent)}` : null,
      },
    }
  },
}

/** For the administrator: requests whose login was wrong are nobody's. */
export const REQUEST_OF_ALL_PAGE: Page<Visit> = {
  path: '/requests/:id',
  section: 'requests',
  show: async (visit) => shown(visit, await requestOf(visit, NOBODY), visit.root, undefined),
}

/** @throws errors.not_found (196), for those of other merchants too (attack 116) */
export async function requestOf({ dependencies, named }: Visit, merchantId: number): Promise<RequestRow> {
  await dependencies.keptRequests.settle()
  const row = await findRequest(dependencies.database.db, named.id ?? '')
  if (row?.merchant_id === merchantId) return row
  throw noRow('request', named.id ?? '')
}

async function shown(visit: Visit, row: RequestRow, home: string, merchant: Merchant | undefined): Promise<LiquidView> {
  const { dependencies } = visit
  const contents = contentsIn(row)
  const entry = row.error === null ? undefined : entryByName(row.error)
  const known = row.route === null ? undefined : await dependencies.knownCalls.names(row.method, row.route)
  const docs = `${visit.root.replace(/\/console$/, '')}/docs`
  return {
    view: 'request',
    live: ['webhooks'],
    title: `${row.method} ${contents.path}`,
    data: {
      status: { ...plain(row.status ?? 'gone'), tone: toneOf(row.status, row.error) },
      when: time(wireTime(row.created_at)),
      explain: row.explain,
      error: entry ? { code: entry.code, name: entry.name, text: entry.en, to: `${docs}#error-${entry.code}` } : null,
      struck: contents.struck,
      id: row.request_id,
      did: didOf(row, contents, home),
      webhooks: merchant && contents.deliveries.length > 0 ? await webhooksOf(visit, merchant, contents, home) : null,
      sent: contents.sent && sentFacts(contents, known),
      headers: facts(contents.headers),
      answered: facts(contents.answered),
      answer: row.answer === null ? null : indented(row.answer),
      times: timesOf(row, contents),
      snippets: contents.sent === null || isOfPage(row) ? [] : snippetsOf(callOf(visit, contents, row, merchant)),
      again: null,
      mistakes: null,
      hash_tool: null,
    },
  }
}

/** Only what the API answers is sent again: pages have keys of their own. */
export const canRepeat = (row: RequestRow): boolean => {
  const { sent, path } = contentsIn(row)
  return sent !== null && !isOfPage(row) && /^\/v[12]\//i.test(path)
}

const isOfPage = ({ route }: RequestRow) => route === null || /:token|:nonce/.test(route)

const callOf = (
  { dependencies }: Visit,
  { path, sent, headers }: RequestContents,
  { method }: RequestRow,
  merchant: Merchant | undefined,
) => ({
  method,
  url: dependencies.addresses.base + path,
  fields: fieldsToSend(sent ?? {}),
  merchantId: headers.authorization === undefined ? undefined : merchant?.id,
})

/** Every parameter, and what became of it. */
const sentFacts = ({ sent, encrypted }: RequestContents, known: ReadonlySet<string> | undefined) =>
  fieldsIn(sent ?? {}).map(([name, text]) => {
    const first = name.replace(/\[.*/s, '')
    const isIgnored = known !== undefined && !known.has(first)
    const note = encrypted.includes(first)
      ? 'came encrypted'
      : isIgnored
        ? 'ignored: this call reads no such name'
        : null
    return { name, ...plain(text), note }
  })

const facts = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([name, text]) => ({ name, ...plain(text) }))

/** What the request did to a payment. */
const didOf = ({ transaction_id }: RequestRow, { events }: RequestContents, home: string): Cell | null =>
  transaction_id === null || home.endsWith('/console')
    ? null
    : {
        ...link(`Transaction ${transaction_id}`, `${home}/transactions/${transaction_id}`),
        note: events.join(', ') || null,
      }

/** The webhooks and mails that it has caused, as long as nobody has removed them. */
async function webhooksOf({ dependencies }: Visit, { id }: Merchant, { deliveries }: RequestContents, home: string) {
  const filter = { merchantId: id, ids: deliveries }
  const rows = await findDeliveries(dependencies.database.db, filter, { limit: deliveries.length, offset: 0 })
  return deliveryTable({ home, dependencies }, rows.toReversed())
}

/** The steps, in the order in which they are done; answering is the rest. */
const STEPS: Readonly<Record<string, string>> = {
  read: 'until it was read',
  login: 'login',
  shop: "asking the merchant's server",
  database: 'database',
}

function timesOf({ duration }: RequestRow, { times }: RequestContents) {
  const steps = Object.entries(STEPS).flatMap(([step, name]) => {
    const took = times[step]
    return took === undefined ? [] : [[name, took] as const]
  })
  const rest = duration - steps.reduce((sum, [, took]) => sum + took, 0)
  return [...steps, ['the rest, and the answer', Math.max(rest, 0)] as const, ['all of it', duration] as const].map(
    ([name, took]) => ({ name, ...plain(`${took.toFixed(2)} ms`) }),
  )
}

/** JSON that was cut stays as it is. */
function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}

/** What is wrong with the hash, as far as what is kept tells. */
async function diagnosed(visit: MerchantVisit, sent: Parameters): Promise<readonly string[]> {
  const { merchant } = visit
  const hash = readHash(pick(sent, HASHED_FIELDS), NONE_ENCRYPTED)
  const request = hashedRequest(merchant, hash)
  const patient = { request, sent: hash.hash ?? '', secret: merchant.secret, mistaken: await mistakenSecrets(visit) }
  return diagnoseHash(patient, 'all')
}

/** The hash tool with the fields filled in. */
const hashQuery = (sent: Parameters) =>
  String(
    new URLSearchParams(
      HASHED_FIELDS.flatMap((name) => {
        const value = sent[name]
        return value === undefined || typeof value === 'object' ? [] : [[name, String(value)]]
      }),
    ),
  )
