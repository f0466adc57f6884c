/** What the gateway writes in front of the library it serves for one merchant. */
export interface ServedConfig {
  /** Merchant id of the script's address. */
  merchantId: string
  /** The merchant's RSA public key, PEM. */
  publicKey: string
  /** Origin of the REST API, without a trailing slash. */
  apiUrl: string
  /** Origin of the hosted payment page and the form endpoint, without a trailing slash. */
  payUrl: string
  /** Origin this library was served from, without a trailing slash. */
  cdnUrl: string
  /**
   * Where the payer's bank sees the payer before a payment; left out when the merchant has no 3-D
   * Secure.
   */
  mpiUrl?: string
}

/** Name of the global the served script's first line declares. */
const CONFIG_GLOBAL = '__mondido_config'

/**
 * Takes the served configuration off the page: reads the global and makes it vanish, so that
 * nothing can be found or changed there later. A `var` cannot be deleted, then it is set to
 * undefined.
 */
export function takeServedConfig(page: {
  [CONFIG_GLOBAL]?: ServedConfig | undefined
}): ServedConfig | undefined {
  const config = page[CONFIG_GLOBAL]
  if (config && !Reflect.deleteProperty(page, CONFIG_GLOBAL)) page[CONFIG_GLOBAL] = undefined
  return config
}
