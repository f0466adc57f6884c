/** Options of one call. */
export interface CallOptions {
  /** Time limit in milliseconds. Default: the client's `timeout`. */
  readonly timeout?: number | undefined
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined
}

/**
 * A list that is fetched page by page while you iterate over it.
 * @example
 * for await (const payment of client.listTransactions()) console.log(payment.id)
 */
export interface List<Item> extends AsyncIterable<Item> {
  /** Fetches one page (`limit`, `offset`); `total` counts the whole list. */
  page(): Promise<{ readonly items: readonly Item[]; readonly total: number }>
  /** Fetches everything into one array. */
  all(): Promise<Item[]>
}

/** The answer that a payer's browser gets: a page, or a redirect. */
export interface PageAnswer {
  readonly status: number
  /** Address of the redirect; undefined for a page. */
  readonly location: string | undefined
  /** HTML. */
  readonly body: string
}

/** One call of the API. */
export interface CallRow {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly server: 'base' | 'pay' | 'cdn'
  /** For example /v1/transactions/{id}. */
  readonly path: string
  readonly answers: 'json' | 'list' | 'page' | 'text'
  /** False: the call has no parameters. */
  readonly takes?: false
}
