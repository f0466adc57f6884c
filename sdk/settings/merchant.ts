import { Fault } from '../errors/faults.ts'
import type { ServedConfig } from '../types.ts'

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
  const id = inForm ?? option ?? (configs.size === 1 ? [...configs.keys()][0] : undefined)
  if (id === undefined) {
    throw new Fault('config.merchant_missing')
  }
  const loaded = option === undefined ? [...configs.keys()] : [option]
  if (loaded.length && !loaded.includes(id)) {
    const facts = { known: loaded.join(', '), form: id }
    throw new Fault('config.merchant_mismatch', { facts, field: 'merchant_id' })
  }
  return { id, config: configs.get(id) }
}
