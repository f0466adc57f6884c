import { DAY, monthsLater } from '../domain/subscription/periods.ts'

/** What may be asked of a clock. */
export type ClockMove =
  | { readonly kind: 'freeze'; readonly at?: number | undefined }
  | { readonly kind: 'set'; readonly at: number }
  | { readonly kind: 'advance'; readonly by: Span }
  /** To the moment at which the next thing is due. */
  | { readonly kind: 'next' }
  /** Time runs again; with `real` as if the clock had never been touched. */
  | { readonly kind: 'resume'; readonly real?: boolean | undefined }

/** How far a clock is moved: months first, then the rest; at least one is given. */
export interface Span {
  readonly seconds?: number | undefined
  readonly days?: number | undefined
  readonly months?: number | undefined
}

/** Months keep the day, or take the last of a month that is too short; days are 24 hours. */
export const after = (now: number, { seconds = 0, days = 0, months = 0 }: Span): number =>
  monthsLater(now, months) + days * DAY + seconds * 1000
