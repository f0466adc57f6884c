import type { Control } from '../testing/control.ts'

/** A request, as `/_control/requests` lists it. */
export interface RejectedRequest {
  readonly request_id: string
  readonly at: string
  readonly merchant_id: number | null
  readonly method: string
  readonly route: string | null
  readonly status: number | null
  readonly error: string | null
  readonly explain: string | null
}

/**
 * Returns the newest rejected request of a merchant. Requests with a wrong password, which belong
 * to no merchant, are included.
 */
export async function findLastRejection(
  control: Control,
  merchantId: number,
): Promise<RejectedRequest | undefined> {
  const { requests } = await control<{ readonly requests: readonly RejectedRequest[] }>(
    'GET',
    '/requests',
    {
      limit: 1000,
    },
  )
  return requests.find(
    ({ merchant_id, error, route }) =>
      (merchant_id === null || merchant_id === merchantId) &&
      error !== null &&
      !route?.startsWith('/_control'),
  )
}
