import { constants, publicEncrypt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Program, startProgram } from '../../helpers/program.ts'

const BUILT = 'mock-gateway/dist/cli.js'

let program: Program
let origin: string
beforeAll(async () => {
  if (!existsSync(BUILT)) throw new Error(`There is no ${BUILT}: run npm run build`)
  program = startProgram(BUILT, ['--port', '0', '--memory'])
  const line = await program.printed(/REST API/)
  origin = new URL(/REST API +(\S+)/.exec(line)?.[1] ?? '').origin
})
afterAll(() => program.stop())

test('the built command decrypts', async () => {
  const library = await (await fetch(`${origin}/v2/mondido.js?merchant_id=1`)).text()
  const { publicKey } = JSON.parse(/__mondido_config=(.+);/.exec(library)?.[1] ?? '{}')
  const key = { key: publicKey, padding: constants.RSA_PKCS1_PADDING }
  const card_holder = publicEncrypt(key, Buffer.from(btoa('Kim Berg'))).toString('base64')
  const form = {
    card_holder,
    encrypted: 'card_holder',
    card_number: '4111111111111111',
    card_expiry: '1235',
  }
  const answer = await fetch(`${origin}/v1/stored_cards`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('1:custom00')}` },
    body: new URLSearchParams({
      ...form,
      card_type: 'VISA',
      card_cvv: '200',
      currency: 'sek',
      test: 'true',
    }),
  })
  expect(await answer.json()).toMatchObject({ card_holder: 'Kim Berg' })
})
