/** Configuration that the gateway adds to the library it serves for one merchant. */
export interface ServedConfig {
  /** Merchant id in the script's address. */
  merchantId: string
  /** The merchant's RSA public key, PEM. */
  publicKey: string
  /** Origin of the REST API, without a trailing slash. */
  apiUrl: string
  /** Origin of the hosted payment page and the form endpoint, without a trailing slash. */
  payUrl: string
  /** Origin that this library was served from, without a trailing slash. */
  cdnUrl: string
  /**
   * Address of the bank's authentication before a payment; absent if the merchant has no 3-D
   * Secure.
   */
  mpiUrl?: string
}

/** Name of the global that the served script's first line declares. */
const CONFIG_GLOBAL = '__mondido_config'

/**
 * Reads the served configuration and removes its global, so that no script can find or change it
 * later. A `var` cannot be deleted, so it is set to undefined.
 */
export function takeServedConfig(page: {
  [CONFIG_GLOBAL]?: ServedConfig | undefined
}): ServedConfig | undefined {
  const config = page[CONFIG_GLOBAL]
  if (config && !Reflect.deleteProperty(page, CONFIG_GLOBAL)) page[CONFIG_GLOBAL] = undefined
  return config
}
