import { exportFixtures } from '../../merchants/load-fixtures.ts'
import { reset } from '../../merchants/reset.ts'
import { badFormat, pickOnly, readMerchantId } from '../../requests/control/read.ts'
import { yesOrNo } from '../../requests/parameters/parameters.ts'
import { merchantChoices } from './merchants.ts'
import { type Act, fieldsOf, type Page, type Visit } from './visit.ts'

/** All that merchants have done: as a file, and away with it. */
export const DATA_PAGES: readonly Page<Visit>[] = [
  {
    path: '/data',
    section: 'data',
    show: async (visit) => ({ view: 'data', title: 'Data', data: { merchants: await merchantChoices(visit) } }),
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

export const RESET_ACT: Act<Visit> = {
  path: '/data/reset',
  async act(visit) {
    const sent = fieldsOf(visit)
    const isSure = yesOrNo(pickOnly(sent, ['sure']), 'sure')
    if (!isSure) throw badFormat('Nothing was forgotten: set the tick that says you are sure')
    await reset(visit.dependencies, readMerchantId(sent))
    return { to: '/data', done: 'reset' }
  },
}
