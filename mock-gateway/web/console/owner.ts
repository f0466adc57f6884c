import { type Cell, link, plain } from './cells.ts'
import type { ConsoleVisit, MerchantVisit } from './visit.ts'

/** Whose things a page shows that there is of each merchant and of all. */
export interface Owner {
  /** Undefined: all. */
  readonly merchantId: number | undefined
  /** Where the page stands, such as `/console/1`. */
  readonly home: string
  /** Where the pages of a merchant stand. */
  homeOf(merchantId: number): string
  /** Columns that say whose a line is, where that is not clear. */
  readonly heads: readonly string[]
  cells(line: { readonly merchantId: number | null }): readonly Cell[]
}

/** Whose things somebody at a page sees. */
export type OwnerOf<Who extends ConsoleVisit> = (visit: Who) => Owner

export const oneMerchant: OwnerOf<MerchantVisit> = ({ merchant, home }) => ({
  merchantId: merchant.id,
  home,
  homeOf: () => home,
  heads: [],
  cells: () => [],
})

export const everybody: OwnerOf<ConsoleVisit> = ({ root }) => ({
  merchantId: undefined,
  home: root,
  homeOf: (merchantId) => `${root}/${merchantId}`,
  heads: ['Merchant'],
  cells: ({ merchantId }) => [
    merchantId === null ? ALL : link(merchantId, `${root}/${merchantId}`),
  ],
})

const ALL = plain('all')
