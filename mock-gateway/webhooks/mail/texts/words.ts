/** What a mail is about. */
export type MailOccasion = 'paid' | 'unpaid' | 'open' | 'refunded' | 'card' | 'alert'

/** What mails say. */
export interface MailTexts {
  readonly subject: Readonly<Record<MailOccasion, string>>
  readonly label: Readonly<
    Record<
      'order' | 'amount' | 'status' | 'card' | 'refund' | 'reason' | 'date' | 'error' | 'expires',
      string
    >
  >
  /** Under every mail, so that nobody takes it for money. */
  readonly simulated: string
}
