import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AUTHENTICATION, BROWSER_INTEGRATION } from './access.ts'
import { CREATE_STORED_CARD } from './create-stored-card.ts'
import { CREATE_TRANSACTION } from './create-transaction.ts'
import { ENDPOINTS } from './endpoints.ts'
import { ERRORS } from './errors.ts'
import { EVENTS } from './events.ts'
import { LISTING } from './listing.ts'
import { ITEM, METADATA, PAYMENT_DETAILS, STORED_CARD, WEBHOOK } from './resources.ts'
import { isHeld, isUnseen, type Section } from './rows.ts'
import { SERVICE, VERSIONING } from './service.ts'
import { missingRows } from './specification.ts'
import { STATES } from './states.ts'
import { TEMPLATE_VARIABLES } from './template-variables.ts'
import { LIMITS, TEST_MODE } from './test-mode-and-limits.ts'
import { TRANSACTION } from './transaction.ts'
import { CAPTURE, UPDATE_TRANSACTION } from './update-and-capture.ts'
import { CARD_TYPE_SECTION, CURRENCY_SECTION } from './values.ts'
import { startWorld, type World } from './world.ts'

/** Sections in the order of the specification, for the report. */
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

const UNSEEN = ROWS.map(({ row }) => row).filter(isUnseen)

/** Number of statements that passed so far. */
let held = 0

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(async () => {
  await world.close()
  const count = `${held} held, ${UNSEEN.length} not visible`
  process.stdout.write(`Conformance: ${count}, of ${ROWS.length} rows\n`)
})

describe.each(SECTIONS.filter(({ rows }) => rows.some(isHeld)))('$title', ({ rows }) => {
  for (const { says, holds } of rows.filter(isHeld))
    test(says, async () => {
      await holds(world)
      held++
    })
})

describe('the table', () => {
  test('contains every row once', () => {
    const names = ROWS.map(({ title, row }) => `${title}: ${row.says}`)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  test('has a row for every row and name of the specification', () => {
    expect(missingRows(SECTIONS)).toEqual([])
  })

  test('fails if a row is missing', () => {
    const shorter = SECTIONS.map(({ title, rows }) => ({
      title,
      rows: rows.filter(({ says }) => !/^(card_cvv|mpi:open|SEK)\b/.test(says)),
    }))
    const names = missingRows(shorter).map((missing) => missing.split(': ').at(-1))
    expect(names).toEqual(['SEK', 'card_cvv', 'card_cvv', 'card_cvv', 'mpi:open'])
  })
})

test('docs/inside/sources.md gives the reason for each row that cannot be tested', () => {
  for (const { unseen } of UNSEEN) expect(read('docs/inside/sources.md')).toContain(unseen)
})

/** Reads a document as one line of text. */
function read(file: string): string {
  return readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8').replace(/\s+/g, ' ')
}
