import { readdir, readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import type { Addresses } from '../../domain/addresses.ts'
import type { SampleCall } from '../pages/call-samples.ts'

/** A page of the documentation in Markdown, from which its HTML is rendered. */
export interface DocPage {
  /** Path below `/docs/`; empty for the first page. */
  readonly path: string
  readonly title: string
  /** Group of the menu. */
  readonly group: string
  /** Its description in the index. */
  readonly about?: string
  /** Words that readers search for. */
  readonly words?: string
  /** Links lead to paths of other pages, with or without `.md`. */
  readonly markdown: () => string
  /** The call of the page, created each time with a new order. */
  readonly example?: () => Example
}

/** An example of a call. */
export interface Example {
  /** Shell commands, including preparations. */
  readonly command: string
  /** Undefined if it needs the response of another call. */
  readonly call: SampleCall | undefined
}

/** Every page by its path. */
export type Pages = ReadonlyMap<string, DocPage>

/** Folders of `docs/` that are shown. Other folders are for the project only. */
const FOLDERS = ['', 'start/', 'how-to/', 'reference/', 'explanation/']

/** Heading of `docs/index.md` above the guides that few readers need. */
export const MORE = 'More'

/** Search words of a guide, which only the search reads. */
const SEARCH_WORDS = /^<!-- search: (.*) -->\n/m

/**
 * Reads the guides of `docs/`, with the addresses of this gateway, in the order and groups in which
 * `index.md` links to them.
 */
export async function readGuides(root: string, addresses: Addresses): Promise<DocPage[]> {
  const texts = new Map<string, string>()
  // One file at a time: reading all files in parallel needs many descriptors, and a gateway with
  // many clients has few.
  for (const folder of FOLDERS)
    for (const file of (await readdir(root + folder).catch(() => [])).sort())
      if (/^[a-z][\w-]*\.md$/.test(file)) {
        const text = (await readFile(root + folder + file, 'utf8')).replaceAll('\r\n', '\n')
        texts.set(
          folder + file.slice(0, -3),
          withRootLinks(withOwnAddresses(text, addresses), folder),
        )
      }
  // Without the sentences above its first group.
  const whole = texts.get('index') ?? ''
  const index = whole.slice(whole.indexOf('## '))
  const findEntry = (path: string) => {
    const at = index.indexOf(`](${path}.md`)
    const before = index.slice(0, at < 0 ? index.length : at)
    const group = [...before.matchAll(/^## (.*)$/gm)].at(-1)?.[1] ?? MORE
    return { at: before.length, group, about: /\): (.*)/.exec(index.slice(before.length))?.[1] }
  }
  return [...texts]
    .map(([path, text]) => {
      const { at, group, about = '' } = findEntry(path)
      const words = SEARCH_WORDS.exec(text)?.[1] ?? ''
      const markdown = text.replace(SEARCH_WORDS, '')
      const title = /^# (.*)$/m.exec(markdown)?.[1] ?? path
      return { at, page: { path, title, group, about, words, markdown: () => markdown } }
    })
    .toSorted((one, other) => one.at - other.at)
    .map(({ page }) => page)
}

/** Rewrites relative links, so that they start at the folder of all guides. Other links stay. */
const withRootLinks = (markdown: string, folder: string): string =>
  markdown.replace(
    /\]\((?!https?:|mailto:|[#/])([^()\s]+)\)/g,
    (_link, target: string) => `](${posix.join(folder, target)})`,
  )

/**
 * Replaces the default address, which guides and contracts are written with, by the address of the
 * role that serves the path.
 */
export const withOwnAddresses = (markdown: string, { base, pay, cdn }: Addresses): string =>
  markdown
    .replaceAll(/http:\/\/localhost:4400(?=\/v1\/(?:form|mpi_js|acs)\b)/g, () => pay)
    .replaceAll(/http:\/\/localhost:4400(?=\/v2\/mondido\b)/g, () => cdn)
    .replaceAll('http://localhost:4400', () => base)

/**
 * Returns a link for a page; undefined if it leads to a file that is not served.
 * @param root path of the documentation, such as `/docs`
 * @param ending `.md` for links between Markdown pages
 */
export function resolveLink(
  pages: Pages,
  root: string,
  link: string,
  ending = '',
): string | undefined {
  if (/^(?:https?:|mailto:|#)/.test(link)) return link
  if (link.startsWith('/')) return root.replace(/\/docs$/, '') + link
  const [path = '', anchor] = link.split('#')
  const page = pages.get(path.replace(/^\.\//, '').replace(/\.md$/, ''))
  return (
    page && formatAddress(root, page.path) + ending + (anchor === undefined ? '' : `#${anchor}`)
  )
}

export const formatAddress = (root: string, path: string): string =>
  path === '' ? root : `${root}/${path}`

/** Returns a page as Markdown, without HTML, and with links to the Markdown of other pages. */
export const asMarkdown = (pages: Pages, root: string, markdown: string): string =>
  markdown
    .replace(/^<\/?(?:div|details|summary)[^<>]{0,200}>(?:<summary>)?\n\n?/gm, '')
    .replace(
      /(?<!!)\[([^[\]]{0,300})\]\(([^()\s]{1,500})\)/g,
      (_link, text: string, link: string) => {
        const to = resolveLink(pages, root, link, '.md')
        return to === undefined ? text : `[${text}](${to})`
      },
    )
