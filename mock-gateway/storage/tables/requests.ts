import type { Insertable, Selectable } from 'kysely'
import type { JsonObject } from '../../domain/json.ts'
import { type Id, tableCodec } from './codec.ts'

/** A request and its response. Never a card number, a password or a secret. */
export interface RequestTable {
  id: Id
  /** The value of the header X-Request-Id. */
  request_id: string
  /** 0: no merchant. */
  merchant_id: number
  /** The payment that it touched or showed. */
  transaction_id: number | null
  method: string
  /** Pattern of the route, such as /v1/transactions/:id; null if no route fits. */
  route: string | null
  /** Status of the answer; null if the client disconnected. */
  status: number | null
  /** Name of the error that was answered. */
  error: string | null
  explain: string | null
  /** Milliseconds. */
  duration: number
  /** Characters of `contents` and `answer`. */
  bytes: number
  /** Epoch milliseconds, by the merchant's clock. */
  created_at: number
  /**
   * JSON text of `RequestContents`. It is written once, because most requests are deleted before
   * anybody opens them.
   */
  contents: string
  /** JSON; null for a page, and if it is not stored. */
  answer: string | null
}

/** Data of a request that lists do not show. */
export interface RequestContents {
  /** The address without its query; where a part of it is a secret, the route's pattern. */
  readonly path: string
  /** The parameters as read; null if they are not stored. */
  readonly sent: JsonObject | null
  /** Names of the encrypted parameters. */
  readonly encrypted: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  /** Headers of the answer. */
  readonly answered: Readonly<Record<string, string>>
  /** Milliseconds of each step. */
  readonly times: Readonly<Record<string, number>>
  /** Ids of the webhooks and mails that it has caused. */
  readonly deliveries: readonly number[]
  /** Events of the payment, by the names of `log_events`. */
  readonly events: readonly string[]
  /** A fault that a test has ordered for it. */
  readonly struck: string | null
  /** Mistakes in its hash that were found when it arrived. */
  readonly mistakes: readonly string[]
  /** The merchant that its failed login named. */
  readonly claimed?: number
}

export type RequestRow = Selectable<RequestTable>
export type NewRequestRow = Omit<Insertable<RequestTable>, 'id'>

export const requestCodec = tableCodec<RequestTable>({})

export const contentsIn = ({ contents }: Pick<RequestRow, 'contents'>): RequestContents =>
  JSON.parse(contents)
