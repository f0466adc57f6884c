import { type Fields, form, login } from '../runs/merchants.ts'
import type { Heard } from '../runs/simulation.ts'
import type { Acting } from './machine.ts'

const FORM = 'application/x-www-form-urlencoded'

/** Answer from the view of a client: the JSON of a success, a rejection, or unknown. */
export type Said<Body> =
  | { readonly kind: 'yes'; readonly body: Body; readonly total: number }
  | { readonly kind: 'no'; readonly code: number }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'not sent' }

/** Calls the API as the client's merchant. */
export async function callApi<Body>(
  { simulation, plan, chance }: Acting,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  fields?: Fields,
): Promise<Said<Body>> {
  const headers = {
    authorization: login(plan.merchant),
    ...(fields ? { 'content-type': FORM } : {}),
  }
  return said(
    await simulation.send(plan.name, chance, {
      method,
      path,
      headers,
      body: fields && form(fields),
    }),
  )
}

function said<Body>(heard: Heard): Said<Body> {
  if (heard.lost) return { kind: heard.wasSent ? 'unknown' : 'not sent' }
  const body = JSON.parse(heard.text)
  if (heard.status === 200) return { kind: 'yes', body, total: totalOf(heard.headers) }
  // After status 503 the client must look up the result, as the explanation of the error requires.
  return heard.status === 503 ? { kind: 'unknown' } : { kind: 'no', code: body.code }
}

/** Returns the total in a list's headers; NaN for other answers. */
const totalOf = (headers: Headers): number =>
  Number(/\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1])
