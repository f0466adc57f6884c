import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AUTHENTICATION, BROWSER_INTEGRATION } from './access.ts'
import { CREATE_STORED_CARD } from './create-stored-card.ts'
import { CREATE_TRANSACTION } from './create-transaction.ts'
import { ENDPOINTS } from './endpoints.ts'
import { ERRORS } from './errors.ts'
import { EVENTS } from './events.ts'
import { LISTING } from './listing.ts'
import { ITEM, METADATA, PAYMENT_DETAILS, STORED_CARD, TEMPLATE_VARIABLES, WEBHOOK } from './resources.ts'
import { isHeld, isLater, isUnseen, PARTS, type Section } from './rows.ts'
import { SERVICE, VERSIONING } from './service.ts'
import { STATES } from './states.ts'
import { LIMITS, TEST_MODE } from './test-mode-and-limits.ts'
import { TRANSACTION } from './transaction.ts'
import { CAPTURE, UPDATE_TRANSACTION } from './update-and-capture.ts'
import { CARD_TYPE_SECTION, CURRENCY_SECTION } from './values.ts'
import { startWorld, type World } from './world.ts'

/** In the order of the specification, so that the report reads as it. */
const SECTIONS: readonly Section[] = [
  SERVICE,
  TRANSACTION,
  CURRENCY_SECTION,
  CARD_TYPE_SECTION,
  STORED_CARD,
  ITEM,
  WEBHOOK,
  PAYMENT_DETAILS,
  TEMPLATE_VARIABLES,
  METADATA,
  STATES,
  ENDPOINTS,
  LISTING,
  CREATE_TRANSACTION,
  UPDATE_TRANSACTION,
  CAPTURE,
  CREATE_STORED_CARD,
  BROWSER_INTEGRATION,
  AUTHENTICATION,
  EVENTS,
  ERRORS,
  TEST_MODE,
  LIMITS,
  VERSIONING,
]

const ROWS = SECTIONS.flatMap(({ title, rows }) => rows.map((row) => ({ title, row })))

const LATER = ROWS.map(({ row }) => row).filter(isLater)
const UNSEEN = ROWS.map(({ row }) => row).filter(isUnseen)

/** Counted while they are run. */
let held = 0

/** What README says, in two pieces. */
const conformanceCount = (): [string, string] => [
  `${ROWS.length} rows, of which ${held} hold, ${LATER.length} wait for what is not built yet`,
  `and ${UNSEEN.length} cannot be seen`,
]

const README = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8').replace(/\s+/g, ' ')

let world: World
beforeAll(async () => {
  world = await startWorld()
}, 120_000)
afterAll(async () => {
  await world.close()
  process.stdout.write(`Conformance: ${conformanceCount().join(' ')}\n`)
})

describe.each(SECTIONS.filter(({ rows }) => rows.some(isHeld)))('$title', ({ rows }) => {
  for (const { says, holds } of rows.filter(isHeld))
    test(says, { timeout: 20_000 }, async () => {
      await holds(world)
      held++
    })
})

test('every row is there once', () => {
  const names = ROWS.map(({ title, row }) => `${title}: ${row.says}`)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

describe('README says', () => {
  test('how many rows there are, and how many of them held just now', () => {
    for (const piece of conformanceCount()) expect(README).toContain(piece)
  })

  test('what the others wait for', () => {
    expect(new Set(LATER.map(({ later }) => later))).toEqual(new Set(PARTS))
    expect(README).toContain(`(${PARTS.join(', ')})`)
  })

  test('why some cannot be seen', () => {
    for (const { unseen } of UNSEEN) expect(README).toContain(unseen)
  })
})
