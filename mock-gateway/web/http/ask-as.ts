import type { SessionPasses } from '../../merchants/passes.ts'

/**
 * Asks the gateway itself, as a client does: the request is answered, logged and affected by faults
 * like any other.
 * @param merchantId who logs in; undefined: nobody does
 * @returns rejects where a fault cuts the connection
 */
export type AskAs = (merchantId: number | undefined, request: Request) => Promise<Response>

export const askAs =
  (passes: SessionPasses, handle: (request: Request) => Promise<Response>): AskAs =>
  async (merchantId, request) => {
    if (merchantId === undefined) return handle(request)
    return passes.during(merchantId, (password) => {
      request.headers.set('authorization', `Basic ${btoa(`${merchantId}:${password}`)}`)
      return handle(request)
    })
  }
