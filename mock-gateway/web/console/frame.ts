import type { Response } from 'express'
import { withMarkedControls } from '../../domain/characters.ts'
import type { GatewayError } from '../../domain/errors/errors.ts'
import { readId } from '../../domain/identifiers.ts'
import type { JsonValue } from '../../domain/json.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Operator } from '../../merchants/sessions.ts'
import { wireTime } from '../../serializers/time.ts'
import { exchangeOf } from '../http/exchange.ts'
import type { AddressOf } from '../pages/assets.ts'
import { html, type SafeHtml } from '../pages/html.ts'
import { layout } from '../pages/layout.ts'
import { sendHtml } from '../pages/page.ts'
import { type Policy, SELF } from '../pages/policy.ts'
import { time } from './cells.ts'
import type { ConsoleDependencies } from './dependencies.ts'
import { emptyState } from './design/empty.ts'
import { tokenField } from './design/forms.ts'
import { problemBox, toConsoleProblem } from './design/problem.ts'
import { ADMINISTRATOR_MENU, DONE, MERCHANT_MENU, type Menu, WAY_BACK_MENU } from './sections.ts'
import type { ConsoleView } from './visit.ts'

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

export const viewSender =
  ({ assetAddresses }: ConsoleDependencies, root: string, sandbox: Menu): SendView =>
  async (response, view, onlooker) => {
    const { operator, formToken, merchant, section } = onlooker
    const { now, parameters, service } = exchangeOf(response)
    const home = merchant && `${root}/${merchant.id}`
    const { done, count } = parameters
    const page = consolePage(
      await assetAddresses(),
      view.title,
      frame({
        root,
        home,
        formToken,
        title: view.title,
        body: view.body,
        merchant: merchant && `${merchant.name} (${merchant.id})`,
        menus: [
          ...(home ? menusOf(MERCHANT_MENU, home, section) : []),
          ...(home ? menusOf(sandbox, home, section) : []),
          ...(operator.merchantId === undefined
            ? menusOf(home ? WAY_BACK_MENU : ADMINISTRATOR_MENU, root, home ? undefined : section)
            : []),
        ],
        user:
          operator.merchantId === undefined ? 'Administrator' : `Merchant ${operator.merchantId}`,
        now: view.now ?? now,
        mode: service.clocks.modeOf(merchant?.id),
        clock: 'Sandbox' in sandbox ? `${home ?? root}/clock` : undefined,
        // The response to a form has no address to read again.
        live:
          view.live && response.req.method === 'GET'
            ? { at: `${home ?? root}/live`, names: view.live }
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
    head: html`<link rel="stylesheet" href="${addressOf('pages/story.css')}">
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
  readonly body: SafeHtml
  /** Name and id. */
  readonly merchant: string | undefined
  readonly menus: ReturnType<typeof menusOf>
  /** The user who is logged in. */
  readonly user: string
  /** Epoch milliseconds. */
  readonly now: number
  readonly mode: string
  /** Address of the page that moves the clock; undefined if the console cannot move it. */
  readonly clock: string | undefined
  /** Address of the stream of live updates, and the names of the page's data. */
  readonly live: { readonly at: string; readonly names: readonly string[] } | undefined
  /** Sentence about the previous form. */
  readonly done: string | undefined
}

const frame = (page: Frame): SafeHtml => html`<a class="skip" href="#main">Skip to the content</a>
<header>
<a class="brand" href="${page.root}">Console</a>
${page.merchant && html`<a class="merchant" href="${page.home}">${page.merchant}</a>`}
${
  page.home &&
  html`<form class="search" method="get" action="${page.home}/search" role="search">
<input type="search" name="q" aria-label="Search"
  placeholder="Search" title="Id, order, amount, error" size="18"></form>`
}
</header>
${movedMark(page)}<div class="columns">
<nav aria-label="Menu">
<details><summary>Menu</summary></details>
<div class="menu">
<p class="clock" title="The clock, UTC">${clockTime(page.now, page.mode)}
<span class="quiet">UTC</span></p>
${page.menus.map(
  ({ title, entries }) => html`<h2>${title}</h2>
<ul>${entries.map(
    ({ text, to, current }) =>
      html`<li><a href="${to}"${current ? html` aria-current="page"` : null}>${text}</a></li>`,
  )}</ul>
`,
)}<form class="out" method="post" action="${page.root}/logout">${tokenField(page)}
<span class="quiet">${page.user}</span> <button class="small">Log out</button></form>
</div>
</nav>
<main id="main" tabindex="-1">
${page.done && html`<p class="done" role="status">${page.done}</p>`}
<div class="head"><h1>${page.title}</h1>
${page.live && liveMark(page.live)}</div>
<div id="content">
${page.body}
</div>
</main>
</div>`

const liveMark = ({ at, names }: NonNullable<Frame['live']>): SafeHtml =>
  html`<div class="live" data-live="${at}" data-names="${names.join(' ')}"></div>`

/** Renders the line that shows on each page that the clock differs from the machine's. */
const movedMark = ({ now, mode, clock }: Frame): SafeHtml =>
  html`<div class="moved">${
    mode === 'real'
      ? null
      : html`Clock ${mode === 'frozen' ? 'stopped' : 'moved'}:
${clockTime(now, mode)} UTC ${clock && html`<a href="${clock}">Change</a>`}`
  }</div>
`

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

const menusOf = (menu: Menu, at: string, section?: string) =>
  Object.entries(menu).map(([title, sections]) => ({
    title,
    entries: Object.entries(sections).map(([path, text]) => ({
      text,
      to: path === '' ? at : `${at}/${path}`,
      current: path === section,
    })),
  }))
