import type { Response } from 'express'
import { maskCardNumbers } from '../../domain/card/numbers.ts'
import type { Topic } from '../../domain/changes.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Operator } from '../../merchants/sessions.ts'
import { type Parameters, text } from '../../parsing/parameters/parameters.ts'
import type { ViewContext } from '../../serializers/transaction.ts'
import { findRow, type Row } from '../../storage/rows.ts'
import type { ListedTable, Queries } from '../../storage/tables/schema.ts'
import { getExchange } from '../http/exchange.ts'
import type { SafeHtml } from '../pages/html.ts'
import type { ConsoleDependencies } from './dependencies.ts'
import type { ConsoleProblem } from './parts/problem.ts'
import type { Done } from './sections.ts'

export interface Visitor {
  readonly operator: Operator
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
export function getVisitor({ locals: { visitor } }: Response): Visitor {
  if (!visitor) throw new TypeError('This page needs no login')
  return visitor
}

export interface ConsoleVisit extends Visitor {
  readonly response: Response
  readonly session: string
  readonly dependencies: ConsoleDependencies
  readonly db: Queries
  /** Path of the console, such as `/console`, the prefix of its pages. */
  readonly root: string
  /** Prefix of the pages of the same merchant, such as `/console/1`; `root` for the administrator's. */
  readonly home: string
  /** Undefined on a page about all merchants. */
  readonly merchant?: Merchant | undefined
  readonly parameters: Parameters
  /** The parameters without the token of a form. */
  readonly fields: Parameters
  /** Values in the address of names after a colon in the page's path. */
  readonly named: Readonly<Record<string, string>>
  /** The id in the address; undefined if it is invalid. */
  readonly id: number | undefined
  /** The form of the page that was rejected, with its error. */
  readonly refused?: { readonly form: string; readonly problem: ConsoleProblem }
}

export interface MerchantVisit extends ConsoleVisit {
  readonly merchant: Merchant
}

export interface ConsoleView {
  readonly title: string
  readonly heading?: SafeHtml
  /** A sentence below the heading. */
  readonly summary?: SafeHtml
  readonly body: SafeHtml
  /** Links and buttons beside the heading. */
  readonly actions?: SafeHtml | null
  /** Numbers of rows behind the tabs, by their address. */
  readonly counts?: Readonly<Record<string, number>>
  /**
   * Names of the data that the page shows, as `docs/reference/console.md` has them, such as
   * `transactions` or `transactions/17`. When one of them changes, a browser with this page open
   * reads the page again. Undefined: no live updates.
   */
  readonly live?: readonly LiveName[] | undefined
  /** The page frames another address of the console. */
  readonly frames?: true
  /** Epoch milliseconds: the time after a form has moved the clock. */
  readonly now?: number | undefined
}

type LiveTopic = Exclude<Topic, 'sessions'>
type LiveName = LiveTopic | `${LiveTopic}/${number | string}`

/** A response without the frame of the console: a file, a merchant's own page, or a stream. */
export type OtherAnswer = (response: Response) => void

export const sendFile =
  (name: string, type: string, content: string | Buffer): OtherAnswer =>
  (response) => {
    response.setHeader('Cache-Control', 'no-store, private')
    response.setHeader('Content-Disposition', `attachment; filename="${name}"`)
    response.setHeader('Content-Type', type)
    response.send(content)
  }

/** A page, by GET. */
export interface ConsolePage<Of extends ConsoleVisit> {
  /** Below `home`. Its first part is the name of its tab in the menu. */
  readonly path: string
  show(visit: Of): Promise<PageAnswer>
}

type PageAnswer = ConsoleView | OtherAnswer

/** The action of a page's form, by POST. */
export interface FormAction<Of extends ConsoleVisit> {
  readonly path: string
  /** @throws GatewayError, which a page shows */
  act(visit: Of): Promise<ActionAnswer>
  /** Shows the form again with its values and the error of `act`. Default: the page of the error. */
  again?(visit: Of, problem: ConsoleProblem): Promise<ConsoleView> | ConsoleView
}

export type ActionAnswer = ConsoleRedirect | PageAnswer

export type ConsoleRoute<Of extends ConsoleVisit> = ConsolePage<Of> | FormAction<Of>

export interface ConsoleRedirect {
  /** Below `home`; it may have a query. */
  readonly to: string
  /** Word of the sentence on the next page, see `sections.ts`. */
  readonly done: Done
  /** Number of affected objects, if the sentence contains it. */
  readonly count?: number
  /** The action ended the session, and the user continues in a new one. */
  readonly newSession?: boolean
}

export const readTexts = <Name extends string>(parameters: Parameters, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, text<string>(parameters, name) ?? ''])) as Record<
    Name,
    string
  >

/** @param path of any page of the console */
export const findDocs = (path: string): string => path.replace(/\/console.*$/s, '/docs')

/** Resources listed by the console, by their names in the API and the menu. */
export type ResourceName = Exclude<ListedTable, 'webhooks'>

/** Names one object of a resource: `stored card`. */
export const nameOne = (name: ResourceName): string => name.slice(0, -1).replace('_', ' ')

/**
 * Finds the merchant's row that the address names. @throws errors.not_found (196), also for other
 * merchants' (attack 116)
 */
export async function ownRow<Table extends ResourceName>(
  { merchant, named, id, db }: MerchantVisit,
  table: Table,
): Promise<Row<Table>> {
  const row = await findRow(db, table, merchant.id, id)
  if (row) return row
  throw noRow(nameOne(table), named.id ?? '')
}

/** Creates the context of serializers: in English, in the API's format. */
export function createViewContext({ response, merchant, db }: MerchantVisit): ViewContext {
  const { locale, service } = getExchange(response)
  return { queries: db, merchant, addresses: service.addresses, locale, extend: new Set() }
}

export const noPage = () =>
  new GatewayError('errors.not_found', { explain: 'There is no page at this address.' })

/**
 * Creates the error for an unknown object.
 * @param kind such as `transaction`
 * @param id as it was sent
 */
export const noRow = (kind: string, id: string) =>
  new GatewayError('errors.not_found', {
    explain: `There is no ${kind} ${maskCardNumbers(id).slice(0, LONGEST_ID)}.`,
  })

/** Maximum length of an id in an explanation. */
const LONGEST_ID = 64
