import type { Response } from 'express'
import { maskCardNumbers } from '../../domain/card/numbers.ts'
import type { Topic } from '../../domain/changes.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
import { readId } from '../../domain/identifiers.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Operator } from '../../merchants/sessions.ts'
import { type Parameters, text } from '../../parsing/parameters/parameters.ts'
import type { ViewContext } from '../../serializers/viewing.ts'
import { findRow, type Row } from '../../storage/rows.ts'
import { exchangeOf } from '../http/exchange.ts'
import type { SafeHtml } from '../pages/html.ts'
import type { Policy } from '../pages/policy.ts'
import type { ConsoleDependencies } from './dependencies.ts'
import { RESOURCES, type ResourceName } from './resources.ts'
import type { Done, Section } from './sections.ts'

/** Somebody at a page of the console. */
export interface ConsoleVisit {
  readonly response: Response
  readonly operator: Operator
  /** What the session is known by, for what lasts longer than an answer. */
  readonly session: string
  /** Proof that a form comes from this session: a field of each form. */
  readonly formToken: string
  readonly dependencies: ConsoleDependencies
  /** Where the console stands, such as `/console`: addresses of pages begin with it. */
  readonly root: string
  readonly parameters: Parameters
  /** What stands in the address where the page's path has a name after a colon. */
  readonly named: Readonly<Record<string, string>>
}

/** Somebody at a page of a merchant: the merchant, or the administrator. */
export interface MerchantVisit extends ConsoleVisit {
  readonly merchant: Merchant
  /** Where its pages stand, such as `/console/1`. */
  readonly home: string
}

/** A page: its title, and what it shows. */
export interface ConsoleView {
  readonly title: string
  readonly body: SafeHtml
  /**
   * Names of the data that the page shows, as `docs/reference/console.md` has them, such as
   * `transactions` or `transactions/17`. When one of them changes, a browser with this page open
   * reads the page again. Undefined: no live updates.
   */
  readonly live?: readonly LiveName[] | undefined
  /** It has a frame with a page of the console's own address in it. */
  readonly frames?: true
  /** Epoch milliseconds: the clock after a form has moved it. */
  readonly now?: number | undefined
}

type LiveTopic = Exclude<Topic, 'sessions'>
type LiveName = LiveTopic | `${LiveTopic}/${number | string}`

/** Something to keep instead of a page. */
export interface ConsoleFile {
  readonly name: string
  readonly type: string
  readonly content: string | Buffer
}

/** A page that is no part of the console: whoever wrote it is not us. */
export interface ForeignPage {
  readonly html: string
  readonly policy: Policy
}

/** An answer that lasts: whoever begins it writes it. */
interface Stream {
  stream(): void
}

/** A page: whoever may see it gets it by GET. */
export interface ConsolePage<Of extends ConsoleVisit> {
  /** Below `root`, or below `home` for a merchant's. */
  readonly path: string
  /** Undefined for what is no page of the menu. */
  readonly section?: Section
  show(visit: Of): Promise<ConsoleView | ConsoleFile | ForeignPage | Stream>
}

/** What a form of a page does, by POST. */
export interface FormAction<Of extends ConsoleVisit> {
  readonly path: string
  /** Of the page that it answers itself. */
  readonly section?: Section
  /** @throws GatewayError, which is shown on a page */
  act(visit: Of): Promise<ConsoleRedirect | ConsoleView | ForeignPage>
}

/** Where a browser goes when something was done. */
export interface ConsoleRedirect {
  /** Below `root`, or below `home` for a merchant's; it may have a query. */
  readonly to: string
  /** Word of the sentence that the page begins with, see `sections.ts`. */
  readonly done: Done
  /** How many things that was done to, where the sentence says it. */
  readonly count?: number
  /** The session ended with what was done: whoever did it goes on in a new one. */
  readonly newSession?: boolean
}

/** What a form says, without the proof that it is one of this console's. */
export function fieldsOf({ parameters }: ConsoleVisit): Parameters {
  const { form_token: _token, ...fields } = parameters
  return fields
}

/** Fields of a form, each as the text in it, which may be empty. */
export const textsOf = <Name extends string>(parameters: Parameters, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, text<string>(parameters, name) ?? ''])) as Record<
    Name,
    string
  >

/** The id in the address; undefined for what is none. */
export const idOf = ({ named }: ConsoleVisit): number | undefined => readId(named.id ?? '')

/**
 * What the address is about, of the merchant's own. @throws errors.not_found (196), for other
 * merchants' too (attack 116)
 */
export async function ownRow<Table extends ResourceName>(
  { merchant, named, dependencies }: MerchantVisit,
  table: Table,
): Promise<Row<Table>> {
  const row = await findRow(dependencies.database.db, table, merchant.id, readId(named.id ?? ''))
  if (row) return row
  throw noRow(RESOURCES[table].one, named.id ?? '')
}

/** How somebody at a page sees rows: in English, as the API shows them. */
export function viewingOf({ response, merchant }: MerchantVisit): ViewContext {
  const { locale, service } = exchangeOf(response)
  const { addresses, database } = service
  return { queries: database.db, merchant, addresses, locale, extend: NOTHING }
}

const NOTHING: ReadonlySet<string> = new Set()

/** Nothing of this merchant's is at this address. */
export const noPage = () =>
  new GatewayError('errors.not_found', { explain: 'There is no page at this address' })

/**
 * Creates the error for something that the merchant does not have.
 * @param kind such as `transaction`
 * @param id as it was sent
 */
export const noRow = (kind: string, id: string) =>
  new GatewayError('errors.not_found', {
    explain: `There is no ${kind} ${maskCardNumbers(id).slice(0, LONGEST_ID)}`,
  })

/** Characters of an id in an explanation. */
const LONGEST_ID = 64
