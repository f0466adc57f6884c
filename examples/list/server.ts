/** The page that `npm start` opens: every example with a line, and where everything is. */
import { readFile } from 'node:fs/promises'
import type { Express } from 'express'
import { fill, getLanguage } from '../shared/page.ts'
import { createShopApp, createStarter, type ShopOptions } from '../shared/server.ts'
import { type Language, TEXTS as SHARED } from '../shared/texts.ts'
import { TEXTS } from './texts.ts'

/** Names of examples: folders, too. */
export type ShopName =
  | 'ajax-checkout'
  | 'stored-card'
  | 'hosted-redirect'
  | 'hosted-iframe'
  | 'form-post'
  | 'three-d-secure'
  | 'react'

export interface ListOptions extends ShopOptions {
  /** Addresses of the shops that run. */
  readonly shops: Readonly<Record<ShopName, string>>
  /**
   * Key of the control API; undefined if it is off. `isChosen`: the operator chose the key, so the
   * page does not show it.
   */
  readonly control: { readonly key: string | undefined; readonly isChosen: boolean }
}

const PROGRAMS = {
  'server-to-server': 'pay.ts',
  'webhook-receiver': 'receive.ts',
  subscription: 'charge.ts',
} as const

const ROW = `<li><strong><a href="{{url}}/?lang={{language}}">{{name}}</a></strong> <div>{{line}}</div> <small>{{host}}</small></li>
`
const COMMAND_ROW = `<li><strong>{{name}}</strong> <div>{{line}}</div> <code>npx node examples/{{name}}/{{file}} {{flags}}</code></li>
`

/** The page contains the control key, so it answers only to its own host names. */
const OWN_HOST = /^(localhost|127\.0\.0\.1)(:\d+)?$/

function createList({ gateway, merchant, shops, control }: ListOptions): Express {
  const list = createShopApp(gateway)
  const merchantFlags =
    merchant.id === 1 ? '' : ` --merchant ${merchant.id} --password … --secret …`
  const flags = `--gateway ${gateway.base}${merchantFlags}`
  const keyFlag = ` --control-key ${control.isChosen ? '…' : control.key}`
  const keyText = (language: Language): string => {
    if (control.key === undefined) return TEXTS[language].keyOff
    return control.isChosen ? TEXTS[language].keyChosen : control.key
  }

  const shopRow = (language: Language, name: ShopName): string =>
    fill(ROW, {
      name,
      language,
      url: shops[name],
      host: new URL(shops[name]).host,
      line: TEXTS[language][name],
    })
  const commandRow = (language: Language, name: keyof typeof PROGRAMS): string =>
    fill(COMMAND_ROW, {
      name,
      file: PROGRAMS[name],
      line: TEXTS[language][name],
      flags: name === 'server-to-server' ? flags : flags + keyFlag,
    })

  list.get('/', async (request, response) => {
    if (!OWN_HOST.test(request.headers.host ?? '')) return void response.sendStatus(403)
    const language = getLanguage(request)
    const otherLanguage = language === 'sv' ? 'en' : 'sv'
    const texts = {
      ...TEXTS[language],
      otherLanguage,
      otherLanguageName: SHARED[otherLanguage].languageName,
      base: gateway.base,
      controlKey: keyText(language),
    }
    const pieces = {
      shops: (Object.keys(shops) as ShopName[]).map((name) => shopRow(language, name)).join(''),
      commands: (Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[])
        .map((name) => commandRow(language, name))
        .join(''),
    }
    const page = fill(await readFile(new URL('page.html', import.meta.url), 'utf8'), texts, pieces)
    response
      .vary('Accept-Language')
      .type('html')
      .send(page.replace('<html lang="en">', `<html lang="${language}">`))
  })
  return list
}

/** Opens the list on loopback. */
export const startList = createStarter(createList)
