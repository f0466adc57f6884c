import type { Operations } from '../client/operations.ts'

/**
 * Returns the newest rejected request of a merchant. Requests with a wrong password, which belong
 * to no merchant, are included.
 */
export async function findLastRejection({
  control,
  merchant,
}: {
  readonly control: Operations
  readonly merchant: { readonly id: number }
}) {
  const { requests } = await control.requests.list({ limit: 1000 })
  return requests.find(
    ({ merchant_id, error, route }) =>
      (merchant_id ?? merchant.id) === merchant.id &&
      error !== null &&
      !route?.startsWith('/_control'),
  )
}

/** A request, as `requests.list` lists it. */
export type RejectedRequest = NonNullable<Awaited<ReturnType<typeof findLastRejection>>>
