/** One thing that happened. */
export interface Entry {
  /** Epoch milliseconds, by the merchant's clock. */
  readonly at: number
  readonly kind: 'clock' | 'request' | '3-D Secure' | 'bank' | 'payment' | 'webhook' | 'mail'
  readonly title: string
  readonly tone: 'good' | 'waiting' | 'bad' | 'off'
  /** What it was about, in one sentence. */
  readonly says: string | null
  /** Its contents. */
  readonly details: readonly Detail[]
  /** Where all of it is, by what it is. */
  readonly of?: { readonly what: 'requests' | 'webhooks'; readonly id: string }
}

export interface Detail {
  readonly name: string
  readonly text: string
}

export const entryAt = (at: number, kind: Entry['kind'], title: string, tone: Entry['tone']): Entry => ({
  at,
  kind,
  title,
  tone,
  says: null,
  details: [],
})

/** Whatever has a value, as text. */
export const detailsOf = (values: Readonly<Record<string, unknown>>): Detail[] =>
  Object.entries(values).flatMap(([name, value]) =>
    value === null || value === undefined || value === ''
      ? []
      : [{ name, text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) }],
  )
