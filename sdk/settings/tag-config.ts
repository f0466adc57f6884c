import type { ServedConfig } from '../types.ts'

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
