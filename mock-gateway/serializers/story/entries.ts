import { indentJson } from '../../domain/json.ts'

/** A participant in a payment. `receiver` receives webhooks. */
export type Party = 'payer' | 'shop' | 'gateway' | 'bank' | 'receiver'

/** A request, redirect, question or webhook from one participant to another. */
export interface StoryArrow {
  readonly from: Party
  readonly to: Party
  readonly label: string
  /** The result; null if there is none to report. */
  readonly result: string | null
  /** Text after the result that differs between equal arrows, such as a duration. */
  readonly note?: string
}

/** A part of a payment. */
export type PhaseName = 'Order' | '3-D Secure' | 'Authorisation' | 'Refund' | 'Result'

/** One event of a story. */
export interface StoryEntry {
  /** Epoch milliseconds by the merchant's clock. */
  readonly at: number
  readonly kind: 'clock' | 'request' | '3-D Secure' | 'bank' | 'payment' | 'webhook' | 'mail'
  readonly title: string
  readonly tone: 'good' | 'waiting' | 'bad' | 'off'
  /** Summary in one sentence. */
  readonly says: string | null
  readonly details: readonly StoryDetail[]
  /** The request or webhook with the full data. */
  readonly of?: { readonly what: 'requests' | 'webhooks'; readonly id: string }
  /** Absent if the entry belongs to the phase around it. */
  readonly phase?: PhaseName
  /** Absent for events inside the gateway. */
  readonly arrow?: StoryArrow
  /** A minor step: the diagram folds it. */
  readonly isPlumbing?: true
}

export interface StoryDetail {
  readonly name: string
  readonly text: string
}

export const createEntry = (
  at: number,
  kind: StoryEntry['kind'],
  title: string,
  tone: StoryEntry['tone'],
  more: Partial<StoryEntry> = {},
): StoryEntry => ({ at, kind, title, tone, says: null, details: [], ...more })

export const createArrow = (
  from: Party,
  to: Party,
  label: string,
  result: string | null = null,
  note?: string,
): StoryArrow => ({ from, to, label, result, ...(note && { note }) })

/** Turns values into texts, indents JSON, and drops missing values. */
export const listDetails = (values: Readonly<Record<string, unknown>>): StoryDetail[] =>
  Object.entries(values).flatMap(([name, value]) =>
    value === null || value === undefined || value === ''
      ? []
      : [
          {
            name,
            text: typeof value === 'string' ? indentJson(value) : JSON.stringify(value, null, 2),
          },
        ],
  )
