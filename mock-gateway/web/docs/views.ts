import type { AddressOf } from '../pages/assets.ts'
import type { SampleCall } from '../pages/call-samples.ts'
import { html, type SafeHtml, trustHtml } from '../pages/html.ts'
import { renderMenuLink, renderSearchForm, renderSitePage } from '../pages/site.ts'
import { type DocPage, formatAddress, type Pages } from './pages.ts'
import type { Hit } from './search.ts'

/** A page of the documentation with its menu. */
interface DocsView {
  /** Path of the documentation. */
  readonly root: string
  readonly pages: Pages
  readonly page: Pick<DocPage, 'title' | 'path'>
  readonly body: SafeHtml
}

const formatGatewayUrl = (root: string): string => root.replace(/\/docs$/, '')

/** Renders a page with the menu and the search. */
export const renderDocs = (
  getAssetAddress: AddressOf,
  { root, pages, page, body }: DocsView,
): SafeHtml =>
  renderSitePage(getAssetAddress, {
    root: formatGatewayUrl(root),
    title: `${page.title} – documentation`,
    script: getAssetAddress('docs/scripts/docs.js'),
    menu: renderMenu(root, pages, page.path),
    main: html`<div class="docs">${body}</div>`,
  })

/** Groups that are only reached from other pages; of calls, the menu has the page's own group. */
const NEVER = ['Objects', 'Errors']

function renderMenu(root: string, pages: Pages, current: string): SafeHtml {
  const here = formatAddress(root, current)
  const groups = Map.groupBy(pages.values(), ({ group }) => group)
  const isCalls = (entries: readonly DocPage[]) => entries[0]?.path.startsWith('calls/')
  const isHere = (entries: readonly DocPage[]) => entries.some(({ path }) => path === current)
  const list = (entries: readonly DocPage[]) =>
    html`<ul>${entries.map(({ path, title }) =>
      renderMenuLink(formatAddress(root, path), path === '' ? 'Overview' : title, here),
    )}</ul>`
  const shown = [...groups].filter(
    ([group, entries]) => !NEVER.includes(group) && (!isCalls(entries) || isHere(entries)),
  )
  return html`${renderSearchForm(root)}
<ul>${renderMenuLink(`${formatGatewayUrl(root)}/console`, 'Console', '')}</ul>
${shown.map(
  ([group, entries]) =>
    html`<details${isHere(entries) ? html` open` : null}><summary>${group}</summary>${list(entries)}</details>
`,
)}
<ul>${renderMenuLink(`${root}#every-call`, 'Every call', '')}</ul>`
}

/** A page's content and its example. */
interface DocsArticle {
  readonly root: string
  readonly at: string
  /** Rendered Markdown. */
  readonly body: string
  readonly call: SampleCall | undefined
}

/** Pages below this size, or with fewer headings, fit on a few screens and need no list of contents. */
const LONG_PAGE = { characters: 6000, headings: 4 }

/** Renders a page of the documentation. */
export function renderArticle({ root, at, body, call }: DocsArticle): SafeHtml {
  const headings = [...body.matchAll(/<h([23]) id="([^"<>]{1,200})">([^\n]{1,500})<\/h[23]>/g)].map(
    ([, level = '', id = '', inner = '']) => {
      const text = trustHtml(inner.replace(/<[^<>]{0,300}>/g, ''))
      return html`<li class="level-${level}"><a href="#${id}">${text}</a></li>
`
    },
  )
  const isLong =
    at !== root &&
    !call &&
    body.length >= LONG_PAGE.characters &&
    headings.length >= LONG_PAGE.headings
  return html`${
    isLong
      ? html`<nav class="contents" aria-labelledby="on-this-page">
<details><summary>On this page</summary></details>
<div><h2 id="on-this-page">On this page</h2>
<ul>
${headings}</ul></div>
</nav>
`
      : null
  }<article>
${trustHtml(body)}
</article>
${call && tryForm(root, call)}
<p class="quiet"><a href="${at === root ? `${at}/index` : at}.md">This page as Markdown</a></p>`
}

/** Renders the form that sends the example; the script shows it. */
const tryForm = (
  root: string,
  { method, url, login, fields }: SampleCall,
): SafeHtml => html`<section class="try" hidden aria-labelledby="try-it"><h2 id="try-it">Try it</h2>
<p class="quiet">Sends it to this gateway.</p>
<form class="row filters" data-method="${method}" data-console="${formatGatewayUrl(root)}/console">
<label class="whole">${method} <input name="path" value="${url.replace(/^https?:\/\/[^/]*/, '')}"></label>
${
  login &&
  html`<label>Merchant <input name="user" value="${login.user}" autocomplete="off"></label>
<label>Password
<input name="password" type="password" value="${login.password}" autocomplete="off"></label>
`
}${
  Object.keys(fields).length > 0
    ? html`<label class="whole">Fields, one on each line
<textarea name="fields" rows="10" spellcheck="false">
${Object.entries(fields)
  .map(([name, value]) => `${name}=${value}`)
  .join('\n')}</textarea></label>`
    : null
}<button>Send</button></form>
<div class="answer" role="status"></div></section>`

/** Renders the parts of pages that match a query. */
export const searchView = (
  root: string,
  query: string,
  hits: readonly Hit[],
): SafeHtml => html`<h1>Search</h1>
<form class="row filters" method="get" action="${root}/search"><label>Search text
<input type="search" name="q" value="${query}"></label><button class="small">Search</button></form>
${
  query === ''
    ? html`<p>Type a search text: a field, the number or name of an error, or a setting.</p>`
    : hits.length === 0
      ? html`<p>No page has any of these words: <b>${query}</b></p>`
      : html`<ol class="hits">${hits.map(
          ({ link, heading, page, excerpt }) => html`<li><a href="${root}/${link}">${
            heading === page ? page : `${page} › ${heading}`
          }</a><p>${excerpt}</p></li>
`,
        )}</ol>`
}`
