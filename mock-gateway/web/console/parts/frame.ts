import type { Response } from 'express'
import { withMarkedControls } from '../../../domain/characters.ts'
import type { GatewayError } from '../../../domain/errors/errors.ts'
import { readId } from '../../../domain/identifiers.ts'
import type { JsonValue } from '../../../domain/json.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import type { Operator } from '../../../merchants/sessions.ts'
import { wireTime } from '../../../serializers/time.ts'
import { exchangeOf } from '../../http/exchange.ts'
import type { AddressOf } from '../../pages/assets.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { icon } from '../../pages/icons.ts'
import { layout } from '../../pages/layout.ts'
import { sendHtml } from '../../pages/page.ts'
import { type Policy, SELF } from '../../pages/policy.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { ADMINISTRATOR_MENU, DONE, type Menu } from '../sections.ts'
import type { ConsoleView } from '../visit.ts'
import { time } from './cells.ts'
import { tokenField } from './forms.ts'
import {
  CLOCK_MODES,
  countAttention,
  type Entry,
  entriesOf,
  labelIn,
  switchedOnNotes,
  type Tab,
  tabsOf,
} from './menu.ts'
import { emptyState, problemBox, toConsoleProblem } from './problem.ts'

/** The viewer, and the merchant whose pages are shown. */
export interface ViewerContext {
  readonly operator: Operator
  /** Token in its forms. */
  readonly formToken: string
  readonly merchant?: Merchant | undefined
  /** Section of the menu that the page belongs to. */
  readonly section?: string | undefined
}

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

/** Sends a page with its menu. */
export type SendView = (
  response: Response,
  view: ConsoleView,
  onlooker: ViewerContext,
) => Promise<void>

/** @param menu menu of a merchant */
export const viewSender =
  (dependencies: ConsoleDependencies, root: string, menu: Menu): SendView =>
  async (response, view, onlooker) => {
    const { operator, formToken, merchant, section } = onlooker
    const { now, parameters, service } = exchangeOf(response)
    const home = merchant && `${root}/${merchant.id}`
    const isAdministrator = operator.merchantId === undefined
    const { done, count } = parameters
    const shown = home ? menu : isAdministrator ? ADMINISTRATOR_MENU : {}
    const at = home ?? root
    const path = root + response.req.path
    const page = consolePage(
      await dependencies.assetAddresses(),
      view.title,
      frame({
        root,
        home,
        formToken,
        title: view.title,
        heading: view.heading ?? null,
        actions: view.actions ?? null,
        body: view.body,
        merchant,
        entries: entriesOf(
          shown,
          at,
          section,
          merchant && (await countAttention(dependencies, merchant)),
        ),
        entry: labelIn(shown, section),
        tabs: tabsOf(
          shown,
          at,
          path + response.req.url.replace(/^[^?]*/, ''),
          section,
          view.counts,
        ),
        isAdministrator,
        now: view.now ?? now,
        mode: service.clocks.modeOf(merchant?.id),
        switchedOn: await switchedOnNotes(dependencies, merchant),
        controls: 'Test controls' in shown ? `${at}/controls` : undefined,
        // The response to a form has no address to read again.
        live:
          view.live && response.req.method === 'GET'
            ? { at: `${at}/live`, names: view.live }
            : undefined,
        done: sentenceOf(done)?.replace('{count}', countIn(count)),
      }),
    )
    sendHtml(response, withMarkedControls(String(page)), {
      policy: view.frames ? { ...CONSOLE_POLICY, 'frame-src': [SELF] } : CONSOLE_POLICY,
      headers: CONSOLE_HEADERS,
    })
  }

/** Renders a document of the console, with its style sheet and script. */
export const consolePage = (addressOf: AddressOf, title: string, body: SafeHtml): SafeHtml =>
  layout({
    locale: 'en',
    title: `${title} – console`,
    style: addressOf('console/views/console.css'),
    head: html`<link rel="stylesheet" href="${addressOf('console/views/parts.css')}">
<link rel="stylesheet" href="${addressOf('pages/story.css')}">
<link rel="icon" href="${addressOf('pages/icon.svg')}" type="image/svg+xml">
<script src="${addressOf('console/scripts/console.js')}" defer></script>
`,
    body,
  })

/** Data around a page. */
interface Frame {
  readonly root: string
  /** Path of a merchant's pages. */
  readonly home: string | undefined
  readonly formToken: string
  readonly title: string
  /** Null: the entry of the menu on the page of a tab, else the title. */
  readonly heading: SafeHtml | null
  readonly actions: SafeHtml | null
  /** Label of the current entry of the menu. */
  readonly entry: string
  readonly body: SafeHtml
  readonly merchant: Merchant | undefined
  readonly entries: readonly Entry[]
  readonly tabs: readonly Tab[]
  readonly isAdministrator: boolean
  /** Epoch milliseconds. */
  readonly now: number
  readonly mode: string
  /** What is switched on besides the clock. */
  readonly switchedOn: readonly string[]
  /** Address of the test controls; undefined if the console has none. */
  readonly controls: string | undefined
  /** Address of the stream of live updates, and the names of the page's data. */
  readonly live: { readonly at: string; readonly names: readonly string[] } | undefined
  /** Sentence about the previous form. */
  readonly done: string | undefined
}

const frame = (page: Frame): SafeHtml => html`<a class="skip" href="#main">Skip to the content</a>
<div class="app">
<header class="side">
${ownerMark(page)}
<button type="button" class="small open-menu" popovertarget="menu">${icon('Menu')}Menu</button>
<nav id="menu" class="menu" popover aria-label="Menu">
${
  page.home &&
  html`<form class="search" method="get" action="${page.home}/search" role="search">
<input type="search" name="q" aria-label="Search"
  placeholder="Search" title="Id, order, amount, error" size="18"></form>`
}
<ul>${page.entries.map(
  ({
    label,
    to,
    isCurrent,
    count,
  }) => html`<li${label === 'Test controls' ? html` class="apart"` : null}>
<a href="${to}"${isCurrent ? html` aria-current="page"` : null}>${icon(label)}${label}${
    count > 0
      ? html`<span class="count">${count}<span class="unseen"> need attention</span></span>`
      : null
  }</a></li>`,
)}</ul>
<form class="out" method="post" action="${page.root}/logout">${tokenField(page)}
${page.isAdministrator && page.home ? html`<a href="${page.root}/merchants">All merchants</a>` : null}
<button class="small">Log out</button></form>
</nav>
${sandboxState(page)}
</header>
<main id="main" tabindex="-1">
${page.done && html`<p class="done" role="status">${page.done}</p>`}
${crumb(page)}
<div class="head"><h1>${page.heading ?? (page.tabs.some(({ isCurrent }) => isCurrent) ? page.entry : page.title)}</h1>
${page.actions && html`<div class="btns">${page.actions}</div>`}</div>
${
  page.tabs.length > 1 && page.tabs.some(({ isCurrent }) => isCurrent)
    ? html`<nav class="tabs" aria-label="Pages of this section">${page.tabs.map(
        ({ label, to, isCurrent, count }) =>
          html`<a href="${to}"${isCurrent ? html` aria-current="page"` : null}>${label}${
            count === undefined ? null : html`<span>${count}</span>`
          }</a>`,
      )}</nav>`
    : null
}
<div id="content">
${page.body}
</div>
${page.live && liveMark(page.live)}
</main>
</div>`

/** Renders whose pages these are: the merchant's, or the administrator's. */
const ownerMark = ({ merchant, home, root }: Frame): SafeHtml =>
  merchant
    ? html`<a class="shop" href="${home}"><i aria-hidden="true">${merchant.name.slice(0, 1)}</i>
<span>${merchant.name}<span>Merchant ${merchant.id}</span></span></a>`
    : html`<a class="shop" href="${root}"><i aria-hidden="true">A</i>
<span>Console<span>Administrator</span></span></a>`

/** Renders the link from an object's page to the list it belongs to. */
const crumb = ({ tabs, title, entry }: Frame): SafeHtml | null => {
  const [first] = tabs
  return first === undefined || tabs.some(({ isCurrent }) => isCurrent)
    ? null
    : html`<p class="crumb"><a href="${first.to}">${entry}</a> / ${title}</p>`
}

const liveMark = ({ at, names }: NonNullable<Frame['live']>): SafeHtml =>
  html`<div class="live" data-live="${at}" data-names="${names.join(' ')}"></div>`

/** Renders the clock, and what a test has switched on: on every page, because it explains results. */
function sandboxState({ now, mode, switchedOn, controls }: Frame): SafeHtml {
  const content = html`<span class="is ${mode === 'real' ? 'good' : 'wait open'}">${CLOCK_MODES[mode] ?? mode}</span>
<strong>${clockTime(now, mode)} UTC</strong>${
    switchedOn.length > 0 ? html` <span>${switchedOn.join(', ')}</span>` : null
  }`
  return controls === undefined
    ? html`<div class="sandbox">${content}</div>`
    : html`<a class="sandbox" href="${controls}">${content}</a>`
}

function clockTime(now: number, mode: string): SafeHtml {
  const { text, moment } = time(wireTime(now))
  return html`<time datetime="${moment}" data-mode="${mode}">${text}</time>`
}

const sentenceOf = (done: JsonValue | undefined) =>
  Object.entries(DONE).find(([word]) => word === done)?.[1]

/** Returns a number in the address, so that no other text of the address is shown. */
const countIn = (count: JsonValue | undefined) =>
  String((typeof count === 'string' && readId(count)) || 0)

/**
 * Builds the page of an error. The heading of a 404 is the first sentence of its explanation, and
 * links lead on.
 * @param home path of the merchant's pages; undefined for the administrator's
 */
export function refusalView(refusal: GatewayError, root: string, home?: string): ConsoleView {
  const problem = toConsoleProblem(refusal)
  return refusal.http === 404 && refusal.explain
    ? {
        title: refusal.explain.replace(/\.(?: [A-Z].*)?$/, ''),
        body: emptyState(
          'It may belong to another merchant, or was deleted with a reset.',
          home === undefined
            ? html`Go to the <a href="${root}/merchants">merchants</a>,
or to <a href="${root}/requests">all requests</a>.`
            : html`Search above by id, order or amount,
or go to the <a href="${home}">overview</a> or the <a href="${home}/transactions">transactions</a>.
Error ${problem.code}, <code>${problem.name}</code>.`,
        ),
      }
    : { title: 'This did not work', body: html`${problemBox(problem)}` }
}
