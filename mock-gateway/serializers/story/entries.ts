/** Those who take part in a payment, in the order of the lanes of its diagram. */
export const PARTIES = ['payer', 'shop', 'gateway', 'bank', 'receiver'] as const

export type Party = (typeof PARTIES)[number]

/** A request, redirect, question or webhook, from one party to another. */
export interface StoryArrow {
  readonly from: Party
  readonly to: Party
  readonly label: string
  /** What came of it; null where there is nothing to tell. */
  readonly result: string | null
}

/** One thing that happened. */
export interface StoryEntry {
  /** Epoch milliseconds, by the merchant's clock. */
  readonly at: number
  readonly kind: 'clock' | 'request' | '3-D Secure' | 'bank' | 'payment' | 'webhook' | 'mail'
  readonly title: string
  readonly tone: 'good' | 'waiting' | 'bad' | 'off'
  /** What it was about, in one sentence. */
  readonly says: string | null
  /** Its contents. */
  readonly details: readonly StoryDetail[]
  /** Where all of it is, by what it is. */
  readonly of?: { readonly what: 'requests' | 'webhooks'; readonly id: string }
  /** Left out for what happened inside the gateway. */
  readonly arrow?: StoryArrow
  /** A step that only explains others: the diagram folds it. */
  readonly isPlumbing?: true
}

export interface StoryDetail {
  readonly name: string
  readonly text: string
}

export const entryAt = (
  at: number,
  kind: StoryEntry['kind'],
  title: string,
  tone: StoryEntry['tone'],
): StoryEntry => ({
  at,
  kind,
  title,
  tone,
  says: null,
  details: [],
})

/** Whatever has a value, as text. */
export const detailsOf = (values: Readonly<Record<string, unknown>>): StoryDetail[] =>
  Object.entries(values).flatMap(([name, value]) =>
    value === null || value === undefined || value === ''
      ? []
      : [{ name, text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) }],
  )
