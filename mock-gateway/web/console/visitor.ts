import type { Response } from 'express'
import type { Operator } from '../../merchants/sessions.ts'
import { getExchange } from '../http/exchange.ts'
import type { ViewerContext } from './parts/frame.ts'

/** The logged-in user. */
export interface Visitor {
  readonly operator: Operator
  /** Token in the forms of this session. */
  readonly formToken: string
}

declare global {
  namespace Express {
    interface Locals {
      visitor?: Visitor
    }
  }
}

/** @throws TypeError if the route does not require a login */
export function createVisitor(response: Response): Visitor {
  const { visitor } = response.locals
  if (!visitor) throw new TypeError('This page needs no login')
  return visitor
}

/** @param section section of the menu that the page belongs to */
export const createViewerContext = (response: Response, section?: string): ViewerContext => ({
  ...createVisitor(response),
  merchant: getExchange(response).merchant,
  section,
})
