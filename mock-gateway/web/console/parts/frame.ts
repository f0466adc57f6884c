import type { Response } from 'express'
import { withMarkedControls } from '../../../domain/characters.ts'
import type { GatewayError } from '../../../domain/errors/errors.ts'
import { readId } from '../../../domain/identifiers.ts'
import type { JsonValue } from '../../../domain/json.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import type { Operator } from '../../../merchants/sessions.ts'
import { wireTime } from '../../../serializers/time.ts'
import { getExchange } from '../../http/exchange.ts'
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
  labelIn,
  listEntries,
  listTabs,
  switchedOnNotes,
  type Tab,
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
  async (response, view, viewer) => {
    const { operator, merchant, section } = viewer
    const { now, parameters, service } = getExchange(response)
    const { path, method, url } = response.req
    const home = merchant && `${root}/${merchant.id}`
    const at = home ?? root
    const shown = home ? menu : operator.merchantId === undefined ? ADMINISTRATOR_MENU : {}
    const attention = merchant && (await countAttention(dependencies, merchant))
    const query = url.replace(/^[^?]*/, '')
    const page = consolePage(
      await dependencies.assetAddresses(),
      view.title,
      frame({
        ...viewer,
        view,
        root,
        home,
        entries: listEntries(shown, at, section, attention),
        entry: labelIn(shown, section),
        tabs: listTabs(shown, at, root + path + query, section, view.counts),
        now: view.now ?? now,
        mode: service.clocks.getMode(merchant?.id),
        switchedOn: await switchedOnNotes(dependencies, merchant),
        controls: 'Test controls' in shown ? `${at}/controls` : undefined,
        // The response to a form has no address to read again.
        live: method === 'GET' ? `${at}/live` : undefined,
        done: readSentence(parameters.done)?.replace('{count}', countIn(parameters.count)),
      }),
    )
    sendHtml(response, withMarkedControls(String(page)), {
      policy: view.frames ? { ...CONSOLE_POLICY, 'frame-src': [SELF] } : CONSOLE_POLICY,
      headers: CONSOLE_HEADERS,
    })
  }

/** Renders a document of the console, with its style sheet and script. */
export const consolePage = (getAddress: AddressOf, title: string, body: SafeHtml): SafeHtml =>
  layout({
    locale: 'en',
    title: `${title} – console`,
    style: getAddress('console/views/console.css'),
    head: html`<link rel="stylesheet" href="${getAddress('console/views/parts.css')}">
<link rel="stylesheet" href="${getAddress('pages/story.css')}">
<link rel="icon" href="${getAddress('pages/icon.svg')}" type="image/svg+xml">
<script src="${getAddress('console/scripts/console.js')}" defer></script>
`,
    body,
  })

/** A page with the data around it. */
interface Frame extends ViewerContext {
  readonly view: ConsoleView
  readonly root: string
  /** Path of a merchant's pages. */
  readonly home: string | undefined
  readonly entries: readonly Entry[]
  /** Label of the current entry of the menu. */
  readonly entry: string
  readonly tabs: readonly Tab[]
  /** Epoch milliseconds. */
  readonly now: number
  readonly mode: string
  /** What is switched on besides the clock. */
  readonly switchedOn: readonly string[]
  /** Address of the test controls; undefined if the console has none. */
  readonly controls: string | undefined
  /** Address of the stream of live updates. */
  readonly live: string | undefined
  /** Sentence about the previous form. */
  readonly done: string | undefined
}

function frame(page: Frame): SafeHtml {
  const { view, root, home, tabs, entry, entries, operator, live } = page
  const isTab = tabs.some(({ isCurrent }) => isCurrent)
  return html`<a class="skip" href="#main">Skip to the content</a>
<div class="app">
<header class="side">
${ownerMark(page)}
<button type="button" class="small open-menu" popovertarget="menu">${icon('Menu')}Menu</button>
<nav id="menu" class="menu" popover aria-label="Menu">
${
  home &&
  html`<form class="search" method="get" action="${home}/search" role="search">
<input type="search" name="q" aria-label="Search"
  placeholder="Search" title="Id, order, amount, error" size="18"></form>`
}
<ul>${entries.map(
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
<form class="out" method="post" action="${root}/logout">${tokenField(page)}
${operator.merchantId === undefined && home ? html`<a href="${root}/merchants">All merchants</a>` : null}
<button class="small">Log out</button></form>
</nav>
${sandboxState(page)}
</header>
<main id="main" tabindex="-1">
${page.done && html`<p class="done" role="status">${page.done}</p>`}
${
  isTab || tabs.length === 0
    ? null
    : html`<p class="crumb"><a href="${tabs[0]?.to}">${entry}</a> / ${view.title}</p>`
}
<div class="head"><h1>${view.heading ?? (isTab ? entry : view.title)}</h1>
${view.actions && html`<div class="btns">${view.actions}</div>`}</div>
${
  tabs.length > 1 && isTab
    ? html`<nav class="tabs" aria-label="Pages of this section">${tabs.map(
        ({ label, to, isCurrent, count }) =>
          html`<a href="${to}"${isCurrent ? html` aria-current="page"` : null}>${label}${
            count === undefined ? null : html`<span>${count}</span>`
          }</a>`,
      )}</nav>`
    : null
}
<div id="content">
${view.body}
</div>
${view.live && live && html`<div class="live" data-live="${live}" data-names="${view.live.join(' ')}"></div>`}
</main>
</div>`
}

/** Renders whose pages these are: the merchant's, or the administrator's. */
const ownerMark = ({ merchant, home, root }: Frame): SafeHtml =>
  merchant
    ? html`<a class="shop" href="${home}"><i aria-hidden="true">${merchant.name.slice(0, 1)}</i>
<span>${merchant.name}<span>Merchant ${merchant.id}</span></span></a>`
    : html`<a class="shop" href="${root}"><i aria-hidden="true">A</i>
<span>Console<span>Administrator</span></span></a>`

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

const readSentence = (done: JsonValue | undefined) =>
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
