import type { Response } from 'express'
import { withMarkedControls } from '../../domain/characters.ts'
import type { GatewayError } from '../../domain/errors/errors.ts'
import { readId } from '../../domain/identifiers.ts'
import type { JsonValue } from '../../domain/json.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Operator } from '../../merchants/sessions.ts'
import { exchangeOf } from '../http/exchange.ts'
import type { Render } from '../pages/engine.ts'
import { sendPage } from '../pages/page.ts'
import { type Policy, SELF } from '../pages/policy.ts'
import { time } from './cells.ts'
import { ADMINISTRATOR_MENU, DONE, MERCHANT_MENU, type Menu } from './sections.ts'
import type { View } from './visit.ts'

/** Who looks, and at whose pages. */
export interface Onlooker {
  readonly operator: Operator
  /** What its forms bring along. */
  readonly formToken: string
  readonly merchant?: Merchant | undefined
  /** Name of the part of the menu that the page belongs to. */
  readonly section?: string | undefined
}

/** Our own script and pictures, no frame, and forms that lead nowhere else (attacks 30, 46). */
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

/** Answers a page with the menu around it. */
export type SendView = (response: Response, view: View, onlooker: Onlooker) => Promise<void>

export const viewSender =
  (render: Render, root: string, sandbox: Menu): SendView =>
  async (
    response,
    { view, title, data, live, frames, now = exchangeOf(response).now },
    { operator, formToken, merchant, section },
  ) => {
    const { parameters, service } = exchangeOf(response)
    const home = merchant && `${root}/${merchant.id}`
    const known = { root, home: home ?? null, form_token: formToken }
    const body = withMarkedControls(await render(`console/views/${view}`, { ...known, ...data }))
    const { done, count } = parameters
    await sendPage(response, render, {
      view: 'console/views/frame',
      locale: 'en',
      data: {
        ...known,
        title,
        body,
        merchant: merchant ? `${merchant.name} (${merchant.id})` : null,
        menus: [
          ...(home ? menusOf(MERCHANT_MENU, home, section) : []),
          ...(home ? menusOf(sandbox, home, section) : []),
          ...(operator.merchantId === undefined ? menusOf(ADMINISTRATOR_MENU, root, home ? undefined : section) : []),
        ],
        who: operator.merchantId === undefined ? 'Administrator' : `Merchant ${operator.merchantId}`,
        now: time(new Date(now).toISOString().replace(/\.\d+/, '')),
        // What a form was answered with is at no address that can be read anew.
        live: live && response.req.method === 'GET' ? { at: `${home ?? root}/live`, names: live.join(' ') } : null,
        mode: service.clocks.modeOf(merchant?.id),
        done: sentenceOf(done)?.replace('{count}', countIn(count)) ?? null,
      },
      policy: frames ? { ...CONSOLE_POLICY, 'frame-src': [SELF] } : CONSOLE_POLICY,
      headers: CONSOLE_HEADERS,
    })
  }

const sentenceOf = (done: JsonValue | undefined) => Object.entries(DONE).find(([word]) => word === done)?.[1]

/** Whatever an address says, it is a number that is shown. */
const countIn = (count: JsonValue | undefined) => String((typeof count === 'string' && readId(count)) || 0)

/** Describes an error: what the API would say, and what would be right. */
export const problemOf = ({ entry, description, explain = '' }: GatewayError) => ({
  code: entry.code,
  name: entry.name,
  description: description ?? entry.en,
  explain: sentence(explain),
})

/** Builds the page of an error; its heading names what is missing. */
export const refusalView = (refusal: GatewayError): View =>
  refusal.http === 404 && refusal.explain
    ? { view: 'refusal', title: refusal.explain, data: { ...problemOf(refusal), explain: '' } }
    : { view: 'refusal', title: 'This did not work', data: problemOf(refusal) }

/** Explanations are sentences, some with their full stop. */
const sentence = (text: string) => text.replace(/[^.]$/, '$&.')

const menusOf = (menu: Readonly<Record<string, Readonly<Record<string, string>>>>, at: string, section?: string) =>
  Object.entries(menu).map(([title, sections]) => ({
    title,
    entries: Object.entries(sections).map(([path, text]) => ({
      text,
      to: path === '' ? at : `${at}/${path}`,
      current: path === section,
    })),
  }))
