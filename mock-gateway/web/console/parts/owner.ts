import type { Merchant } from '../../../domain/merchant.ts'
import type { ConsoleVisit, MerchantVisit } from '../visit.ts'
import { type Cell, link, plain } from './cells.ts'

/** Owner of the data on a page that exists for one merchant and for all. */
export interface Owner {
  /** Undefined: all merchants. */
  readonly merchantId: number | undefined
  readonly merchant?: Merchant
  /** Path of the page's section, such as `/console/1`. */
  readonly home: string
  /** Returns the path of a merchant's pages. */
  getHome(merchantId: number): string
  /** Columns with the owner of a row, if there are several. */
  readonly heads: readonly string[]
  cells(line: { readonly merchantId: number | null }): readonly Cell[]
}

/** Returns the owner of the data on a visitor's page. */
export type OwnerOf<Who extends ConsoleVisit> = (visit: Who) => Owner

export const oneMerchant: OwnerOf<MerchantVisit> = ({ merchant, home }) => ({
  merchantId: merchant.id,
  merchant,
  home,
  getHome: () => home,
  heads: [],
  cells: () => [],
})

export const everybody: OwnerOf<ConsoleVisit> = ({ root }) => ({
  merchantId: undefined,
  home: root,
  getHome: (merchantId) => `${root}/${merchantId}`,
  heads: ['Merchant'],
  cells: ({ merchantId }) => [
    merchantId === null ? ALL : link(merchantId, `${root}/${merchantId}`),
  ],
})

const ALL = plain('all')
