import { beforeEach, expect, test } from 'vitest'
import type { MondidoOptions } from '../../../sdk/types.ts'
import { createKeyPair } from '../helpers/keys.ts'
import {
  ending,
  failure,
  installLibrary,
  payableForm,
  press,
  recordStates,
} from '../helpers/shop.ts'
import { useStage } from '../helpers/stage.ts'

const stage = useStage()
const { publicKey } = createKeyPair()
const RELOAD = 'Reload the page and try again. Nothing was charged.'

beforeEach(() => void installLibrary({ ...stage.gateway.config, publicKey }))

test('a payment under an old key is made under the new one, which the library fetches once', async () => {
  const form = payableForm()
  const states = recordStates(form)
  const end = ending(form)
  press(form)
  expect(await end).toMatchObject({ transaction: { status: 'approved' } })
  expect(states).toEqual(['before', 'encrypting', 'sending', 'encrypting', 'sending', 'success'])
  const [old, fresh] = stage.gateway.payments
  expect(old?.fields.get('mondido_attempt')).toBe(fresh?.fields.get('mondido_attempt'))
})

test.for<[string, MondidoOptions, object]>([
  ['the page gave the key', { publicKey }, {}],
  ['the script cannot be fetched', {}, { cdnUrl: 'http://gateway.test/nowhere' }],
])('the payer is asked to reload when %s', async ([, options, config]) => {
  installLibrary({ ...stage.gateway.config, publicKey, ...config })
  const form = payableForm({ timeouts: { status: 500 }, ...options }, { fields: { locale: 'en' } })
  const end = failure(form)
  press(form)
  expect(await end).toMatchObject({ code: 197, outcome: 'rejected', message: RELOAD })
  expect(stage.gateway.payments).toHaveLength(1)
})
