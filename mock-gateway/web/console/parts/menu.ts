import type { ErrorName } from '../../../domain/errors/errors.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import { describeState, findHolders, sumOfTimes } from '../../../operations/sandbox.ts'
import { countProblems } from '../../../storage/overview.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import type { Menu } from '../sections.ts'

export const CLOCK_MODES: Readonly<Record<string, string>> = {
  real: 'Real time',
  offset: 'Clock moved',
  frozen: 'Clock frozen',
}

/** Selects what affects a merchant: rows of its own, and rows without a merchant. */
export const isFor =
  (merchant: Merchant | undefined) =>
  ({ merchant_id }: { readonly merchant_id: number | null }): boolean =>
    !merchant || merchant_id === null || merchant_id === merchant.id

/**
 * Names what a test has switched on and not switched off, apart from the clock.
 * @param merchant undefined: what is on for any merchant
 */
export async function switchedOnNotes(
  { controlKey, isLocal, faults, nextOutcomes, database }: ConsoleDependencies,
  merchant: Merchant | undefined,
): Promise<readonly string[]> {
  if (controlKey === undefined) return []
  const delivery = merchant?.settings.webhook_delivery
  const count = async (operation: 'payment' | 'capture') =>
    sumOfTimes((await nextOutcomes.waiting(operation)).filter(isFor(merchant)))
  return describeState({
    faults: isLocal || !merchant ? (await faults.list()).filter(isFor(merchant)).length : 0,
    next_payments: await count('payment'),
    next_captures: await count('capture'),
    held_webhooks: delivery
      ? delivery.hold || delivery.hold_orders.length > 0
      : (await findHolders({ database, merchantId: undefined })).length > 0,
  })
}

/** Errors of declined payments. They are counted with the payments, not as mistakes of the shop. */
export const DECLINES: readonly ErrorName[] = [
  'errors.payment.declined',
  'errors.payment.canceled',
  'errors.card.expired',
  'errors.card.do_not_honour',
  'errors.bankprovider.insufficient_funds',
]

/** Counts what needs attention, by entry of the menu. */
export async function countAttention(
  { database: { db } }: ConsoleDependencies,
  { id }: Merchant,
): Promise<Readonly<Record<string, number>>> {
  const { subscriptions, requests, webhooks } = await countProblems(db, id, DECLINES)
  return { Subscriptions: subscriptions, Requests: requests, Webhooks: webhooks }
}

/** An entry of the menu, with its tabs. */
export type Entry = ReturnType<typeof listEntries>[number]

/**
 * Lists the entries of a menu.
 * @param home prefix of the addresses
 * @param address of the page
 * @param counts numbers of rows behind its tabs
 * @param attention numbers of its objects that need attention, by entry
 */
export const listEntries = (
  menu: Menu,
  home: string,
  address: string,
  counts: Readonly<Record<string, number>> = {},
  attention: Readonly<Record<string, number>> = {},
) => {
  const path = `${address.replace(/\?.*/s, '')}/`
  const [name] = path.startsWith(`${home}/`) ? path.slice(home.length + 1).split('/') : []
  return Object.entries(menu).map(([label, tabs]) => {
    const shown = Object.entries(tabs).map(([path, text]) => ({
      label: text,
      to: path === '' ? home : `${home}/${path}`,
      /** Number of its rows; undefined if it is not counted. */
      count: counts[path],
    }))
    // A tab with a filter is more exact than the one of its whole list.
    const [current] = shown
      .filter(({ to }) => isBelow(address, to))
      .toSorted((one, other) => other.to.length - one.to.length)
    return {
      label,
      to: shown[0]?.to ?? home,
      isCurrent: name !== undefined && name in tabs,
      count: attention[label] ?? 0,
      tabs: shown.map((tab) => ({ ...tab, isCurrent: tab === current })),
    }
  })
}

/** Returns true if an address is the one of a tab, with further filters or without. */
function isBelow(address: string, tab: string): boolean {
  const [here, there] = [address, tab].map((each) => URL.parse(each, 'http://here.invalid'))
  return (
    here?.pathname.replace(/\/$/, '') === there?.pathname &&
    [...(there?.searchParams ?? [])].every(
      ([name, value]) => here?.searchParams.get(name) === value,
    )
  )
}
