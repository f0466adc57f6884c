import { PRESETS } from '../../domain/presets.ts'
import { createMerchant } from '../../merchants/administer.ts'
import { MERCHANT_FIELDS, readNewMerchant } from '../../parsing/control/merchants.ts'
import { allMerchants } from '../../storage/merchants.ts'
import { exchangeOf } from '../http/exchange.ts'
import { link, plain } from './cells.ts'
import { orAgain, type Problem } from './refused-form.ts'
import { type Act, fieldsOf, type Page, textsOf, type View, type Visit } from './visit.ts'

const section = 'merchants'

/** The administrator's way to every merchant. */
export const MERCHANTS_PAGE: Page<Visit> = { path: '/merchants', section, show: (visit) => list(visit) }

/** Makes one. Its password and its secret are on the page that answers, and on no other. */
export const NEW_MERCHANT_ACT: Act<Visit> = {
  path: '/merchants',
  section,
  async act(visit) {
    const made: View[] = []
    const done = await orAgain(
      visit,
      async () => {
        const { dependencies, response } = visit
        const { merchant, password } = await createMerchant(
          dependencies,
          readNewMerchant(fieldsOf(visit)),
          exchangeOf(response).now,
        )
        const { id, name, secret } = merchant
        const facts = { Id: id, Name: name, Password: password, Secret: secret }
        made.push({
          view: 'new_merchant',
          title: `Merchant ${id} was made`,
          data: { facts: Object.entries(facts).map(([each, value]) => ({ name: each, ...plain(value) })), id },
        })
        return { to: '/merchants', done: 'saved' }
      },
      (problem) => list(visit, problem),
    )
    return made[0] ?? done
  },
}

async function list(visit: Visit, problem: Problem | null = null): Promise<View> {
  const { dependencies, root, parameters } = visit
  const merchants = await allMerchants(dependencies.database.db)
  const isGiven = (id: number) => dependencies.given.some((each) => each.id === id)
  return {
    view: 'merchants',
    title: 'Merchants',
    live: ['data'],
    data: {
      heads: ['Id', 'Name', 'Stands'],
      rows: merchants.map(({ id, name }) => [
        link(id, `${root}/${id}`),
        plain(name),
        plain(isGiven(id) ? 'where the gateway was started' : 'in the data'),
      ]),
      presets: Object.entries(PRESETS).map(([name, { client }]) => ({ name, client })),
      written: textsOf(problem ? parameters : {}, MERCHANT_FIELDS),
      problem,
    },
  }
}

/** The same as choices of a field. */
export const merchantWords = async (visit: Visit) =>
  (await merchantChoices(visit)).map(({ id, name }) => ({ choice: String(id), text: `${name} (${id})` }))

/** Merchants to choose from in a form. */
export const merchantChoices = async ({ dependencies }: Visit) =>
  (await allMerchants(dependencies.database.db)).map(({ id, name }) => ({ id, name }))
