import type { Response } from 'express'
import { withMarkedControls } from '../../../domain/characters.ts'
import type { GatewayError } from '../../../domain/errors/errors.ts'
import { readId } from '../../../domain/identifiers.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import type { Parameters } from '../../../parsing/parameters/parameters.ts'
import { formatWireTime } from '../../../serializers/time.ts'
import { getExchange } from '../../http/exchange.ts'
import type { AddressOf } from '../../pages/assets.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { renderIcon } from '../../pages/icons.ts'
import { renderLayout } from '../../pages/layout.ts'
import { sendHtml } from '../../pages/page.ts'
import { type Policy, SELF } from '../../pages/policy.ts'
import { formatMinute } from '../../pages/times.ts'
import { type ConsoleDependencies, hasLocalSandbox } from '../dependencies.ts'
import { ADMINISTRATOR_MENU, createMerchantMenu, DONE } from '../sections.ts'
import { type ConsoleView, type ConsoleVisit, getVisitor, type Visitor } from '../visit.ts'
import { renderTokenField } from './forms.ts'
import { CLOCK_MODES, countAttention, type Entry, listEntries, switchedOnNotes } from './menu.ts'
import { renderEmptyState, renderProblemBox, toConsoleProblem } from './problem.ts'

/**
 * Allows only our own scripts and pictures, no frames, and no forms to other sites (attacks 30,
 * 46).
 */
export const CONSOLE_POLICY: Policy = {
  'script-src': [SELF],
  'connect-src': [SELF],
  'img-src': [SELF],
  'form-action': [SELF],
}

export const CONSOLE_HEADERS: Readonly<Record<string, string>> = {
  'X-Robots-Tag': 'noindex, nofollow',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), usb=()',
}

/**
 * Sends a page with its menu.
 * @param merchant default: the merchant of the request
 */
export async function sendView(
  { dependencies, root }: Pick<ConsoleVisit, 'dependencies' | 'root'>,
  response: Response,
  view: ConsoleView,
  merchant = getExchange(response).merchant,
): Promise<void> {
  const { path, url, method } = response.req
  const home = merchant ? `${root}/${merchant.id}` : root
  const visitor = getVisitor(response)
  const own = visitor.operator.merchantId === undefined ? ADMINISTRATOR_MENU : {}
  const entries = listEntries(
    merchant ? createMerchantMenu(hasLocalSandbox(dependencies)) : own,
    home,
    root + path + url.replace(/^[^?]*/, ''),
    view.counts,
    merchant && (await countAttention(dependencies, merchant)),
  )
  const address = entries.find(({ label }) => label === 'Test controls')?.to
  const page = renderConsolePage(
    await dependencies.assetAddresses(),
    view.title,
    html`<a class="unseen" href="#main">Skip to the content</a>
<div class="app">
<header class="side">
${renderOwnerMark(merchant, home)}
${renderMenu(entries, visitor, root, merchant)}
${
  // The response to a form has no address to read again.
  view.live && method === 'GET'
    ? html`<div class="row live" data-live="${home}/live" data-names="${view.live.join(' ')}"></div>`
    : null
}
${await sandboxState(dependencies, response, merchant, { now: view.now, address })}
</header>
<main id="main" tabindex="-1">
${renderDoneSentence(getExchange(response).parameters)}
${renderPageHead(view, entries)}
<div id="content">
${view.body}
</div>
</main>
</div>`,
  )
  sendHtml(response, withMarkedControls(String(page)), {
    policy: view.frames ? { ...CONSOLE_POLICY, 'frame-src': [SELF] } : CONSOLE_POLICY,
    headers: CONSOLE_HEADERS,
  })
}

const renderOwnerMark = (merchant: Merchant | undefined, home: string): SafeHtml => {
  const { name, note } = merchant
    ? { name: merchant.name, note: `Merchant ${merchant.id}` }
    : { name: 'Console', note: 'Administrator' }
  return html`<a class="shop" href="${home}"><i class="initial" aria-hidden="true">${merchant ? name.slice(0, 1) : 'A'}</i>
<span>${name}<small>${note}</small></span></a>`
}

const CURRENT = html` aria-current="page"`

function renderMenu(
  entries: readonly Entry[],
  visitor: Visitor,
  root: string,
  merchant: Merchant | undefined,
): SafeHtml {
  const isAdministrator = visitor.operator.merchantId === undefined
  return html`<button type="button" class="small open-menu" popovertarget="menu">${renderIcon('Menu')}Menu</button>
<nav id="menu" class="menu" popover aria-label="Menu">
${
  merchant &&
  html`<form class="search" method="get" action="${root}/${merchant.id}/search" role="search">
<input type="search" name="q" aria-label="Search"
  placeholder="Search" title="Id, order, amount, error" size="18"></form>`
}
<ul>${entries.map(renderMenuItem)}</ul>
<form class="row out" method="post" action="${root}/logout">${renderTokenField(visitor)}
${isAdministrator && merchant ? html`<a href="${root}/merchants">All merchants</a>` : null}
<button class="plain">Log out</button></form>
</nav>`
}

const renderMenuItem = ({ label, to, isCurrent, count }: Entry): SafeHtml =>
  html`<li${label === 'Test controls' ? html` class="apart"` : null}>
<a href="${to}"${isCurrent ? CURRENT : null}>${renderIcon(label)}${label}${
    count > 0
      ? html`<span class="count">${count}<span class="unseen"> need attention</span></span>`
      : null
  }</a></li>`

/** Renders the way to the page, its heading, and the tabs of its section. */
function renderPageHead(
  { title, heading, summary, actions }: ConsoleView,
  entries: readonly Entry[],
): SafeHtml {
  const { label, tabs = [], to } = entries.find(({ isCurrent }) => isCurrent) ?? {}
  const isTab = tabs.some(({ isCurrent }) => isCurrent)
  return html`${isTab || !to ? null : html`<p class="crumb quiet"><a href="${to}">${label}</a> / ${title}</p>`}
<div class="row head"><div><h1 class="row">${heading ?? (isTab ? label : title)}</h1>
${summary && html`<p class="tell">${summary}</p>`}</div>
${actions && html`<div class="row">${actions}</div>`}</div>
${
  tabs.length > 1 && isTab
    ? html`<nav class="tabs" aria-label="Pages of this section">${tabs.map(
        (tab) =>
          html`<a href="${tab.to}"${tab.isCurrent ? CURRENT : null}>${tab.label}${
            tab.count === undefined ? null : html` <span class="quiet">${tab.count}</span>`
          }</a>`,
      )}</nav>`
    : null
}`
}

/** Renders the clock, and what a test has switched on: on every page, because it explains results. */
async function sandboxState(
  dependencies: ConsoleDependencies,
  response: Response,
  merchant: Merchant | undefined,
  { now, address }: { readonly now: number | undefined; readonly address: string | undefined },
): Promise<SafeHtml> {
  const { service, now: today } = getExchange(response)
  const mode = service.clocks.getMode(merchant?.id)
  const notes = await switchedOnNotes(dependencies, merchant)
  const content = html`<span class="is ${mode === 'real' ? 'good' : 'waiting'}">${CLOCK_MODES[mode] ?? mode}</span>
<strong><time datetime="${formatWireTime(now ?? today)}" data-mode="${mode}">${formatMinute(now ?? today)}</time> UTC</strong>${
    notes.length > 0 ? html` <span>${notes.join(', ')}</span>` : null
  }`
  return address === undefined
    ? html`<div class="sandbox quiet">${content}</div>`
    : html`<a class="sandbox quiet" href="${address}">${content}</a>`
}

/** Renders the sentence about the previous form: its word and a number are in the address. */
function renderDoneSentence({ done, count }: Parameters): SafeHtml | null {
  const sentence = Object.entries(DONE).find(([word]) => word === done)?.[1]
  // No other text of the address is shown.
  const number = (typeof count === 'string' && readId(count)) || 0
  return sentence === undefined
    ? null
    : html`<p class="callout good" role="status">${sentence.replace('{count}', String(number))}</p>`
}

/** Renders a document of the console, with its style sheet and script. */
export const renderConsolePage = (getAddress: AddressOf, title: string, body: SafeHtml): SafeHtml =>
  renderLayout({
    locale: 'en',
    title: `${title} – console`,
    style: getAddress('console/console.css'),
    head: html`<link rel="icon" href="${getAddress('pages/icon.svg')}" type="image/svg+xml">
<script src="${getAddress('console/scripts/console.js')}" defer></script>
`,
    body,
  })

/**
 * Builds the page of an error. The heading of a 404 is the first sentence of its explanation, and
 * links lead on.
 * @param home path of the merchant's pages; undefined for the administrator's
 */
export function renderRefusal(refusal: GatewayError, root: string, home?: string): ConsoleView {
  const problem = toConsoleProblem(refusal)
  if (refusal.http !== 404 || !refusal.explain)
    return { title: 'This did not work', body: html`${renderProblemBox(problem)}` }
  const next =
    home === undefined
      ? html`Go to the <a href="${root}/merchants">merchants</a>,
or to <a href="${root}/requests">all requests</a>.`
      : html`Search above by id, order or amount,
or go to the <a href="${home}">overview</a> or the <a href="${home}/transactions">payments</a>.
Error ${problem.code}, <code>${problem.name}</code>.`
  const why = 'It may belong to another merchant, or was deleted with a reset.'
  const title = refusal.explain.replace(/\.(?: [A-Z].*)?$/, '')
  return { title, body: renderEmptyState(why, next) }
}
