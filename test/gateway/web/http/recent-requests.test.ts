import { expect, test } from 'vitest'
import { createRecentRequests } from '../../../../mock-gateway/web/http/recent-requests.ts'
import type { RequestFacts } from '../../../../mock-gateway/web/http/request-facts.ts'

const facts = (over: Partial<RequestFacts>): RequestFacts => ({
  request_id: 'a',
  method: 'GET',
  route: '/v1/transactions',
  status: 200,
  merchant_id: 1,
  error: null,
  explain: null,
  duration_ms: 1,
  ...over,
})
const idsOf = (requests: readonly RequestFacts[]) => requests.map(({ request_id }) => request_id)

test('the newest come first, and the oldest are forgotten', () => {
  const recent = createRecentRequests(3)
  for (const request_id of ['a', 'b', 'c', 'd', 'e']) {
    recent.add(facts({ request_id }), 0)
  }
  expect(idsOf(recent.of(undefined))).toEqual(['e', 'd', 'c'])
})

test('a merchant sees its own; those of nobody are among all', () => {
  const recent = createRecentRequests()
  recent.add(facts({ request_id: 'mine' }), 0)
  recent.add(facts({ request_id: 'theirs', merchant_id: 2 }), 0)
  recent.add(facts({ request_id: 'nobody’s', merchant_id: null }), 0)
  expect(idsOf(recent.of(1))).toEqual(['mine'])
  expect(idsOf(recent.of(undefined))).toEqual(['nobody’s', 'theirs', 'mine'])
})
