/**
 * Where a gateway writes what happens in it: what it needs of pino, and of others that are like it.
 */
export interface Logger {
  info(facts: object, message?: string): void
  warn(facts: object, message: string): void
  error(facts: object): void
}

/** Writes nothing. */
export const SILENT: Logger = { info() {}, warn() {}, error() {} }
