import type { SampleCall } from '../pages/call-samples.ts'

/** A page of the documentation: what it says is Markdown, and its HTML is made of that. */
export interface DocPage {
  /** Below `/docs/`; that of the first page is empty. */
  readonly path: string
  readonly title: string
  /** The part of the menu that it belongs to. */
  readonly group: string
  /** Links lead to paths of other pages, with or without `.md`. */
  readonly markdown: string
  /** A call to paste or to send, which is made anew each time: its order is one of its own. */
  readonly example?: () => Example
}

/** Stands in a page where its example goes. */
export const EXAMPLE_MARK = '@@example@@'

/** How a call is made. */
export interface Example {
  /** For a shell, with all that comes before it. */
  readonly command: string
  /** Undefined where it needs what another call answers. */
  readonly call: SampleCall | undefined
}

/** Every page by its path. */
export type Pages = ReadonlyMap<string, DocPage>

/** A link of one page to another, or to a part of one. */
interface Target {
  readonly page: DocPage
  /** With its `#`; empty without one. */
  readonly fragment: string
}

/** What a link leads to; undefined where that is no page. */
function targetOf(pages: Pages, link: string): Target | undefined {
  const [path = '', anchor] = link.split('#')
  const page = pages.get(path.replace(/^\.\//, '').replace(/\.md$/, ''))
  return page && { page, fragment: anchor === undefined ? '' : `#${anchor}` }
}

const ELSEWHERE = /^(?:https?:|mailto:|#)/

/** An address of the gateway, under the path that it is reached at. */
const ownAddress = (root: string, link: string): string => root.replace(/\/docs$/, '') + link

/**
 * A link as the page of HTML has it; undefined: it leads out of what is served. @param root such as
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
 * A page as Markdown: its links lead to the Markdown of other pages, and names of places in it are
 * left out.
 */
export const asMarkdown = (pages: Pages, root: string, markdown: string): string =>
  markdown
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
