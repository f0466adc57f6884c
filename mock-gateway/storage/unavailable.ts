/**
 * The gateway itself sees that its data cannot be written; the message is one sentence for the
 * integrator.
 */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError'
}

/**
 * Explains why the database is temporarily unavailable.
 * @returns a sentence for the integrator, without the sent values; undefined for errors of every
 * other kind
 */
export function explainUnavailability(error: unknown): string | undefined {
  if (error instanceof UnavailableError) return error.message
  if (!(error instanceof Error)) return undefined
  const {
    code = '',
    errcode,
    message,
  } = error as Error & { readonly code?: string; readonly errcode?: number }
  if (errcode !== undefined) return SQLITE[errcode & 0xff]
  return POSTGRES[code] ?? (LOST_CODE.test(code) || LOST_MESSAGE.test(message) ? LOST : undefined)
}

const FULL = 'The disk of the database is full. Make room, and send the request again.'
const READ_ONLY = 'The database is read-only. Let the gateway write, and send the request again.'
const LOST =
  'The database does not answer. Check whether the request was carried out before you send it again.'

/** Reasons by SQLite's primary result code. */
const SQLITE: Readonly<Record<number, string>> = {
  5: 'Another process has locked the data file. Send the request again.',
  6: 'Another process has locked the data file. Send the request again.',
  8: READ_ONLY,
  10: 'The data file cannot be read or written. Check its disk.',
  13: FULL,
  14: 'The data file cannot be opened. Check its folder.',
}

/** Reasons by SQLSTATE. */
const POSTGRES: Readonly<Record<string, string>> = {
  '25006': READ_ONLY,
  '53100': FULL,
  '55P03': 'Another transaction kept a lock in the database for too long. Send the request again.',
  '57014': 'The database took too long. Send the request again.',
}

/** Connections that were lost or never made: of Node, and SQLSTATE classes 08, 53 and 57. */
const LOST_CODE =
  /^(?:E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH)|(?:08|53|57P)\w+)$/

/** pg says these without a code. */
const LOST_MESSAGE =
  /^(?:timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error)/
