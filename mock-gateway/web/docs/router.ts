import { readFile } from 'node:fs/promises'
import { type RequestHandler, Router } from 'express'
import { Liquid } from 'liquidjs'
import type { Addresses } from '../../domain/addresses.ts'
import type { Ambient } from '../../domain/ambient.ts'
import { contentSecurityPolicy, SELF } from '../pages/policy.ts'
import type { Call, Contract } from './contract.ts'
import { type CurlMaker, curlMaker, type ExampleMerchant } from './curl.ts'
import { docsPage } from './page.ts'
import { STYLE, TEMPLATE } from './template.ts'
import type { Explained, Typed } from './types.ts'

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
  let rendering: Promise<DocsWriter> | undefined
  const writer = () => {
    rendering ??= contract().then(renderDocs)
    return rendering
  }
  const newRef = () => `try-${Buffer.from(ambient.randomBytes(4)).toString('hex')}`

  const router = Router()
  router.get('/openapi.json', PUBLIC, async (_request, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.json(await contract())
  })
  router.get('/docs', async (_request, response) => {
    const write = await writer()
    for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value)
    response.type('html').send(write(curlMaker(addresses, merchant, newRef)))
  })
  router.get('/docs/style.css', PUBLIC, (_request, response) => {
    response.type('css').send(STYLE)
  })
  return router
}

/** The whole page with the commands of this maker. */
type DocsWriter = (curl: CurlMaker) => string

/** Stands before and after the number of a call, where its command goes. */
const MARK = '\u0000'

/** Renders the page once, but for its commands: they are new each time. */
function renderDocs(contract: Contract): DocsWriter {
  const calls: Call[] = []
  const page = docsPage(contract, (_contract, call) => `${MARK}${calls.push(call) - 1}${MARK}`)
  const pieces: readonly string[] = liquid.parseAndRenderSync(TEMPLATE, page).split(MARK)
  return (curl) =>
    pieces
      .map((piece, index) => {
        const call = index % 2 === 1 ? calls[Number(piece)] : undefined
        return call ? escapeHtml(curl(contract, call)) : piece
      })
      .join('')
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
  'Content-Security-Policy': contentSecurityPolicy({ 'style-src': [SELF] }),
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
}

const liquid = new Liquid({ outputEscape: 'escape', ownPropertyOnly: true, jsTruthy: true })

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

liquid.registerFilter('anchor', (name: string) => name.toLowerCase().replaceAll(' ', '-'))

const prose = (text = '') =>
  text
    .split('\n\n')
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p>${escapeHtml(paragraph).replace(/`([^`]+)`/g, '<code>$1</code>')}</p>`)
    .join('\n')

const code = (text: string) => `<code>${escapeHtml(text)}</code>`

liquid.registerFilter('prose', { raw: true, handler: prose })

/** What something is, how it is written, and what it looks like. */
liquid.registerFilter('meaning', {
  raw: true,
  handler: ({ description, pattern, examples }: Explained) =>
    [
      prose(description),
      ...(pattern === undefined ? [] : [`<p>Pattern: ${code(pattern)}</p>`]),
      ...(examples.length === 0 ? [] : [`<p>For example: ${examples.map(code).join(', ')}</p>`]),
    ].join('\n'),
})

/** Names of objects lead to where they are explained. */
liquid.registerFilter('type', {
  raw: true,
  handler: ({ type, objects }: Typed) =>
    escapeHtml(type).replace(/\w+/g, (word) =>
      objects.includes(word) ? `<a href="#object-${word}">${word}</a>` : word,
    ),
})
