import type { SessionPasses } from '../../merchants/sessions.ts'

/**
 * Sends a request to this gateway as a client: it is answered, logged and affected by faults like
 * any other.
 * @param merchantId the merchant that logs in; undefined: no login
 * @returns rejects if a fault cuts the connection
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
