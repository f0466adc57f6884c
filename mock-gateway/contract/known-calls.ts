/** One field in the body of a call, from the contract. */
export interface KnownField {
  readonly name: string
  /** Empty if the contract has none. */
  readonly description: string
  /** Allowed values, if there are few. */
  readonly choices: readonly string[]
  readonly isNumber: boolean
  readonly isRequired: boolean
}

/** Parameters of calls in the contract. Routes are patterns, such as `/v1/transactions/:id`. */
export interface KnownCalls {
  /** Returns undefined for calls that are not in the contract, or accept any name. */
  names(method: string, route: string): Promise<ReadonlySet<string> | undefined>
  /** Returns the fields of the body, in order; none for calls that are not in the contract. */
  fields(method: string, route: string): Promise<readonly KnownField[]>
}
