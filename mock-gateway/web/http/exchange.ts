import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Response } from 'express'
import type { Addresses } from '../../domain/addresses.ts'
import type { RandomSource } from '../../domain/chance.ts'
import type { Changes } from '../../domain/changes.ts'
import type { Locale } from '../../domain/language/languages.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Notice } from '../../domain/notices.ts'
import { performance } from '../../domain/timers.ts'
import { type EncryptedNames, NONE_ENCRYPTED } from '../../parsing/parameters/decrypt.ts'
import type { Parameters } from '../../parsing/parameters/parameters.ts'
import type { Sender } from '../../parsing/request-hash.ts'
import type { Clocks } from '../../scheduler/clocks.ts'
import { createPaymentLine, type PaymentLine } from '../../serializers/payment-line.ts'
import type { Database } from '../../storage/database.ts'
import type { Faults } from '../../storage/faults.ts'
import type { NextOutcomes } from '../../storage/next-outcomes.ts'
import type { ClientFacts } from '../../storage/tables/transactions.ts'
import { type AskShop, type OpenWork, openWork, type Person } from '../../work/work.ts'
import type { ThreadWatch } from './watchdog.ts'

/** Dependencies of every request. */
export interface Service {
  readonly database: Database
  readonly clocks: Clocks
  readonly chance: RandomSource
  /** Outcomes that tests have forced. */
  readonly nextOutcomes: NextOutcomes
  readonly faults: Faults
  /** Searches for due work now. */
  readonly wake: () => void
  /** Calls webhooks before a payment. */
  readonly askShop?: AskShop | undefined
  readonly addresses: Addresses
  readonly threadWatch: ThreadWatch<Response>
  /** Publishes live updates. */
  readonly changes: Changes
}

/** State of one request while it is answered. Stored in `response.locals`. */
export class Exchange {
  /** UUID, returned as X-Request-Id. */
  readonly id = randomUUID()
  /** Header of the request for its webhooks; undefined if it has no valid one. */
  readonly traceparent: string | undefined
  /** Milliseconds of the monotonic clock. */
  readonly startedAt = performance.now()
  /** Returns the same moment by the clock of a merchant. */
  readonly getNow: (merchantId?: number) => number
  readonly service: Service
  /** Decrypted; empty before they are read. */
  parameters: Parameters = NO_PARAMETERS
  /** Names of the encrypted parameters. */
  encrypted: EncryptedNames = NONE_ENCRYPTED
  /** The authenticated merchant. */
  merchant: Merchant | undefined = undefined
  /** The merchant of a rejected login, only for the format of the error. */
  unproven: Merchant | undefined = undefined
  /** The merchant of a page, which needs no login; for the log. */
  pageOf: Merchant | undefined = undefined
  /** True after a login with a password: then the whole request comes from the merchant. */
  loggedIn = false
  /** True if the administrator is logged in, on a merchant's pages. */
  administrator = false
  locale: Locale
  /**
   * The resource whose call was rejected before a route was found, such as /v1/transactions or
   * /v1/transactions/*.
   */
  resource: string | undefined = undefined
  /** The payment that the request changed, for the log. */
  payment: PaymentLine | undefined = undefined
  /** Id of the payment that the request only read. */
  about: number | undefined = undefined
  /** Name of the returned error, for the log. */
  errorName: string | undefined = undefined
  /** Milliseconds of each step. */
  readonly times: Times = {}
  /** Ids of the deliveries that the request created. */
  readonly deliveries: number[] = []
  /** Notices about the request; its explanation contains their sentences. */
  readonly notices: Notice[] = []
  /** Kind of the fault that affected it. */
  struck: string | undefined = undefined
  /** The sent response. */
  answer: string | Buffer | undefined = undefined

  constructor(service: Service, traceparent: string | undefined, locale: Locale) {
    this.getNow = service.clocks.moment()
    this.service = service
    this.traceparent = traceparent
    this.locale = locale
  }

  /** Epoch milliseconds UTC: the time of everything the request does, by its merchant's clock. */
  get now(): number {
    return this.getNow(this.merchant?.id)
  }
}

const NO_PARAMETERS: Parameters = Object.freeze(Object.create(null))

/** Durations of a request's steps, in milliseconds; skipped steps are absent. */
interface Times {
  /** Receiving and reading the request. */
  readAt?: number
  /** Authenticating the merchant. */
  login?: number
  /** Writing the data; the simulated bank answers meanwhile. */
  database?: number
  /** Asking the merchant's server with a webhook before the payment. */
  shop?: number
}

declare global {
  namespace Express {
    interface Locals {
      exchange: Exchange
    }
  }
}

/** @throws TypeError if the request did not pass `beginExchange` */
export function getExchange(response: Response): Exchange {
  const { exchange } = response.locals
  if (!exchange) throw new TypeError('This router is not behind beginExchange')
  return exchange
}

/**
 * Returns the authenticated merchant.
 * @throws TypeError if the route has no authentication
 */
export function getMerchant(response: Response): Merchant {
  const { merchant } = getExchange(response)
  if (!merchant) throw new TypeError('This route is not behind authentication')
  return merchant
}

/**
 * Opens the unit of work of this request.
 * @param ofPage owner of the page, for a page without a login
 * @throws errors.service_not_available (243, as 503) if the client has disconnected
 */
export function createWork(response: Response, ofPage?: Merchant): OpenWork {
  const merchant = ofPage ?? getMerchant(response)
  const exchange = getExchange(response)
  exchange.pageOf = ofPage
  const { getNow, service } = exchange
  const { database, chance, addresses, nextOutcomes, wake, askShop, threadWatch, changes } = service
  const timed = {
    db: database.db,
    restores: database.restores,
    write: measureTime(exchange, 'database', database.write) as typeof database.write,
  }
  return openWork(timed, {
    merchant,
    actor: { by: ofPage ? 'page' : readSender(exchange), ip: getClient(response.req).ip },
    now: getNow(merchant.id),
    randomBytes: chance.of(merchant.id),
    addresses,
    nextOutcomes,
    client: response.req.socket,
    traceparent: exchange.traceparent,
    askShop: askShop && measureTime(exchange, 'shop', askShop),
    observer: {
      onDue: wake,
      onDeliveries: (ids) => void exchange.deliveries.push(...ids),
      onTransaction(row, events) {
        exchange.payment = createPaymentLine(row, events, exchange.encrypted)
        changes.publish({ merchantId: merchant.id, topic: 'transactions', id: row.id })
      },
      onContinue: threadWatch.of(response),
    },
  })
}

/** Returns the function, which now adds how long it took to this step of the request. */
const measureTime =
  <Args extends readonly unknown[], Result>(
    { times }: Exchange,
    step: 'database' | 'shop',
    run: (...args: Args) => Promise<Result>,
  ) =>
  async (...args: Args): Promise<Result> => {
    const began = performance.now()
    try {
      return await run(...args)
    } finally {
      times[step] = (times[step] ?? 0) + performance.now() - began
    }
  }

function readSender({ loggedIn, administrator }: Exchange): Person['by'] {
  if (administrator) return 'administrator'
  return loggedIn ? 'merchant' : 'payer'
}

/** Returns the sender and the time of a request. */
export function getSender(response: Response): Sender {
  const { loggedIn, encrypted, now, service } = getExchange(response)
  const client = getClient(response.req)
  const { addresses } = service
  return { merchant: getMerchant(response), loggedIn, encrypted, client, now, addresses }
}

/** Header texts are cut: they are shown, not used. */
const HEADER_LIMIT = 512

/** Returns the facts about the payer's browser in the request (specification: client_info). */
export function getClient(request: IncomingMessage): ClientFacts {
  return {
    user_agent: (request.headers['user-agent'] ?? '').slice(0, HEADER_LIMIT),
    ip: request.socket.remoteAddress ?? '',
    accept_language: (request.headers['accept-language'] ?? '').slice(0, HEADER_LIMIT),
  }
}
