import type { PageQuery } from './calls.ts'
import type { List } from './kinds.ts'

type Page<Item> = Awaited<ReturnType<List<Item>['page']>>

const PAGE = 100

/**
 * List of a client. Newest first, each page begins below the last id, so new items do not shift it.
 * In another order, pages use the offset.
 * @param read reads a page
 */
export function createList<Item extends { readonly id: number }>(
  query: PageQuery,
  read: (query: PageQuery) => Promise<Page<Item>>,
): List<Item> {
  async function* walk() {
    const limit = query.limit ?? PAGE
    const isByOffset =
      query.order_by !== undefined || query.offset !== undefined || query.start_id !== undefined
    let next: PageQuery | undefined = { ...query, limit }
    let count = query.offset ?? 0
    while (next) {
      const { items, total }: Page<Item> = await read(next)
      yield* items
      count += items.length
      const last = items.at(-1)
      // A page may end before its limit: at 16 MB.
      const isOver =
        last === undefined || (isByOffset ? count >= total : items.length >= total || last.id === 1)
      next = isOver
        ? undefined
        : { ...query, limit, ...(isByOffset ? { offset: count } : { start_id: last.id - 1 }) }
    }
  }
  return {
    page: () => read(query),
    async all() {
      const items: Item[] = []
      for await (const item of walk()) items.push(item)
      return items
    },
    [Symbol.asyncIterator]: walk,
  }
}
