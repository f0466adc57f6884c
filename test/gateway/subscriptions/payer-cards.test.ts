import { describe, expect, test } from 'vitest'
import type { Subscription } from '../../../mock-gateway/contract/wire.ts'
import type { Fields } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { newCard, newPlan, newSubscription, refusalOf } from './new-subscription.ts'

/** Card that is not a test card. */
const LIVE = { card_number: '4539148803436467', test: false }

const shop = await sharedGateway()

const read = async (id: number) => (await shop.get<Subscription>(`/v1/subscriptions/${id}`)).body

async function cancelledCard(): Promise<number> {
  const { id } = await newCard(shop)
  await shop.send('DELETE', `/v1/stored_cards/${id}`)
  return id
}

describe('contradictory data of a payer are rejected:', () => {
  const two = async () => {
    const [anna, bert] = [
      await newCard(shop, { customer_ref: 'anna' }),
      await newCard(shop, { customer_ref: 'bert' }),
    ]
    return { card: anna.id, anna: anna.customer?.id, bert: bert.customer?.id }
  }
  type Two = Awaited<ReturnType<typeof two>>
  const subscribe = async (payer: Fields) =>
    shop.post<Subscription>('/v1/subscriptions', { plan_id: (await newPlan(shop)).id, ...payer })

  const REFUSED: readonly (readonly [what: string, payer: (two: Two) => Fields, error: string])[] =
    [
      [
        'a card and an unknown id',
        ({ card }) => ({ stored_card_id: card, customer_id: 999_999 }),
        'customer',
      ],
      [
        'a card and an unknown ref',
        ({ card }) => ({ stored_card_id: card, customer_ref: 'nobody' }),
        'customer',
      ],
      [
        'a card and the id of another',
        ({ card, bert }) => ({ stored_card_id: card, customer_id: bert }),
        'stored_card',
      ],
      [
        'a card and the ref of another',
        ({ card }) => ({ stored_card_id: card, customer_ref: 'bert' }),
        'stored_card',
      ],
      [
        'an id and the ref of another',
        ({ anna }) => ({ customer_id: anna, customer_ref: 'bert' }),
        'customer',
      ],
      [
        'an id and an unknown ref',
        ({ anna }) => ({ customer_id: anna, customer_ref: 'nobody' }),
        'customer',
      ],
      [
        'an unknown id and a ref',
        () => ({ customer_id: 999_999, customer_ref: 'anna' }),
        'customer',
      ],
    ]
  for (const [what, payer, whose] of REFUSED)
    test(what, async () => {
      const answer = await subscribe(payer(await two()))
      expect(refusalOf(answer)).toBe(`errors.${whose}.not_found`)
      expect(answer.headers.get('mondido-explain')).toMatch(
        whose === 'customer' ? /customer_id and/ : /another customer/,
      )
    })
})

describe('if a customer has several cards,', () => {
  const chosen = async (cards: readonly Fields[], order: Fields = {}, plan: Fields = {}) => {
    const customer_ref = `chooser ${++choosers}`
    const ids: number[] = []
    for (const card of cards) ids.push((await newCard(shop, { customer_ref, ...card })).id)
    const { id: plan_id } = await newPlan(shop, plan)
    const answer = await shop.post<Subscription>('/v1/subscriptions', {
      plan_id,
      customer_ref,
      ...order,
    })
    return answer.status === 200 ? ids.indexOf(answer.body.stored_card?.id ?? 0) : refusalOf(answer)
  }
  let choosers = 0

  for (const [what, cards, order, expected] of [
    [
      'the newest card with a currency of the plan is charged',
      [{ currency: 'eur' }, {}, { currency: 'nok' }],
      {},
      1,
    ],
    [
      'the newest card with the requested currency is charged',
      [{ currency: 'eur' }, {}],
      { currency: 'EUR' },
      0,
    ],
    ['the newest card with the requested test flag is charged', [LIVE, {}], { test: false }, 0],
    [
      'the newest card with the requested currency and test flag is charged',
      [LIVE, { ...LIVE, currency: 'eur' }, {}],
      { test: false, currency: 'sek' },
      0,
    ],
    [
      'and none has a currency of the plan, the subscription is rejected',
      [{ currency: 'nok' }],
      {},
      'errors.price.missing',
    ],
    [
      'and none has the requested currency, the subscription is rejected',
      [{}],
      { currency: 'eur' },
      'errors.stored_card.not_found',
    ],
    [
      'and none has the requested test flag, the subscription is rejected',
      [{}],
      { test: false },
      'errors.stored_card.not_found',
    ],
    [
      'a currency without a price of the plan is rejected',
      [{ currency: 'nok' }, {}],
      { currency: 'nok' },
      'errors.price.missing',
    ],
    ['an unknown currency is rejected', [{}], { currency: 'EURO' }, 'errors.currency.invalid'],
  ] as const)
    test(what, async () => expect(await chosen(cards, order)).toBe(expected))

  test('a named card must match the other fields of the request', async () => {
    const { id: stored_card_id } = await newCard(shop)
    const { id: plan_id } = await newPlan(shop)
    const subscribe = async (over: Fields) =>
      refusalOf(await shop.post('/v1/subscriptions', { plan_id, stored_card_id, ...over }))
    expect(await subscribe({ test: false })).toBe('errors.stored_card.is_test')
    expect(await subscribe({ currency: 'eur' })).toBe('errors.currency.invalid')
    expect(await subscribe({ test: true, currency: 'SEK' })).toBe('accepted')
  })
})

describe('a new card of a subscription', () => {
  const replace = async (stored_card_id: number | string, over: Fields = {}) => {
    const subscription = await newSubscription(shop, over)
    return [
      subscription,
      await shop.put<Subscription>(`/v1/subscriptions/${subscription.id}`, { stored_card_id }),
    ] as const
  }

  const REFUSED: readonly (readonly [
    what: string,
    id: () => Promise<number | string>,
    error: string,
  ])[] = [
    ['that does not exist', async () => 987_654_321, 'errors.stored_card.not_found'],
    ['that is not an id', async () => 'gold', 'errors.stored_card.not_found'],
    [
      'that was stored live',
      async () => (await newCard(shop, LIVE)).id,
      'errors.stored_card.not_test',
    ],
    ['that was cancelled', cancelledCard, 'errors.stored_card.not_active'],
  ]
  for (const [what, id, error] of REFUSED)
    test(`${what} is rejected with ${error}`, async () => {
      const [before, answer] = await replace(await id())
      expect(refusalOf(answer)).toBe(error)
      expect(await read(before.id)).toEqual(before)
    })
})
