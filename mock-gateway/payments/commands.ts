/** Takes what was authorized, or a part of it (specification: Capture). */
export interface CaptureTransaction {
  readonly id: number | undefined
  /** As sent. */
  readonly amount: string | undefined
}

/** Gives money back (specification: Refunds). */
export interface CreateRefund {
  readonly transactionId: number | undefined
  /** As sent. */
  readonly amount: string | undefined
  readonly reason: string | undefined
  /** The merchant's own. */
  readonly ref: string | undefined
}
