import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import project from '../../../mock-gateway/package.json' with { type: 'json' }
import { readCurl, runCurl } from '../../helpers/banner.ts'
import { startProgram } from '../../helpers/program.ts'
import { complaints, run, typeProblems, useShop } from './packed.ts'

const shop = useShop('mondido-gateway')
const filesLike = (pattern: string) => globSync(pattern, { cwd: shop.installed })
const read = (path: string) => readFile(join(shop.installed, path), 'utf8')

test('the package is built when it is packed, and contains only needed files', () => {
  const files = filesLike('**/*.*')
  for (const path of [
    'launcher.cjs',
    'dist/cli.js',
    'dist/gateway.js',
    'dist/library/mondido.min.js',
    'docs/reference/api.md',
  ])
    expect(files).toContain(path)
  const types = files
    .filter((path) => /\.[cm]?ts$/.test(path) && !path.startsWith('dist/types/'))
    .sort()
  const entries = Object.values(project.exports).flatMap((entry) =>
    typeof entry === 'string' ? [] : [entry.types],
  )
  expect(types).toEqual(entries.map((path) => path.replace('./', '')).sort())
  // Each command of the CLI and each group of pages has its own files.
  expect(files.filter((path) => !/\.md$/.test(path)).length).toBeLessThan(130)
})

test('the package contains all its code, with the licences, and needs no other package', async () => {
  const { packages } = JSON.parse(await readFile(join(shop.folder, 'package-lock.json'), 'utf8'))
  expect(packages['node_modules/mondido-gateway']).not.toHaveProperty('dependencies')
  const licences = await read('dist/LICENSES.txt')
  for (const name of [
    'bowser',
    'express',
    'kysely',
    'liquidjs',
    'node-forge',
    'nodemailer',
    'pg',
    'pino',
    'zod',
  ])
    expect(licences).toMatch(new RegExp(`^${name} \\d[\\d.]* \\(.+\\)$`, 'm'))
})

test('the command of the package starts, takes a payment and stops', async () => {
  const command = join(shop.folder, 'node_modules', '.bin', 'mondido-gateway')
  expect((await run(command, ['--version'])).stdout.trim()).toBe(project.version)
  const program = startProgram(command, ['--memory', '--port', '0'])
  await program.printed(/^curl /)
  expect(await runCurl(readCurl(program.output()))).toMatchObject({
    status: 200,
    body: { status: 'approved' },
  })
  expect(await program.stop()).toBe(0)
})

const ASK = `createGateway().then(async (gateway) => {
  const login = { headers: { authorization: 'Basic ' + btoa('1:custom00') } }
  const answer = await gateway.handle(new Request('http://localhost:4400/v1/transactions', login))
  const library = await gateway.handle(new Request('http://localhost:4400/v2/mondido.js?merchant_id=1'))
  console.log(answer.status, typeof gateway.app, (await library.text()).includes('/*! mondido-js '))
  await gateway.close()
})`

test.each([
  ['import', 'gateway.mjs', "import { createGateway } from 'mondido-gateway'"],
  ['require', 'gateway.cjs', "const { createGateway } = require('mondido-gateway')"],
])('the gateway can be imported as %s', async (_how, name, line) =>
  expect(await shop.runFile(name, `${line}\n${ASK}`)).toBe('200 function true'),
)

test("the test kit is included, and throws the client's errors", async () => {
  const code = `import { PaymentError } from 'mondido-gateway/client'
import { startGateway } from 'mondido-gateway/testing'
const gateway = await startGateway()
const shop = await gateway.shop()
const error = await shop.pay({ card_cvv: '201' }).catch((reason) => reason)
console.log((await shop.pay()).status, error instanceof PaymentError, (await shop.webhooks.waitFor('payment_success')).data.status)
await gateway.close()`
  expect(await shop.runFile('kit.mjs', code)).toBe('approved true approved')
})

const TYPED = `import { createServer } from 'node:http'
import { createGateway, type Gateway, type GivenSettings, type MerchantSeed } from 'mondido-gateway'
import { createClient, type Transaction } from 'mondido-gateway/client'
import { type GivenSettings as ShopSettings, type Shop, startGateway } from 'mondido-gateway/testing'
export const settings: GivenSettings & ShopSettings = { live_cards: 'refuse' }
const merchant: MerchantSeed = { id: 7, password: 'hush-hush', secret: 'topsecret', settings: { live_cards: 'refuse' } }
export const started: Promise<Gateway> = createGateway({ merchants: [merchant] })
started.then(({ app }) => createServer(app))
const client = createClient({ merchantId: 7, password: 'hush-hush' })
export const found: Promise<Transaction> = client.getTransaction(7)
export const shop: Promise<Shop> = startGateway().then((gateway) => gateway.shop({ settings: { live_cards: 'refuse' } }))
// @ts-expect-error
createGateway({ merchants: 7 })
`

test('the types are found by TypeScript with every module resolution', async () =>
  expect(await typeProblems(shop, 'gateway', TYPED)).toBe(''))

test('publint and attw report no problem', async () => {
  // Every supported Node can load modules with require().
  expect(await complaints(shop, ['CJSResolvesToESM'])).toEqual([])
})
