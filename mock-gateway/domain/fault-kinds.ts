interface FaultRow {
  /** For the documents and the console: what the client sees. */
  readonly description: string
  /** The gateway carries the request out. */
  readonly isCarriedOut: boolean
  /** The fault has a length in milliseconds. */
  readonly isTimed?: true
}

/** Ways in which a request can go wrong. */
export const FAULTS = {
  latency: {
    description: 'the answer late, since the request waits first',
    isCarriedOut: true,
    isTimed: true,
  },
  late_answer: {
    description: 'the answer late, to a request carried out immediately',
    isCarriedOut: true,
    isTimed: true,
  },
  drop: { description: 'a closed connection instead of an answer', isCarriedOut: true },
  cut_answer: {
    description: 'the first half of the answer, then a closed connection',
    isCarriedOut: true,
  },
  bad_gateway: { description: 'the HTML page of a proxy with status 502', isCarriedOut: true },
  unavailable: { description: 'status 503', isCarriedOut: false },
  rate_limit: { description: 'status 429 with Retry-After: 1', isCarriedOut: false },
} as const satisfies Readonly<Record<string, FaultRow>>

export type FaultKind = keyof typeof FAULTS

export const FAULT_KINDS = Object.keys(FAULTS) as FaultKind[]

/** Whether a fault has a length in milliseconds. */
export const isTimed = (kind: FaultKind): boolean => 'isTimed' in FAULTS[kind]
