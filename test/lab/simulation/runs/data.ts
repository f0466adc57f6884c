import type { Rates } from '../faults/rates.ts'
import type { Chance } from './chance.ts'
import type { Scheduler } from './scheduler.ts'

/** A row as SQL gives it. */
export type Row = Readonly<Record<string, number | string | null>>

/** The data that gateways share, and what a loss of power leaves of them. */
export interface Store {
  /** As `createGateway` takes it; another after each loss of power. */
  target(): string
  /** Looks at what is committed, past every gateway. */
  rows(statement: string): readonly Row[]
  /** Says whenever something else is committed than before: what was looked at then still holds. */
  version(): string
  /**
   * What was not flushed is gone. Nobody may write to the store any more; whoever comes opens the
   * new target.
   */
  losePower(): void
  remove(): void
}

/** What is between gateways and their database. */
export interface WireParts {
  readonly scheduler: Scheduler
  readonly chance: Chance
  /** Rates of faults now; after `heal` there are none. */
  readonly rates: () => Rates
  /** Is called with the fault that was injected into a query. */
  readonly onFault: (what: string) => void
}

/** A database for one run. */
export interface Data {
  readonly store: Store
  /**
   * From now on queries take this way. @returns resolves when time may go on, whatever was asked;
   * nothing waits at SQLite
   */
  lay(parts: WireParts): () => Promise<void> | undefined
  /** Milliseconds in which all leases of the dead end. */
  readonly leaseMs: number
  /** Whether an error follows from a fault that was injected into a query. */
  isInjected(error: Error): boolean
}
