import type { TransactionStatus } from '../../../contract/wire.ts'

/** Event of a mail. */
export type MailOccasion = 'paid' | 'reserved' | 'unpaid' | 'open' | 'refunded' | 'card' | 'alert'

/** Texts of mails. */
export interface MailTexts {
  /** Subjects of receipts, which go to the payer. */
  readonly payer: Readonly<Record<MailOccasion, string>>
  /** Subjects of e-mail webhooks and alerts, which go to the merchant. */
  readonly merchant: Readonly<Record<MailOccasion, string>>
  readonly label: Readonly<
    Record<
      'order' | 'amount' | 'status' | 'card' | 'refund' | 'reason' | 'date' | 'error' | 'expires',
      string
    >
  >
  /** An invoice is authorized, too, but reserves no money. */
  readonly status: Readonly<Record<TransactionStatus | 'invoice', string>>
  /** At the end of every mail: no money was moved. */
  readonly simulated: string
}
