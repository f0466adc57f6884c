/**
 * Clock and randomness, passed in so that tests and the movable clock control them (our decision).
 */
export interface Ambient {
  /** Epoch milliseconds UTC. */
  now(): number
  randomBytes(count: number): Uint8Array
}

/** The gateway's log: the methods it needs of pino or a similar logger. */
export interface Logger {
  info(facts: object, message?: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

/** Discards every entry. */
export const SILENT: Logger = { info() {}, warn() {}, error() {} }
