interface FaultRow {
  /** For documents and console: the effect that the client sees. */
  readonly description: string
  /** The gateway executes the request. */
  readonly isCarriedOut: boolean
  /** The fault has a length in milliseconds. */
  readonly isTimed?: true
}

/** Ways in which a request can go wrong. */
export const FAULTS = {
  latency: {
    description: 'a late answer, processed late',
    isCarriedOut: true,
    isTimed: true,
  },
  late_answer: {
    description: 'a late answer, processed on time',
    isCarriedOut: true,
    isTimed: true,
  },
  drop: { description: 'a closed connection instead of an answer', isCarriedOut: true },
  cut_answer: {
    description: 'half of the answer, then a closed connection',
    isCarriedOut: true,
  },
  bad_gateway: { description: 'the HTML page of a proxy with status 502', isCarriedOut: true },
  unavailable: { description: 'status 503', isCarriedOut: false },
  rate_limit: { description: 'status 429 with Retry-After: 1', isCarriedOut: false },
} as const satisfies Readonly<Record<string, FaultRow>>

export type FaultKind = keyof typeof FAULTS

export const FAULT_KINDS = Object.keys(FAULTS) as FaultKind[]

/** Returns true if a fault has a length in milliseconds. */
export const isTimed = (kind: FaultKind): boolean => 'isTimed' in FAULTS[kind]
