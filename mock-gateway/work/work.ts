import type { Actor } from '../domain/actor.ts'
import type { Addresses } from '../domain/addresses.ts'
import type { Ambient } from '../domain/ambient.ts'
import { GatewayError } from '../domain/errors/errors.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { ForcedOutcome } from '../domain/order/decision.ts'
import type { WebhookTarget } from '../domain/webhook/request.ts'
import type { Database } from '../storage/database.ts'
import type { NextAnswer, NextOutcomes } from '../storage/next-outcomes.ts'
import type { Queries } from '../storage/tables/schema.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import type { TransactionRecord } from '../storage/transaction-parts.ts'

/** What a use case works with: everything it may know besides its command. */
export interface Work {
  /** The data: inside a database transaction, where a use case changes something. */
  readonly queries: Queries
  /** Whose data it is. */
  readonly merchant: Merchant
  /** Who does it. */
  readonly actor: Actor
  /** Epoch milliseconds UTC: the one moment at which all of this happens. */
  readonly now: number
  readonly randomBytes: Ambient['randomBytes']
  readonly addresses: Addresses
  /** What tests have set for the payments to come. */
  readonly nextOutcomes?: NextOutcomes
  /** What somebody has chosen for the payment that this is about, whatever waits for the next ones. */
  readonly chosenOutcome?: ForcedOutcome
  /** The client that waits for the answer; undefined if no client does. */
  readonly client?: Client
  /** Undefined if no shop is called before a payment. */
  readonly askShop?: AskShop | undefined
  /** Runs an effect once the data are committed. If they are rolled back, it does not run. */
  readonly afterCommit: (effect: () => void) => void
  readonly observer: WorkObserver
}

/** Is told what a use case has done, after the commit. */
interface WorkObserver {
  /** Data were written that fall due: the scheduler looks for them. */
  onDue(): void
  /** A transaction changed. @param events names of `log_events` */
  onTransaction?(row: TransactionRow, events: readonly string[]): void
  /** Webhook deliveries were written. */
  onDeliveries?(ids: readonly number[]): void
  /** The work goes on after it has waited; it is the only call that comes before a commit. */
  onContinue?(): void
}

/** Who is to be answered, such as a socket. */
export interface Client {
  /** True once it has gone. */
  readonly destroyed: boolean
}

/** A webhook that is asked before a payment: of the transaction, or a template of the merchant. */
export type AskedWebhook = WebhookTarget & { readonly webhook_id: number | null; readonly template: string | null }

/**
 * Calls webhooks before a payment, one after the other, until one refuses it.
 * @param body JSON text of the transaction
 */
export type AskShop = (merchant: Merchant, webhooks: readonly AskedWebhook[], body: string) => Promise<AskedShop>

/** What the shop said. */
interface AskedShop {
  /** Why the payment is refused; undefined when it may go on. */
  readonly refusal: GatewayError | undefined
  /**
   * Writes down what was sent and what came back, like the attempts of any webhook.
   * @param known the transaction, where there is one: of its webhooks those that were asked show it
   */
  keep(work: Work, known: TransactionRecord | undefined): Promise<void>
}

/** Work that has yet to begin its database transaction. What awaits anything but queries is done here, before. */
export interface OpenWork extends Work {
  /**
   * Does steps in one database transaction: all of them are kept or, when one throws, none. They await queries only,
   * and may be done more than once.
   */
  write<T>(steps: (work: Work) => Promise<T>): Promise<T>
}

/**
 * What is forced upon the bank for a payment; undefined: the bank decides. What a test has set for the next payment is
 * used up when that is kept.
 */
export const nextOutcome = async ({
  chosenOutcome,
  nextOutcomes,
  queries,
  merchant,
}: Work): Promise<(Pick<NextAnswer, 'outcome'> & Partial<NextAnswer>) | undefined> =>
  chosenOutcome ? { outcome: chosenOutcome } : nextOutcomes?.take(queries, merchant.id, 'payment')

/** @throws errors.service_not_available (243, as 503) when the client has gone: nothing is worked on for it any more */
export function refuseGone(client: Client | undefined): void {
  if (client?.destroyed) throw new GatewayError('errors.service_not_available', { explain: GONE, http: 503 })
}

const GONE = 'The client disconnected before its request was processed, so nothing was changed'

/**
 * Opens the unit of work of one use case. A client that has gone before the use case begins to write (for example because
 * the database kept it waiting) believes that nothing was done, and so nothing is.
 * @param database its `db` serves the reads before the database transaction
 * @throws errors of `refuseGone`
 */
export function openWork(
  database: Pick<Database, 'db' | 'write'>,
  given: Omit<Work, 'queries' | 'afterCommit'>,
): OpenWork {
  const { client, observer } = given
  const begin = () => {
    refuseGone(client)
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
 * What a use case works with that nobody asked for by a request, since its time has come.
 * @param now epoch milliseconds: the moment at which it was due
 * @returns undefined when there is no such merchant any more
 */
export type WorkAt = (merchantId: number, now: number) => Promise<OpenWork | undefined>
