/** Subject of a mail. */
export type MailOccasion = 'paid' | 'unpaid' | 'open' | 'refunded' | 'card' | 'alert'

/** Texts of mails. */
export interface MailTexts {
  readonly subject: Readonly<Record<MailOccasion, string>>
  readonly label: Readonly<
    Record<
      'order' | 'amount' | 'status' | 'card' | 'refund' | 'reason' | 'date' | 'error' | 'expires',
      string
    >
  >
  /** At the end of every mail: no money was moved. */
  readonly simulated: string
}
