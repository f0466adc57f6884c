import type { IncomingMessage } from 'node:http'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import type { Addresses } from '../../domain/addresses.ts'
import type { Ambient } from '../../domain/ambient.ts'
import { findEntryByName } from '../../domain/errors/errors.ts'
import { readId } from '../../domain/identifiers.ts'
import { pickHashedParts, requestHash } from '../../domain/order/hash.ts'
import { STATES } from '../../domain/order/states.ts'
import { hasDefaultPassword, type KnownMerchant } from '../../merchants/seed.ts'
import type { Sandbox } from '../../operations/operation.ts'
import { BACK_TO_NORMAL, type SandboxState, STATE } from '../../operations/sandbox.ts'
import { text } from '../../parsing/parameters/parameters.ts'
import type { Database } from '../../storage/database.ts'
import { findMerchant } from '../../storage/merchants.ts'
import { getExchange } from '../http/exchange.ts'
import { runOperation } from '../http/operation-context.ts'
import { receiveParameters } from '../http/receive.ts'
import type { AddressOf } from '../pages/assets.ts'
import { sendHtml } from '../pages/page.ts'
import { SITE_POLICY } from '../pages/site.ts'
import { renderHome } from './home-view.ts'
import { createCard, createSamples, UNKNOWN } from './samples.ts'

/** Dependencies of the home page. */
export interface HomeDependencies extends Sandbox {
  /** True if only this machine can reach the gateway. */
  readonly isLocal: boolean
  /** True if all data are lost when the gateway stops. */
  readonly inMemory: boolean
  /** Version of the package. */
  readonly version: () => Promise<string>
  /** The merchant with the default password and secret; undefined if there is none. */
  readonly known: KnownMerchant | undefined
  /** Undefined if there is no control API. */
  readonly controlKey: object | undefined
  /** Address of the example shops, after they have started. */
  readonly examples: { readonly at?: string | undefined }
  readonly randomBytes: Ambient['randomBytes']
  readonly assetAddresses: () => Promise<AddressOf>
}

/**
 * Serves `/`: an overview and first steps for people. Programs, which do not request HTML, are
 * redirected to the documentation. Addresses on the page use the host of the request.
 */
export function createHomeRouter(home: HomeDependencies): Router {
  const router = Router()
  router.get('/', onlyPeople(home), receiveParameters, (request, response) =>
    showHome(request, response, home),
  )
  // Pages of other origins cannot post here: see `createForeignWriteCheck`.
  if (canControl(home))
    router.post('/normal', receiveParameters, async (_request, response) => {
      await runOperation(response, home, BACK_TO_NORMAL, {})
      response.redirect(303, `${getRoot(home.addresses)}/`)
    })
  return router
}

/** True if the page offers faults and resets: only this machine can reach the gateway. */
const canControl = ({ isLocal, controlKey }: HomeDependencies) =>
  isLocal && controlKey !== undefined

/** Returns true for a browser: programs do not request HTML. */
export const isBrowser = ({ headers }: Pick<Request, 'headers'>): boolean =>
  headers.accept?.includes('text/html') ?? false

/** Returns the path under which the gateway is reached, such as `/gateway`; empty for the top. */
export const getRoot = ({ base }: Addresses): string => new URL(base).pathname.replace(/\/$/, '')

const onlyPeople =
  ({ addresses }: HomeDependencies): RequestHandler =>
  ({ headers, originalUrl }, response, next) => {
    if (!/^\/(?:\?|$)/.test(originalUrl)) return next('route')
    if (isBrowser({ headers })) next()
    else response.status(302).setHeader('Location', `${addresses.base}/docs`).end()
  }

async function showHome(
  request: Request,
  response: Response,
  home: HomeDependencies,
): Promise<void> {
  const { addresses, database, assetAddresses } = home
  const { now } = getExchange(response)
  const at = askedAt(request, addresses.base)
  const known = await findKnownMerchant(home)
  const expiry = formatExpiryAt(now)
  const own = new Set(
    [addresses.pay, addresses.cdn].filter((address) => address !== addresses.base),
  )
  const page = renderHome(await assetAddresses(), {
    root: getRoot(addresses),
    addresses: {
      API: `${at}/v1`,
      'Payment page': `${getAddress(addresses.pay)}/v1/form`,
      Library: `${getAddress(addresses.cdn)}/v2/mondido.js?merchant_id=${known?.id ?? UNKNOWN.id}`,
    },
    known,
    hasAdministrator: home.controlKey !== undefined,
    isLocal: canControl(home),
    database: home.inMemory ? 'SQLite, in memory: gone when it stops' : DATABASES[database.dialect],
    version: await home.version(),
    now,
    state: (await runOperation(response, home, STATE, {})) as SandboxState,
    paid: paidIn(response),
    order: known ? createOrder(home, known, at, expiry) : undefined,
    samples: createSamples({
      at,
      expiry,
      ...(known ? { ...known, id: String(known.id) } : UNKNOWN),
    }),
    expiry,
    examples: home.examples.at,
  })
  sendHtml(response, String(page), { policy: SITE_POLICY })

  function getAddress(address: string): string {
    return own.has(address) ? address : at
  }
}

/** Returns the expiry of all examples, or a later one after a move of the clock. */
const formatExpiryAt = (now: number) =>
  now < Date.UTC(2030, 11) ? '1230' : `12${(new Date(now).getUTCFullYear() + 3) % 100}`

const DATABASES: Readonly<Record<Database['dialect'], string>> = {
  sqlite: 'SQLite, in a file',
  postgres: 'PostgreSQL',
}

/** Returns the default merchant while it still has the default password and secret. */
async function findKnownMerchant({
  known,
  database,
}: HomeDependencies): Promise<KnownMerchant | undefined> {
  const kept = known && (await findMerchant(database.db, known.id))
  return kept && hasDefaultPassword(kept) && kept.secret === known.secret ? known : undefined
}

/** Builds the form of a first payment, as a shop's page would post it; the payer returns here. */
function createOrder(
  { randomBytes }: HomeDependencies,
  { id, secret }: KnownMerchant,
  at: string,
  expiry: string,
) {
  const payment_ref = `first-${Buffer.from(randomBytes(3)).toString('hex')}`
  const order = { amount: '10.00', currency: 'sek', payment_ref, test: 'true' }
  return {
    merchant_id: id,
    ...order,
    hash: requestHash(pickHashedParts(id, order), secret),
    ...createCard(expiry),
    success_url: `${at}/`,
    error_url: `${at}/`,
    // A mail needs no server that receives it: the console shows it.
    webhook: JSON.stringify({ trigger: 'payment', email: 'shop@example.com' }),
  }
}

/**
 * Describes the payment that the payer returns from: only its number, its status and a known error
 * are shown, whatever the address contains.
 */
function paidIn(response: Response) {
  const { parameters } = getExchange(response)
  const id = readId(text(parameters, 'transaction_id') ?? '')
  const status = text(parameters, 'status') ?? ''
  if (id === undefined || !Object.hasOwn(STATES, status)) return undefined
  const isPaid = status === 'approved' || status === 'authorized'
  return { id, status, isPaid, reason: findEntryByName(text(parameters, 'error_name') ?? '')?.en }
}

/**
 * Returns the address that a client used, such as `http://localhost:8080`: behind a container or a
 * proxy it differs from the gateway's own.
 * @param base the gateway's own address: its path is kept, and its scheme if the host is the same
 * @returns `base` if the Host header is invalid
 */
export function askedAt(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  base: string,
): string {
  const known = new URL(base)
  const asked = URL.parse(`http://${headers.host ?? ''}`)
  if (asked?.username !== '' || asked.pathname !== '/' || asked.search !== '') return base
  const scheme =
    'encrypted' in socket ? 'https:' : asked.host === known.host ? known.protocol : 'http:'
  return `${scheme}//${asked.host}${known.pathname.replace(/\/$/, '')}`
}
