import { allMerchants } from '../../storage/merchants.ts'
import { link, plain } from './cells.ts'
import type { Page, Visit } from './visit.ts'

/** The administrator's way to every merchant. */
export const MERCHANTS_PAGE: Page<Visit> = {
  path: '/merchants',
  section: 'merchants',
  async show({ dependencies, root }) {
    const merchants = await allMerchants(dependencies.database.db)
    return {
      view: 'table',
      title: 'Merchants',
      data: {
        heads: ['Id', 'Name'],
        rows: merchants.map(({ id, name }) => [link(id, `${root}/${id}`), plain(name)]),
        none: 'No merchants yet.',
      },
    }
  },
}

/** Merchants to choose from in a form. */
export const merchantChoices = async ({ dependencies }: Visit) =>
  (await allMerchants(dependencies.database.db)).map(({ id, name }) => ({ id, name }))
