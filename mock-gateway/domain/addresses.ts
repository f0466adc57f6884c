/**
 * Public addresses of the gateway's three roles, without a trailing slash (specification: roles).
 */
export interface Addresses {
  /** REST API and its `/v1`. */
  readonly base: string
  /** Payment page, form endpoint, 3-D Secure. */
  readonly pay: string
  /** Browser library. */
  readonly cdn: string
}

/** Returns true if the API and the pages have loopback addresses. */
export const isOnLoopback = ({ base, pay }: Addresses): boolean =>
  [base, pay].every((address) =>
    /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/.test(new URL(address).hostname),
  )

/** Addresses of the gateway itself: a payer is never sent back to them. */
export const listOwnAddresses = ({ base, pay, cdn }: Addresses) => [
  `${base}/v1`,
  `${base}/console`,
  `${base}/_control`,
  `${pay}/v1`,
  `${cdn}/v2`,
]
