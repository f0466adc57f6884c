/** One field of the body of a call, in the words of the contract. */
export interface KnownField {
  readonly name: string
  /** Empty where the contract says nothing. */
  readonly description: string
  /** All values there are, where there are few. */
  readonly choices: readonly string[]
  readonly isNumber: boolean
  readonly isRequired: boolean
}

/** What calls read, by the contract. Routes are patterns, such as `/v1/transactions/:id`. */
export interface KnownCalls {
  /** Undefined for calls that are not in the contract, or read any name. */
  names(method: string, route: string): Promise<ReadonlySet<string> | undefined>
  /** Of the body, in its order; none for calls that are not in the contract. */
  fields(method: string, route: string): Promise<readonly KnownField[]>
}
