import type { AddressOf } from '../pages/assets.ts'
import { html, type SafeHtml } from '../pages/html.ts'
import { layout } from '../pages/layout.ts'

/** A page of the documentation with its menu. */
interface DocsFrame {
  /** Path of the documentation. */
  readonly root: string
  readonly title: string
  /** Path of the page; '' if the menu does not contain it. */
  readonly at: string
  readonly query: string
  readonly menus: readonly DocsMenu[]
  readonly body: SafeHtml
}

/** A group of the menu. */
export interface DocsMenu {
  readonly title: string
  readonly to: string | null | undefined
  readonly entries: readonly { readonly text: string; readonly to: string }[]
}

/** Returns the path of the console. @param root path of the documentation */
const consoleOf = (root: string): string => root.replace(/docs$/, 'console')

/** Renders a document with the menu and the search. */
export const docsView = (
  addressOf: AddressOf,
  { root, title, at, query, menus, body }: DocsFrame,
): SafeHtml =>
  layout({
    locale: 'en',
    title: `${title} – documentation`,
    style: addressOf('console/views/console.css'),
    head: html`<link rel="icon" href="${addressOf('pages/icon.svg')}" type="image/svg+xml">
<script src="${addressOf('console/scripts/console.js')}" defer></script>
<link rel="stylesheet" href="${addressOf('docs/views/docs.css')}">
<script src="${addressOf('docs/scripts/docs.js')}" defer></script>
`,
    body: html`<a class="skip" href="#main">Skip to the content</a>
<header>
<a class="brand" href="${root}">Documentation</a>
<p><a href="${consoleOf(root)}">Console</a></p>
<form class="search" method="get" action="${root}/search" role="search">
<input type="search" name="q" value="${query}" aria-label="Search" placeholder="Search"></form>
</header>
<div class="columns">
<nav aria-label="Contents">
<details><summary>Contents</summary></details>
<div class="menu">
${menus.map((menu) => menuView(menu, at))}</div>
</nav>
<main id="main" tabindex="-1" class="docs">
${body}
</main>
</div>`,
  })

const menuView = (
  menu: DocsMenu,
  current: string,
): SafeHtml => html`<h2>${menu.to ? html`<a href="${menu.to}">${menu.title}</a>` : menu.title}</h2>
${
  menu.entries.length > 0
    ? html`<ul>
${menu.entries.map(
  ({ text, to }) => html`<li>
<a href="${to}"${to === current ? html` aria-current="page"` : null}>${text}</a></li>
`,
)}</ul>`
    : null
}
`

/** A page's content, its headings and its example. */
interface DocsArticle {
  readonly root: string
  readonly at: string
  readonly body: SafeHtml
  readonly contents: readonly {
    readonly level: string | undefined
    readonly id: string | undefined
    readonly html: SafeHtml
  }[]
  readonly call: TriedCall | null
}

/** The form that sends an example. */
export interface TriedCall {
  readonly method: string
  readonly path: string
  readonly login: { readonly user: string; readonly password: string } | null
  /** One `name=value` on each line. */
  readonly fields: string
}

/** Renders a page of the documentation. */
export const articleView = ({ root, at, body, contents, call }: DocsArticle): SafeHtml =>
  html`${
    contents.length > 0
      ? html`<nav class="contents" aria-labelledby="on-this-page">
<details><summary>On this page</summary></details>
<div><h2 id="on-this-page">On this page</h2>
<ul>
${contents.map(
  (each) => html`<li class="level-${each.level}"><a href="#${each.id}">${each.html}</a></li>
`,
)}</ul></div>
</nav>
`
      : null
  }<article>
${body}
</article>
${call && tryForm(root, call)}
<p class="quiet"><a href="${at === root ? `${at}/index` : at}.md">This page as Markdown</a></p>`

const tryForm = (
  root: string,
  { method, path, login, fields }: TriedCall,
): SafeHtml => html`<section class="try" hidden aria-labelledby="try-it"><h2 id="try-it">Try it</h2>
<p class="quiet">Sends it to this gateway.</p>
<form class="filters" data-method="${method}" data-console="${consoleOf(root)}">
<label class="whole">${method} <input name="path" value="${path}"></label>
${
  login &&
  html`<label>Merchant <input name="user" value="${login.user}" autocomplete="off"></label>
<label>Password
<input name="password" type="password" value="${login.password}" autocomplete="off"></label>
`
}${
  fields &&
  html`<label class="whole">Fields, one on each line
<textarea name="fields" rows="10" spellcheck="false">
${fields}</textarea></label>`
}<button>Send</button></form>
<div class="answer" role="status"></div></section>`

/** Renders the parts of pages that match a query. */
export const searchView = (
  query: string,
  hits: readonly Readonly<Record<'to' | 'heading' | 'page' | 'excerpt', string>>[],
): SafeHtml => html`<h1>Search</h1>
${
  query === ''
    ? html`<p>Type a search text above: a field, the number or name of an error, or a setting.</p>`
    : hits.length === 0
      ? html`<p>No page has any of these words: <b>${query}</b></p>`
      : html`<ol class="hits">${hits.map(
          ({ to, heading, page, excerpt }) => html`<li><a href="${to}">${heading}</a>
<span class="quiet">${page}</span><p>${excerpt}</p></li>
`,
        )}</ol>`
}`
