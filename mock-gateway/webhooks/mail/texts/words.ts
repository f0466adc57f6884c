/** What a mail is about. */
export type Occasion = 'paid' | 'unpaid' | 'open' | 'refunded' | 'card' | 'alert'

/** What mails say. */
export interface Texts {
  readonly subject: Readonly<Record<Occasion, string>>
  readonly label: Readonly<
    Record<
      'order' | 'amount' | 'status' | 'card' | 'refund' | 'reason' | 'date' | 'error' | 'expires',
      string
    >
  >
  /** Under every mail, so that nobody takes it for money. */
  readonly simulated: string
}
