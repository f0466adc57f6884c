import type { JsonObject } from '../../domain/json.ts'
import { object, type Parameters, text } from '../parameters/parameters.ts'
import { badFormat, pickOnly } from './read.ts'

/** Conditions of a search in the request log. */
export interface RequestQuery {
  /** For example /v1/transactions/:id. */
  readonly route: string
  readonly method: string | undefined
  /** Required values of fields. */
  readonly where: JsonObject
}

/** @throws errors.request.bad_format */
export function readRequestQuery(parameters: Parameters): RequestQuery {
  const sent = pickOnly(parameters, ['route', 'where'])
  const [, method, route] = /^(?:([A-Z]+) )?(\/\S*)$/.exec(text(sent, 'route') ?? '') ?? []
  if (route === undefined) throw badFormat('route must be a route such as POST /v1/transactions.')
  return { method, route, where: object(sent, 'where', 'errors.request.bad_format') ?? {} }
}
