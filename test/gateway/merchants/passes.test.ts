import { expect, test } from 'vitest'
import { createPasses } from '../../../mock-gateway/merchants/sessions.ts'
import { createSeededBytes } from '../../helpers/gateway.ts'

test('an internal pass logs in its own merchant, only while the work that it was created for runs', async () => {
  const passes = createPasses(createSeededBytes('passes'))
  const kept = await passes.during(7, async (password) => {
    expect(password).toHaveLength(43)
    expect([7, 1, ''].map((id) => passes.isPass(String(id), password))).toEqual([
      true,
      false,
      false,
    ])
    return password
  })
  expect(passes.isPass('7', kept)).toBe(false)
  const failed = passes.during(7, async (password) => Promise.reject(new Error(password)))
  const { message } = await failed.catch((error: Error) => error)
  expect(passes.isPass('7', String(message))).toBe(false)
  expect(passes.isPass('undefined', 'never issued')).toBe(false)
})
