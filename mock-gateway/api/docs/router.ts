import { readFile } from 'node:fs/promises'
import { type RequestHandler, Router } from 'express'
import { Liquid } from 'liquidjs'
import type { Addresses } from '../../domain/addresses.ts'
import type { Ambient } from '../../domain/ambient.ts'
import type { Contract } from './contract.ts'
import { curlMaker, type ExampleMerchant } from './curl.ts'
import { docsPage } from './page.ts'
import { STYLE, TEMPLATE } from './template.ts'
import type { Typed } from './types.ts'

/** What the contract is served with. */
export interface DocsParts {
  readonly addresses: Addresses
  readonly ambient: Ambient
  /** Path of the contract's YAML. */
  readonly file: string
  /** The merchant whose secrets everybody may read; undefined when there is none. */
  readonly merchant: ExampleMerchant | undefined
}

/** `/openapi.json` and `/docs`: the contract for programs and for people. It is read when somebody first asks. */
export function docsRouter({ addresses, ambient, file, merchant }: DocsParts): Router {
  let reading: Promise<Contract> | undefined
  const contract = () => {
    reading ??= readContract(file, addresses)
    return reading
  }
  const newRef = () => `try-${Buffer.from(ambient.randomBytes(4)).toString('hex')}`

  const router = Router()
  router.get('/openapi.json', PUBLIC, async (_request, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.json(await contract())
  })
  router.get('/docs', async (_request, response) => {
    const page = docsPage(await contract(), curlMaker(addresses, merchant, newRef))
    for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value)
    response.type('html').send(liquid.parseAndRenderSync(TEMPLATE, page))
  })
  router.get('/docs/style.css', PUBLIC, (_request, response) => {
    response.type('css').send(STYLE)
  })
  return router
}

/** Loaded here, because the gateway starts quicker without. */
async function readContract(file: string, addresses: Addresses): Promise<Contract> {
  const { parseContract } = await import('./parse.ts')
  return withAddresses(parseContract(await readFile(file, 'utf8')), addresses)
}

/** The document says where this gateway is. */
function withAddresses(contract: Contract, { base, pay, cdn }: Addresses): Contract {
  const here: Readonly<Record<string, string>> = { base_url: base, pay_url: pay, cdn_url: cdn }
  return JSON.parse(JSON.stringify(contract), (key, value) =>
    key in here && typeof value?.default === 'string' ? { ...value, default: here[key] } : value,
  )
}

/** A short time, so that an update is out soon. */
const PUBLIC: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'public, max-age=300')
  next()
}

/** The page is new each time: the calls on it can be pasted once. */
const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store, private',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
}

const liquid = new Liquid({ outputEscape: 'escape', ownPropertyOnly: true, jsTruthy: true })

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

liquid.registerFilter('anchor', (name: string) => name.toLowerCase().replaceAll(' ', '-'))

liquid.registerFilter('prose', {
  raw: true,
  handler: (text: string | undefined) =>
    (text ?? '')
      .split('\n\n')
      .filter((paragraph) => paragraph !== '')
      .map((paragraph) => `<p>${escapeHtml(paragraph).replace(/`([^`]+)`/g, '<code>$1</code>')}</p>`)
      .join('\n'),
})

/** Names of objects lead to where they are explained. */
liquid.registerFilter('type', {
  raw: true,
  handler: ({ type, objects }: Typed) =>
    escapeHtml(type).replace(/\w+/g, (word) =>
      objects.includes(word) ? `<a href="#object-${word}">${word}</a>` : word,
    ),
})
