import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { StoredCard } from '../../../mock-gateway/contract/wire.ts'
import {
  type Answer,
  CARD,
  type Fields,
  hashed,
  payment,
  prepared,
  startGateway,
  type TestGateway,
  URLS,
} from '../../helpers/gateway.ts'
import { TEST_PRIVATE_KEY } from '../../helpers/keys.ts'
import { hide } from '../conformance/encrypt.ts'
import { type ConsoleAnswer, consoleOf } from '../web/console/client.ts'
import { crawl } from '../web/console/crawl.ts'

const MARKED = {
  id: 1,
  password: 'Pass-Marker-71',
  secret: 'Secret-Marker-72',
  private_key: TEST_PRIVATE_KEY,
}
const TEST_PAN = '5105105105105100'
const LIVE_PAN = '4539148803436467'
const MISTYPED_PAN = '4539148803436468'
const CVV = '9183'
const WRONG_PASSWORD = 'Guess-Marker-73'
const CONTROL_KEY = 'Control-Marker-74'

/**
 * CVV that is not part of a longer number. Four digits can also appear in ids, hashes, times and
 * amounts by chance.
 */
const CODE = /(?<![\da-f.])9183(?![\da-f])/
const holds = (text: string, mark: string) => (mark === CVV ? CODE.test(text) : text.includes(mark))

const grouped = (number: string, by: string) => number.match(/.{4}/g)?.join(by) ?? ''
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64')
/** Returns every spelling in which a number could appear. */
const spellings = (number: string) => [
  number,
  grouped(number, ' '),
  grouped(number, '-'),
  grouped(number, '%20'),
  base64(number),
]
const CARDS = [TEST_PAN, LIVE_PAN, MISTYPED_PAN].flatMap(spellings)

let folder: string
let shop: TestGateway
const log: string[] = []
const answers: string[] = []
let token = ''
let pages: ReadonlyMap<string, ConsoleAnswer>
let files = ''
let report = ''
let keysOfPages: readonly string[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leaks-'))
  const logger = pino({ level: 'trace' }, { write: (line) => void log.push(line) })
  const database = join(folder, 'gateway.db')
  const keep = async (html: string) => {
    report = html
  }
  shop = await startGateway({
    merchants: [MARKED],
    database,
    logger,
    control: CONTROL_KEY,
    report: keep,
  })
  await payByEveryChannel()
  const { body } = await shop.get<{ href: string }[]>('/v1/transactions', { limit: 100 })
  keysOfPages = body.map(({ href }) => href.split('/').at(-1) ?? '')
  pages = await everyPage()
  const names = await readdir(folder)
  files = (await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')))).join(
    '\n',
  )
})
afterAll(() => rm(folder, { recursive: true }))

const typed = (over: Fields = {}) =>
  payment({ card_number: TEST_PAN, card_cvv: CVV, merchant_id: 1, ...URLS, ...over })
const live = (over: Fields = {}) => typed({ card_number: LIVE_PAN, test: false, ...over })
const query = (fields: Fields) => String(new URLSearchParams(fields as Record<string, string>))

async function seen<Body>(answer: Promise<Answer<Body>>): Promise<Body> {
  const { headers, body } = await answer
  answers.push(
    JSON.stringify(body),
    headers.get('mondido-explain') ?? '',
    headers.get('location') ?? '',
  )
  return body
}

/** Encrypts the card like a browser. */
const encrypted = (fields: Fields) =>
  hide(hashed(fields, MARKED), 'card_number', 'card_cvv', 'card_holder', 'card_expiry')

async function payByEveryChannel() {
  const { browser } = shop
  const json = (fields: Fields) => JSON.stringify(hashed(fields, MARKED))
  const asJson = { 'content-type': 'application/json' }
  const api = '/v1/transactions'
  await seen(shop.post(api, typed()))
  await seen(shop.post(api, typed({ card_number: grouped(TEST_PAN, ' ') })))
  await seen(shop.post(api, live({ card_number: grouped(LIVE_PAN, '-') })))
  await seen(shop.send('POST', `${api}?${query(hashed(live(), MARKED))}`))
  await seen(shop.send('POST', api, json(live()), asJson))
  await seen(browser.post(api, encrypted(typed())))
  await seen(browser.post(api, encrypted(live())))
  await seen(browser.post(api, typed({ mondido_attempt: 'an-attempt-of-a-page' })))
  await seen(browser.get('/v1/attempts/an-attempt-of-a-page', { merchant_id: 1 }))
  // Rejected payments
  await seen(shop.post(api, typed({ card_number: MISTYPED_PAN })))
  await seen(shop.post(api, typed({ card_number: LIVE_PAN })))
  await seen(shop.post(api, live({ card_expiry: '0120' })))
  await seen(shop.post(api, live({ hash: 'wrong' })))
  await seen(shop.post(api, live({ card_type: 'gold' })))
  await seen(shop.post(api, live({ card_holder: LIVE_PAN })))
  await seen(shop.post(api, live({ card_expiry: LIVE_PAN })))
  await seen(shop.post(api, live({ card_type: LIVE_PAN })))
  await seen(shop.post(api, typed({ metadata: '{"service_instructions":{"fail_as_code":133}}' })))
  await seen(shop.post(api, { ...typed(), encrypted: 'card_number' }))
  await seen(
    shop.send('POST', api, `card_number=${LIVE_PAN}&card_number=${LIVE_PAN}&card_cvv=${CVV}`),
  )
  await seen(shop.send('POST', api, `{"card_number":"${LIVE_PAN}","card_cvv":"${CVV}"`, asJson))
  await seen(shop.send('POST', api, `${LIVE_PAN}=${CVV}&[${LIVE_PAN}]=1`))
  await seen(shop.send('POST', api, LIVE_PAN, { 'content-type': 'application/xml' }))
  const misplaced = {
    payment_details: JSON.stringify({ city: 'Lund', card_number: LIVE_PAN, card_cvv: CVV }),
  }
  await seen(shop.post(api, typed(misplaced)))
  // Payments on the page, and with forms
  const { id } = await seen(shop.post(api, { ...prepared(), card_number: TEST_PAN, card_cvv: CVV }))
  await seen(shop.put(`${api}/${id}`, typed({ payment_ref: undefined, merchant_id: undefined })))
  await seen(
    shop.put(`${api}/${(await shop.post(api, prepared())).body.id}`, { ...CARD, ...misplaced }),
  )
  await seen(browser.post('/v1/form', typed()))
  await seen(browser.post('/v1/form', typed({ card_number: MISTYPED_PAN })))
  const { href } = await seen(shop.post(api, prepared()))
  const page = new URL(href).pathname
  const card = { card_number: MISTYPED_PAN, card_cvv: CVV, card_holder: 'Kim', card_expiry: '1230' }
  await seen(browser.send('POST', page, query(card)))
  await seen(browser.send('POST', page, query({ ...card, card_number: TEST_PAN })))
  await seen(browser.get(page))
  // Stored cards
  const stored = await shop.post(`${api}?extend=stored_card`, typed({ store_card: true }))
  token = (stored.body.stored_card as StoredCard).token
  const byToken = {
    card_number: token,
    card_type: 'STORED_CARD',
    card_cvv: undefined,
    card_holder: undefined,
  }
  await seen(shop.post(api, typed({ ...byToken, card_expiry: undefined })))
  await seen(shop.post(api, live({ ...byToken, card_expiry: undefined })))
  // Logins
  const login = (credentials: string) => ({ authorization: `Basic ${base64(credentials)}` })
  await seen(browser.get(api, {}, login(`1:${WRONG_PASSWORD}`)))
  await seen(browser.get(api, {}, login(`${MARKED.password}:1`)))
  await seen(browser.get(api, {}, { authorization: `Bearer ${MARKED.password}` }))
  await seen(shop.get(api, { limit: 100 }))
  await seen(shop.get(`${api}/1?card_number=${LIVE_PAN}&card_cvv=${CVV}`))
  await seen(shop.get(`/v1/${LIVE_PAN}`))
}

/** Returns every page of the console. */
async function everyPage() {
  const client = consoleOf(shop.gateway)
  await client.logIn(WRONG_PASSWORD, MARKED.password)
  await client.logIn(MARKED.id, MARKED.password)
  const administrator = consoleOf(shop.gateway)
  await administrator.logIn('admin', CONTROL_KEY)
  const ofAll = await crawl(administrator, '/merchants', (path) => /^\/[a-z]/.test(path))
  return new Map([...(await crawl(client, '/1')), ...ofAll])
}

const ALLOWED =
  'level time pid hostname request_id method route status merchant_id error explain duration_ms act of by ip msg payment'.split(
    ' ',
  )

/** Returns the log without random and measured values, which can contain any three digits. */
const logText = () =>
  log
    .map((line) =>
      JSON.stringify({ ...JSON.parse(line), request_id: 0, time: 0, duration_ms: 0, pid: 0 }),
    )
    .join('\n')

test('the tests used every channel', () => {
  expect(log.length).toBeGreaterThan(35)
  expect(answers.join('').match(/approved/g)?.length).toBeGreaterThan(10)
})

/** Texts that must not be in pages and files. */
const UNSHOWN = [
  ['card number', CARDS],
  ['CVV', [CVV]],
  ['password', [MARKED.password, WRONG_PASSWORD, CONTROL_KEY]],
  ['secret', [MARKED.secret]],
  ['private key', ['PRIVATE KEY']],
] as const

test('the search finds a CVV at every place, but not inside an id or a time', () => {
  for (const text of ['{"card_cvv":"9183"}', 'card_cvv=9183&a=1', 'Kim9183VISA'])
    expect(holds(text, CVV), text).toBe(true)
  for (const text of ['1795424918340', '0af9183c', '12.9183'])
    expect(holds(text, CVV), text).toBe(false)
})

describe('the log', () => {
  test('has only keys of the allow-list', () => {
    const keys = new Set(log.flatMap((line) => Object.keys(JSON.parse(line))))
    // On a slow machine, a request can block the others for half a second, which the log reports.
    keys.delete('blocked_ms')
    expect([...keys].toSorted()).toEqual(ALLOWED.toSorted())
  })

  for (const [what, marks] of [
    ['card number', CARDS],
    ['CVV', [CVV]],
    ['password', [MARKED.password, WRONG_PASSWORD, CONTROL_KEY, base64(`1:${MARKED.password}`)]],
    ['secret', [MARKED.secret]],
    ['card holder', ['Anna Andersson', 'Kim']],
  ] as const)
    test(`contains no ${what}`, () => {
      for (const mark of marks) expect(holds(logText(), mark), mark).toBe(false)
    })

  test('contains no token of a card or page', () => {
    expect(token).toMatch(/^[0-9a-f]{32}$/)
    for (const one of [token, ...keysOfPages]) expect(logText()).not.toContain(one)
  })
})

describe('an answer', () => {
  for (const [what, marks] of [
    ['card number', CARDS],
    ['CVV', [CVV]],
    ['password', [MARKED.password, WRONG_PASSWORD]],
    ['secret', [MARKED.secret]],
    ['private key', ['PRIVATE KEY']],
  ] as const)
    test(`contains no ${what}`, () => {
      for (const mark of marks) expect(answers.filter((answer) => holds(answer, mark))).toEqual([])
    })

  test('the answer to a payment contains no token that paid it', () => {
    expect(answers.filter((answer) => answer.includes(token))).toEqual([])
  })
})

/**
 * Returns true for the form that sends a request again. It may contain the number of a public test
 * card.
 */
const offers = (path: string, mark: string) => path.endsWith('/again') && mark === TEST_PAN

describe('each page and file of the console', () => {
  test('was opened by the tests', () => {
    for (const path of [
      '/1/transactions',
      '/1/transactions.csv',
      '/1/transactions/1',
      '/1/requests',
      '/requests',
      '/1/stored_cards/1',
    ])
      expect([...pages.keys()]).toContain(path)
    expect(pages.get('/1/transactions/1')?.html).toContain('510510******5100')
  })

  for (const [what, marks] of UNSHOWN)
    test(`contains no ${what}`, () => {
      for (const mark of marks)
        expect(
          [...pages.keys()].filter(
            (path) => holds(pages.get(path)?.html ?? '', mark) && !offers(path, mark),
          ),
        ).toEqual([])
    })
})

describe('the files of the database', () => {
  for (const [what, marks] of [
    ['card number', CARDS],
    ['CVV', [CVV]],
    ['password', [MARKED.password, WRONG_PASSWORD, base64(MARKED.password)]],
  ] as const)
    test(`contain no ${what}`, () => {
      for (const mark of marks) expect(holds(files, mark), mark).toBe(false)
    })

  test('contain the masked card number', () => {
    for (const mask of ['510510******5100', '453914******6467'])
      expect(files.indexOf(mask)).toBeGreaterThan(-1)
  })

  test('contain the secret only with the merchant', () => {
    const database = new DatabaseSync(join(folder, 'gateway.db'), { readOnly: true })
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    const holding = tables
      .map(({ name }) => String(name))
      .filter((name) =>
        JSON.stringify(database.prepare(`SELECT * FROM "${name}"`).all()).includes(MARKED.secret),
      )
    database.close()
    expect(holding).toEqual(['merchants'])
  })
})

describe('the report of the run', () => {
  beforeAll(() => shop.close())

  test('contains every payment', () =>
    expect(report.match(/<section /g)?.length).toBeGreaterThan(10))

  for (const [what, marks] of UNSHOWN)
    test(`contains no ${what}`, () => {
      for (const mark of marks) expect(holds(report, mark), mark).toBe(false)
    })

  test('contains no token of a card or page', () => {
    for (const one of [token, ...keysOfPages]) expect(report).not.toContain(one)
  })
})
