import type { Response } from 'express'
import type { Operator } from '../../merchants/sessions.ts'
import { exchangeOf } from '../http/exchange.ts'
import type { ViewerContext } from './frame.ts'

/** Who is logged in. */
export interface Visitor {
  readonly operator: Operator
  /** What forms of this session bring along. */
  readonly formToken: string
}

declare global {
  namespace Express {
    interface Locals {
      visitor?: Visitor
    }
  }
}

/** @throws TypeError when the route stands before the login */
export function visitorOf(response: Response): Visitor {
  const { visitor } = response.locals
  if (!visitor) throw new TypeError('This page needs no login')
  return visitor
}

/** @param section the part of the menu that the page belongs to */
export const onlookerOf = (response: Response, section?: string): ViewerContext => ({
  ...visitorOf(response),
  merchant: exchangeOf(response).merchant,
  section,
})
