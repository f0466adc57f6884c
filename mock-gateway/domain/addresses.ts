/**
 * Where the three roles of the gateway are reached from outside, without a trailing slash
 * (specification: roles).
 */
export interface Addresses {
  /** REST API and its `/v1`. */
  readonly base: string
  /** Payment page, form endpoint, 3-D Secure. */
  readonly pay: string
  /** Browser library. */
  readonly cdn: string
}

/** Whether the API and the pages are reached by a name that means this machine. */
export const isOnLoopback = ({ base, pay }: Addresses): boolean =>
  [base, pay].every((address) =>
    /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/.test(new URL(address).hostname),
  )

/** Addresses of the gateway itself, which are no places to send a payer to. */
export const ownAddresses = ({ base, pay, cdn }: Addresses) => [
  `${base}/v1`,
  `${base}/console`,
  `${base}/_control`,
  `${pay}/v1`,
  `${cdn}/v2`,
]
