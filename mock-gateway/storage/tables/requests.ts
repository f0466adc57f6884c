import type { JsonObject } from '../../domain/json.ts'
import type { Notice } from '../../domain/notices.ts'
import {
  id,
  integer,
  key,
  moment,
  type NewRowOf,
  nullable,
  type RowOf,
  real,
  text,
} from './columns.ts'

/** A request and its response. Never a card number, a password or a secret. */
export const requestColumns = {
  id: key(),
  /** The value of the header X-Request-Id. */
  request_id: text(),
  /** 0: no merchant. */
  merchant_id: id(),
  /** The payment that it touched or showed. */
  transaction_id: nullable(id()),
  method: text(),
  /** Pattern of the route, such as /v1/transactions/:id; null if no route fits. */
  route: nullable(text()),
  /** Status of the answer; null if the client disconnected. */
  status: nullable(integer()),
  /** Name of the error that was answered. */
  error: nullable(text()),
  explain: nullable(text()),
  /** Milliseconds. */
  duration: real(),
  /** Characters of `contents` and `answer`. */
  bytes: integer(),
  /** Epoch milliseconds, by the merchant's clock. */
  created_at: moment(),
  /**
   * JSON text of `RequestContents`. It is written once, because most requests are deleted before
   * anybody opens them.
   */
  contents: text(),
  /** JSON; null for a page, and if it is not stored. */
  answer: nullable(text()),
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
  /** Notices of the gateway about the request. */
  readonly notices: readonly Notice[]
  /** Mistakes in its hash that were found when it arrived. */
  readonly mistakes: readonly string[]
  /** The merchant that its failed login named. */
  readonly claimed?: number
}

export type RequestRow = RowOf<typeof requestColumns>
export type NewRequestRow = NewRowOf<typeof requestColumns>

/** Reads the contents of a request; requests of earlier versions have no notices. */
export const readContents = ({ contents }: Pick<RequestRow, 'contents'>): RequestContents => ({
  notices: [],
  ...JSON.parse(contents),
})
