import { lookup as lookUp } from 'node:dns'
import { connect } from 'node:net'
import { isForbiddenAddress } from '../domain/webhook/addresses.ts'
import { explainFailure } from '../domain/webhook/explain-failure.ts'
import {
  type CallOptions,
  createCheckedLookup,
  findForbiddenHost,
  formatError,
  getPort,
} from './http-call.ts'

/** Milliseconds for the connection. */
const CONNECT_MS = 5_000

/**
 * Connects to the host of a web address without sending data, so that the shop sees no request.
 * @returns why the connection failed and how to fix it; undefined after success, and for hosts that
 *   webhooks may not call
 */
export type HostCheck = (url: URL, signal: AbortSignal) => Promise<string | undefined>

/** Creates the check of hosts, with the same rules for addresses as webhooks. */
export function createHostCheck({ addresses, database, lookup = lookUp }: CallOptions): HostCheck {
  const isAllowed = (address: string) => !isForbiddenAddress(address, addresses)
  return (url, signal) => {
    const port = getPort(url)
    if (port === database?.port || findForbiddenHost(url.hostname, isAllowed))
      return Promise.resolve(undefined)
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    const socket = connect({ host, port, signal, lookup: createCheckedLookup(lookup, isAllowed) })
    const end = (error?: string) => {
      socket.destroy()
      resolve(
        error === undefined
          ? undefined
          : explainFailure({ code: null, error, headers: null }, url.href),
      )
    }
    socket.setTimeout(CONNECT_MS, () =>
      end(`ETIMEDOUT: no connection within ${CONNECT_MS / 1000} s`),
    )
    socket.once('connect', () => end())
    // The lookup rejects forbidden addresses with an error without a code.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      end(error.code === undefined ? undefined : formatError(error)),
    )
    return promise
  }
}
