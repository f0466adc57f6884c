import { expect } from 'vitest'
import { payFilled, printedBy, VARIABLES } from '../serializers/variables.ts'
import { controlOf } from '../web/control/client.ts'
import { row, type Section } from './rows.ts'
import type { World } from './world.ts'

const filledOnce = new WeakMap<World, ReturnType<typeof payFilled>>()

/** Renders a merchant's template for a payment that has a value in every variable. */
async function print(world: World, template: string) {
  const filled = filledOnce.get(world) ?? payFilled(world)
  filledOnce.set(world, filled)
  const { paid, plan } = await filled
  const shown = {
    source: `<pre>${template}</pre><form method="post"></form>`,
    transaction_id: paid.id,
  }
  const { html, problems } = (await controlOf(world.gateway).post('/templates/preview', shown)).body
  expect(problems).toEqual([])
  return {
    filled: { paid, plan, shop: 'Merchant 1' },
    text: /^<pre>(.*)<\/pre>/s.exec(String(html))?.[1],
  }
}

export const TEMPLATE_VARIABLES: Section = {
  title: 'Template variables of the hosted payment page',
  rows: [
    ...VARIABLES.flatMap(([object, names]) =>
      names.map((name) =>
        row(`${object}.${name}`, async (world) => {
          const { filled, text } = await print(world, `{{ ${object}.${name} }}`)
          expect(text).toEqual(printedBy(object, name, filled))
        }),
      ),
    ),
    row('metadata values are reachable by key path', async (world) =>
      expect((await print(world, "{{ transaction.metadata['products'][0]['name'] }}")).text).toBe(
        'Cup',
      ),
    ),
    row('loops use for tags', async (world) => {
      const loop =
        '{% for product in transaction.metadata.products %}[{{ product.name }}]{% endfor %}'
      expect((await print(world, loop)).text).toBe('[Cup][Saucer]')
    }),
  ],
}
