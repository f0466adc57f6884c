/** How one call is made. */
export interface CallOptions {
  /** Milliseconds until the call is given up. Default: that of the client. */
  readonly timeout?: number | undefined
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined
}

/** A list that is read page by page, while somebody walks through it: `for await (const one of list)`. */
export interface List<Item> extends AsyncIterable<Item> {
  /** One page, by `limit` and `offset`, and how many there are in all. */
  page(): Promise<{ readonly items: readonly Item[]; readonly total: number }>
  /** Everything, in one array. */
  all(): Promise<Item[]>
}

/** What a payer's browser gets: a page, or an address to go on to. */
export interface PageAnswer {
  readonly status: number
  /** Where the payer is sent; undefined where a page is shown. */
  readonly location: string | undefined
  /** HTML. */
  readonly body: string
}

/** How a call of the contract is made. */
export interface CallRow {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly server: 'base' | 'pay' | 'cdn'
  /** Such as /v1/transactions/{id}. */
  readonly path: string
  readonly answers: 'json' | 'list' | 'page' | 'text'
  /** It has no parameters. */
  readonly takes?: false
}
