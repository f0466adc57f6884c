import type { ConsoleAnswer, ConsoleClient } from './client.ts'

/**
 * Opens every page and file that links lead to, each path once, with any query.
 * @param from start below the console, such as `/1`
 * @param isWanted predicate for other paths to open; by default those below `from`
 * @returns answers by path
 */
export async function crawl(
  client: ConsoleClient,
  from: string,
  isWanted = (path: string) => path.startsWith(`${from}/`),
): Promise<ReadonlyMap<string, ConsoleAnswer>> {
  const pages = new Map<string, ConsoleAnswer>()
  const left = [from]
  for (const path of left) {
    const page = await client.get(path)
    pages.set(path, page)
    for (const [, link = ''] of page.html.matchAll(/ href="\/console([^"?]*)/g))
      if (isWanted(link) && !left.includes(link)) left.push(link)
  }
  return pages
}

/** Returns the tags of a page, without texts and values of attributes. */
export const marksOf = (html: string): readonly string[] =>
  html.replaceAll(/="[^"]*"/g, '=""').match(/<[^>]*>?/g) ?? []
