import { Fault } from '../errors/faults.ts'
import type { ServedConfig } from '../types.ts'

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

/**
 * Reads the configuration from the `data-` attributes of the library's own tag:
 * `/v2/mondido-<version>.js` is the same file for every merchant, so that a page can pin it with
 * `integrity`. Undefined without `data-merchant-id`.
 */
export function readTagConfig(script: Document['currentScript']): ServedConfig | undefined {
  if (!(script instanceof HTMLScriptElement)) return undefined
  const [cdnUrl = ''] = script.src.split('/v2/')
  const { merchantId, publicKey, apiUrl = cdnUrl, payUrl = apiUrl, threeDSecure } = script.dataset
  if (!merchantId) return undefined
  return {
    merchantId,
    publicKey: `-----BEGIN PUBLIC KEY-----${publicKey}-----END PUBLIC KEY-----`,
    apiUrl,
    payUrl,
    cdnUrl,
    ...(threeDSecure !== 'off' && { mpiUrl: `${payUrl}/v1/mpi_js` }),
  }
}

/** Configurations of the loaded scripts by merchant id. */
export type Configs = ReadonlyMap<string, ServedConfig>

export interface Merchant {
  id: string
  /** Undefined if no script was served for this merchant. */
  config: ServedConfig | undefined
}

/**
 * Chooses the merchant of a payment. The form's merchant must be the one that the script was loaded
 * for (specification: Browser integration).
 * @param inForm the form's `merchant_id`, undefined if missing or empty
 * @param option the `merchantId` option
 * @throws Fault `config.merchant_mismatch`, `config.merchant_missing`
 */
export function chooseMerchant(
  inForm: string | undefined,
  option: string | undefined,
  configs: Configs,
): Merchant {
  const loaded = option === undefined ? [...configs.keys()] : [option]
  const id = inForm ?? (loaded.length > 1 ? undefined : loaded[0])
  if (id === undefined) throw new Fault('config.merchant_missing')
  if (loaded.length && !loaded.includes(id)) {
    const facts = { known: loaded.join(', '), form: id }
    throw new Fault('config.merchant_mismatch', { facts, field: 'merchant_id' })
  }
  return { id, config: configs.get(id) }
}
