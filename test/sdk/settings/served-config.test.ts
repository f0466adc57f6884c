import { expect, test } from 'vitest'
import { takeServedConfig } from '../../../sdk/settings/merchant.ts'

test.for([true, false])(
  'the library removes the served configuration from the page (its global can be deleted: %s)',
  (configurable) => {
    const config = { merchantId: '1' }
    const page = {}
    Object.defineProperty(page, '__mondido_config', { value: config, writable: true, configurable })
    expect(takeServedConfig(page)).toBe(config)
    expect(Object(page).__mondido_config).toBeUndefined()
  },
)
