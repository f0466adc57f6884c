import type { SampleCall } from '../pages/call-samples.ts'

/** A page of the documentation in Markdown, from which its HTML is rendered. */
export interface DocPage {
  /** Path below `/docs/`; empty for the first page. */
  readonly path: string
  readonly title: string
  /** Group of the menu. */
  readonly group: string
  /** Links lead to paths of other pages, with or without `.md`. */
  readonly markdown: string
  /** A call to paste or to send, created each time with a new order. */
  readonly example?: () => Example
}

/** Placeholder of the example in a page. */
export const EXAMPLE_MARK = '@@example@@'

/** An example of a call. */
export interface Example {
  /** Shell commands, including preparations. */
  readonly command: string
  /** Undefined if it needs the response of another call. */
  readonly call: SampleCall | undefined
}

/** Every page by its path. */
export type Pages = ReadonlyMap<string, DocPage>

/** A link from one page to another, or to a part of one. */
interface Target {
  readonly page: DocPage
  /** With its `#`; empty without one. */
  readonly fragment: string
}

/** Returns the target of a link; undefined if it is not a page. */
function targetOf(pages: Pages, link: string): Target | undefined {
  const [path = '', anchor] = link.split('#')
  const page = pages.get(path.replace(/^\.\//, '').replace(/\.md$/, ''))
  return page && { page, fragment: anchor === undefined ? '' : `#${anchor}` }
}

const ELSEWHERE = /^(?:https?:|mailto:|#)/

/** Returns an address of the gateway, below its own path. */
const ownAddress = (root: string, link: string): string => root.replace(/\/docs$/, '') + link

/**
 * Returns a link for HTML; undefined if it leads to a file that is not served. @param root such as
 * `/docs`
 */
export function hrefOf(pages: Pages, root: string, link: string): string | undefined {
  if (ELSEWHERE.test(link)) return link
  if (link.startsWith('/')) return ownAddress(root, link)
  const target = targetOf(pages, link)
  return target && addressOf(root, target.page.path) + target.fragment
}

export const addressOf = (root: string, path: string): string =>
  path === '' ? root : `${root}/${path}`

/**
 * Returns a page as Markdown: links lead to the Markdown of other pages, and anchors are removed.
 */
export const asMarkdown = (pages: Pages, root: string, markdown: string): string =>
  markdown
    .replace(/^<\/?(?:div|details|summary)[^<>]{0,200}>(?:<summary>)?\n\n?/gm, '')
    .replace(/<\/?span[^<>]{0,200}>/g, '')
    .replace(
      /(?<!!)\[([^[\]]{0,300})\]\(([^()\s]{1,500})\)/g,
      (_link, text: string, link: string) => {
        if (ELSEWHERE.test(link)) return `[${text}](${link})`
        if (link.startsWith('/')) return `[${text}](${ownAddress(root, link)})`
        const target = targetOf(pages, link)
        return target
          ? `[${text}](${addressOf(root, target.page.path)}.md${target.fragment})`
          : text
      },
    )
