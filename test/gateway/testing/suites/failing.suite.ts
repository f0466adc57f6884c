import { expect } from 'vitest'
import { test } from '../../../../mock-gateway/testing/vitest.ts'

test.runIf(process.env.FAIL)('fails on purpose', async ({ shop }) => {
  await shop.pay({ payment_ref: 'A100' })
  await shop.pay({ payment_ref: 'A100' }).catch(() => {})
  expect('the shop').toBe('right')
})
