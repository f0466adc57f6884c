import { readFixtures } from '../../merchants/fixtures.ts'
import { exportFixtures, loadFixtures } from '../../merchants/load-fixtures.ts'
import { reset } from '../../merchants/reset.ts'
import { badFormat, pickOnly, readMerchantId } from '../../parsing/control/read.ts'
import { text, yesOrNo } from '../../parsing/parameters/parameters.ts'
import { exchangeOf } from '../http/exchange.ts'
import { merchantChoices } from './merchants.ts'
import { orAgain, type Problem } from './refused-form.ts'
import { type Act, fieldsOf, type MerchantVisit, type Page, type View, type Visit } from './visit.ts'

/** All that merchants have done: as a file, and away with it. */
export const DATA_PAGES: readonly Page<Visit>[] = [
  {
    path: '/data',
    section: 'data',
    show: (visit) => show(visit),
  },
  {
    path: '/data/fixtures.json',
    section: 'data',
    async show({ dependencies, parameters }) {
      const fixtures = await exportFixtures(dependencies.database, readMerchantId(parameters))
      return { name: 'fixtures.json', type: 'application/json', content: JSON.stringify(fixtures, null, 2) }
    },
  },
]

async function show(visit: Visit, problem: Problem | null = null): Promise<View> {
  const written = problem ? (text(visit.parameters, 'fixtures') ?? '') : ''
  return { view: 'data', title: 'Data', data: { merchants: await merchantChoices(visit), problem, written } }
}

/** Adds what a file has: the text of it is sent, since files are not. */
export const FIXTURES_ACT: Act<Visit> = {
  path: '/data/fixtures',
  section: 'data',
  act: (visit) =>
    orAgain(
      visit,
      async () => {
        const { dependencies, response, parameters } = visit
        const { now, service } = exchangeOf(response)
        const { database, templates } = dependencies
        const file = readFixtures(readJson(text(parameters, 'fixtures') ?? ''))
        const { loaded } = await loadFixtures(
          {
            database,
            now,
            randomBytes: service.chance.randomBytes,
            lookThrough: (row) => templates.lookThrough(database.db, row),
          },
          file,
        )
        const count = Object.values(loaded).reduce((sum, each) => sum + each, 0)
        return { to: '/data', done: 'loaded', count }
      },
      (problem) => show(visit, problem),
    ),
}

/** @throws errors.request.bad_format (253) */
function readJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw badFormat(`The fixtures are no JSON: ${(error as Error).message}`)
  }
}

export const RESET_ACT: Act<Visit> = {
  path: '/data/reset',
  async act(visit) {
    const sent = sureFieldsOf(visit)
    await reset(visit.dependencies, readMerchantId(sent))
    return { to: '/data', done: 'reset' }
  },
}

/** Resets the data of one merchant, who does it alone. */
export const OWN_RESET_PAGE: Page<MerchantVisit> = {
  path: '/reset',
  section: 'reset',
  show: async () => ({ view: 'reset', title: 'Reset', data: {} }),
}

export const OWN_RESET_ACT: Act<MerchantVisit> = {
  path: '/reset',
  section: 'reset',
  async act(visit) {
    sureFieldsOf(visit)
    await reset(visit.dependencies, visit.merchant.id)
    return { to: '/reset', done: 'reset' }
  },
}

/** @throws errors.request.bad_format (253) without the tick */
function sureFieldsOf(visit: Visit) {
  const sent = fieldsOf(visit)
  if (yesOrNo(pickOnly(sent, ['sure']), 'sure')) return sent
  throw badFormat('Nothing was forgotten: set the tick that says you are sure')
}
