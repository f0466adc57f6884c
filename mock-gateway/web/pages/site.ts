import type { Locale } from '../../domain/language/languages.ts'
import type { AddressOf } from './assets.ts'
import { html, type SafeHtml } from './html.ts'
import { renderIcon } from './icons.ts'
import { renderLayout } from './layout.ts'
import { type Policy, SELF } from './policy.ts'

/** A page of the home page or the documentation. */
export interface SitePage {
  readonly locale?: Locale
  /** Path of the gateway, such as `/gateway`; empty for the top. */
  readonly root: string
  readonly title: string
  /** The menu: lists of links. */
  readonly menu: SafeHtml
  /** The end of the header, such as the state of the sandbox. */
  readonly foot?: SafeHtml | null
  /** Address of another script. */
  readonly script?: string
  /** The content, with its heading. */
  readonly main: SafeHtml
}

/** Allows only our own scripts and pictures, and no forms to other sites. */
export const SITE_POLICY: Policy = {
  'script-src': [SELF],
  'connect-src': [SELF],
  'img-src': [SELF],
  'form-action': [SELF],
}

/** Renders a page of the gateway outside the console, with the console's header. */
export const renderSitePage = (getAddress: AddressOf, page: SitePage): SafeHtml =>
  renderLayout({
    locale: page.locale ?? 'en',
    title: page.title,
    style: getAddress('pages/site.css'),
    head: html`<link rel="icon" href="${getAddress('pages/icon.svg')}" type="image/svg+xml">
<script src="${getAddress('console/scripts/console.js')}" defer></script>
${
  page.script &&
  html`<script src="${page.script}" defer></script>
`
}`,
    body: html`<a class="unseen" href="#main">Skip to the content</a>
<div class="app">
<header class="side">
<a class="shop" href="${page.root}/"><i class="initial" aria-hidden="true">M</i>
<span>Mondido gateway<small>For testing only</small></span></a>
<button type="button" class="small open-menu" popovertarget="menu">${renderIcon('Menu')}Menu</button>
<nav id="menu" class="menu" popover aria-label="Menu">
${page.menu}
</nav>
${page.foot}
</header>
<main id="main" tabindex="-1">
${page.main}
</main>
</div>`,
  })

/** Renders a link of the menu. @param current address of the page */
export const renderMenuLink = (to: string, label: string, current: string): SafeHtml =>
  html`<li><a href="${to}"${to === current ? html` aria-current="page"` : null}>${label}</a></li>
`

/** Renders the field that searches the documentation. */
export const renderSearchForm = (root: string, label = 'Search'): SafeHtml =>
  html`<form class="search" method="get" action="${root}/search" role="search">
<input type="search" name="q" aria-label="${label}" placeholder="${label}"></form>`
