import type { ErrorName } from '../../../domain/errors/errors.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import { describeState, findHolders, sumOfTimes } from '../../../operations/sandbox.ts'
import type { NextOutcome } from '../../../storage/next-outcomes.ts'
import {
  countRejected,
  failedTargets,
  OVERVIEW_ROWS,
  unpaidSubscriptions,
} from '../../../storage/overview.ts'
import type { FaultRow } from '../../../storage/tables/faults.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import type { Menu } from '../sections.ts'

/** Names of the clock's modes. */
export const CLOCK_MODES: Readonly<Record<string, string>> = {
  real: 'Real time',
  offset: 'Clock moved',
  frozen: 'Clock frozen',
}

/** What a test has switched on and not switched off, for one merchant. */
interface SwitchedOn {
  readonly faults: readonly FaultRow[]
  readonly payments: readonly NextOutcome[]
  readonly captures: readonly NextOutcome[]
  readonly holdsWebhooks: boolean
}

/**
 * Finds the faults, forced outcomes and held webhooks of a merchant.
 * @param merchant undefined: those of all merchants
 */
async function findSwitchedOn(
  { controlKey, isLocal, faults, nextOutcomes, database }: ConsoleDependencies,
  merchant: Merchant | undefined,
): Promise<SwitchedOn> {
  if (controlKey === undefined)
    return { faults: [], payments: [], captures: [], holdsWebhooks: false }
  const isFor = ({ merchant_id }: { readonly merchant_id: number | null }) =>
    merchant_id === null || merchant_id === merchant?.id
  const delivery = merchant?.settings.webhook_delivery
  return {
    faults: isLocal || !merchant ? (await faults.list()).filter(isFor) : [],
    payments: (await nextOutcomes.waiting('payment')).filter(isFor),
    captures: (await nextOutcomes.waiting('capture')).filter(isFor),
    holdsWebhooks: delivery
      ? delivery.hold || delivery.hold_orders.length > 0
      : (await findHolders({ database, merchantId: undefined })).length > 0,
  }
}

/** Names what is switched on, apart from the clock. */
export async function switchedOnNotes(
  dependencies: ConsoleDependencies,
  merchant: Merchant | undefined,
): Promise<readonly string[]> {
  const { faults, payments, captures, holdsWebhooks } = await findSwitchedOn(dependencies, merchant)
  return describeState({
    faults: faults.length,
    next_payments: sumOfTimes(payments),
    next_captures: sumOfTimes(captures),
    held_webhooks: holdsWebhooks,
  })
}

/** Errors of declined payments. They are counted with the payments, not as mistakes of the shop. */
export const DECLINES: readonly ErrorName[] = [
  'errors.payment.declined',
  'errors.payment.canceled',
  'errors.card.expired',
  'errors.card.do_not_honour',
]

/** Counts what needs attention, by entry of the menu. */
export async function countAttention(
  { database: { db } }: ConsoleDependencies,
  { id }: Merchant,
): Promise<Readonly<Record<string, number>>> {
  return {
    Subscriptions: (await unpaidSubscriptions(db, id, OVERVIEW_ROWS)).length,
    Requests: await countRejected(db, id, DECLINES),
    Webhooks: (await failedTargets(db, id)).length,
  }
}

/** An entry of the menu. */
export interface Entry {
  readonly label: string
  readonly to: string
  readonly isCurrent: boolean
  /** Number of its objects that need attention. */
  readonly count: number
}

/** A tab of the current entry. */
export interface Tab {
  readonly label: string
  readonly to: string
  readonly isCurrent: boolean
  /** Number of its rows; undefined if it is not counted. */
  readonly count: number | undefined
}

const addressAt = (at: string, path: string) => (path === '' ? at : `${at}/${path}`)

/** Lists the entries of a menu, with the numbers of their objects that need attention. */
export const listEntries = (
  menu: Menu,
  at: string,
  section: string | undefined,
  counts: Readonly<Record<string, number>> = {},
): readonly Entry[] =>
  Object.entries(menu).map(([label, tabs]) => ({
    label,
    to: addressAt(at, Object.keys(tabs)[0] ?? ''),
    isCurrent: section !== undefined && section in tabs,
    count: counts[label] ?? 0,
  }))

/** Returns the tabs of the entry that a page belongs to. @param path address of the page */
export const listTabs = (
  menu: Menu,
  at: string,
  path: string,
  section: string | undefined,
  counts: Readonly<Record<string, number>> = {},
): readonly Tab[] => {
  const tabs = Object.entries(
    Object.values(menu).find((each) => section !== undefined && section in each) ?? {},
  )
  // A tab with a filter is more exact than the one of its whole list.
  const [current] = tabs
    .filter(([tab]) => isBelow(path, addressAt(at, tab)))
    .toSorted(([one], [other]) => other.length - one.length)
  return tabs.map(([tab, label]) => ({
    label,
    to: addressAt(at, tab),
    isCurrent: tab === current?.[0],
    count: counts[tab],
  }))
}

/** Returns true if an address is the one of a tab, with further filters or without. */
function isBelow(path: string, tab: string): boolean {
  const [here, there] = [path, tab].map((each) => URL.parse(each, 'http://here.invalid'))
  return (
    here?.pathname.replace(/\/$/, '') === there?.pathname &&
    [...(there?.searchParams ?? [])].every(
      ([name, value]) => here?.searchParams.get(name) === value,
    )
  )
}

/** Returns the label of the entry that a page belongs to. */
export const labelIn = (menu: Menu, section: string | undefined): string =>
  Object.entries(menu).find(([, tabs]) => section !== undefined && section in tabs)?.[0] ?? ''
