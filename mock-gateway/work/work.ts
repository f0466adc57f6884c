import type { Addresses } from '../domain/addresses.ts'
import type { Ambient } from '../domain/ambient.ts'
import { GatewayError } from '../domain/errors/errors.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { ForcedOutcome } from '../domain/order/decision.ts'
import type { WebhookTarget } from '../domain/webhook/request.ts'
import type { Database } from '../storage/database.ts'
import type { NextOutcome, NextOutcomes } from '../storage/next-outcomes.ts'
import type { Queries } from '../storage/tables/schema.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import type { TransactionRecord } from '../storage/transaction-parts.ts'

/** Unit of work of a use case: everything that the use case needs in addition to its command. */
export interface Work {
  /** Queries; in a database transaction if the use case changes data. */
  readonly queries: Queries
  /** Owner of the data. */
  readonly merchant: Merchant
  /** Person or program that started the use case. */
  readonly actor: Actor
  /** Epoch milliseconds UTC: the time of everything that the use case does. */
  readonly now: number
  readonly randomBytes: Ambient['randomBytes']
  readonly addresses: Addresses
  /** Outcomes that tests have set for the next payments. */
  readonly nextOutcomes?: NextOutcomes
  /** Outcome that was chosen for this payment; it comes before `nextOutcomes`. */
  readonly chosenOutcome?: ForcedOutcome
  /** Connection of the client that waits for the answer; undefined if no client does. */
  readonly client?: ClientConnection
  /** Header of the request, which its webhooks get too; undefined if it had none. */
  readonly traceparent?: string | undefined
  /** Undefined if no shop is called before a payment. */
  readonly askShop?: AskShop | undefined
  /** Runs an effect once the data are committed. If they are rolled back, it does not run. */
  readonly afterCommit: (effect: () => void) => void
  readonly observer: WorkObserver
}

/** Callbacks for what a use case has done. They run after the commit. */
interface WorkObserver {
  /** Due work was written: the scheduler searches for it. */
  onDue(): void
  /** A transaction changed. @param events names of its new `log_events` */
  onTransaction?(row: TransactionRow, events: readonly string[]): void
  /** Webhook deliveries were written. */
  onDeliveries?(ids: readonly number[]): void
  /** The use case continues after it has waited. This is the only call before a commit. */
  onContinue?(): void
}

/** Connection to the client that waits for an answer, such as a socket. */
export interface ClientConnection {
  /** True as soon as the client has disconnected. */
  readonly destroyed: boolean
}

/** Subscriber of a trigger: a webhook of the transaction, or a template of the merchant. */
export interface WebhookSubscriber extends WebhookTarget {
  /** Null for a template of the merchant and for an alert. */
  readonly webhook_id: number | null
  readonly template: string | null
}

/**
 * Calls webhooks before a payment, one after the other, until one rejects it.
 * @param body JSON text of the transaction
 */
export type AskShop = (
  work: Pick<Work, 'merchant' | 'traceparent'>,
  webhooks: readonly WebhookSubscriber[],
  body: string,
) => Promise<ShopAnswer>

/** Answer of a shop to its webhooks before a payment. */
export interface ShopAnswer {
  /** Error with which the shop rejects the payment; undefined if it accepts. */
  readonly refusal: GatewayError | undefined
  /**
   * Stores requests and answers, like the attempts of every webhook.
   * @param known the stored transaction, whose webhooks then show the call; undefined for a new one
   */
  keep(work: Work, known: TransactionRecord | undefined): Promise<void>
}

/**
 * Work before its database transaction. A use case calls other systems here, never inside of the
 * transaction.
 */
export interface OpenWork extends Work {
  /**
   * Runs steps in one database transaction; if one throws, all are rolled back. The steps await
   * queries only, and may run more than once.
   */
  write<T>(steps: (work: Work) => Promise<T>): Promise<T>
}

/**
 * Finds the outcome that is forced on a payment; undefined if the bank decides. The outcome of the
 * next payment is used up when that payment is stored.
 */
export const findNextOutcome = async ({
  chosenOutcome,
  nextOutcomes,
  queries,
  merchant,
}: Work): Promise<(Pick<NextOutcome, 'outcome'> & Partial<NextOutcome>) | undefined> =>
  chosenOutcome ? { outcome: chosenOutcome } : nextOutcomes?.take(queries, merchant.id, 'payment')

/** Stops if the client has disconnected. @throws errors.service_not_available (243, status 503) */
export function refuseGone(client: ClientConnection | undefined): void {
  if (client?.destroyed)
    throw new GatewayError('errors.service_not_available', { explain: GONE, http: 503 })
}

const RESTORED =
  'A snapshot was restored while this request ran, so the request changed nothing. Send it again.'

const GONE = 'The client disconnected before its request was processed, so nothing was changed.'

/**
 * Opens the unit of work of one use case. If the client disconnects before the use case writes (for
 * example because the database is slow), it assumes that nothing happened, so nothing is written.
 * Neither is anything written if a restore has replaced the data since.
 * @param database its `db` serves the reads before the database transaction
 * @throws errors of `refuseGone`; errors.service_not_available (243, status 503) after a restore
 */
export function openWork(
  database: Pick<Database, 'db' | 'write' | 'restores'>,
  given: Omit<Work, 'queries' | 'afterCommit'>,
): OpenWork {
  const { client, observer } = given
  const restores = database.restores.count()
  const begin = () => {
    refuseGone(client)
    if (database.restores.count() !== restores)
      throw new GatewayError('errors.service_not_available', { explain: RESTORED, http: 503 })
    observer.onContinue?.()
  }
  begin()
  const work: Work = { ...given, queries: database.db, afterCommit: (effect) => effect() }
  return {
    ...work,
    async write(steps) {
      let effects: (() => void)[] = []
      const result = await database.write((queries) => {
        begin()
        // The steps run again if the database rolled them back.
        effects = []
        return steps({ ...work, queries, afterCommit: (effect) => void effects.push(effect) })
      })
      for (const effect of effects) effect()
      return result
    },
  }
}

/**
 * The actor of a change to a payment, as its log shows it (our decision): the merchant logged in,
 * an administrator for the merchant, the payer with the browser library or a form, the browser that
 * has the payment page or a page of the bank open, or the gateway itself when something is due.
 */
type Actor = Person | { readonly by: 'gateway' }

export interface Person {
  readonly by: 'merchant' | 'administrator' | 'payer' | 'page'
  /** Empty if the connection was closed. */
  readonly ip: string
}
