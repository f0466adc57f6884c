import { readFile } from 'node:fs/promises'
import { type RequestHandler, Router } from 'express'
import type { Addresses } from '../../domain/addresses.ts'
import type { Ambient } from '../../domain/ambient.ts'
import type { Render } from '../pages/engine.ts'
import { sendHtml } from '../pages/page.ts'
import { readOnce } from '../pages/read-once.ts'
import { type Call, type Contract, type Document, spelledOut } from './contract.ts'
import { type CurlMaker, curlMaker, type ExampleMerchant } from './curl.ts'
import { escapeHtml } from './filters.ts'
import { docsPage } from './page.ts'

/** What the contract is served with. */
export interface DocsDependencies {
  readonly addresses: Addresses
  readonly randomBytes: Ambient['randomBytes']
  /** Path of the contract's folder. */
  readonly contract: string
  /** The merchant whose secrets everybody may read; undefined when there is none. */
  readonly known: ExampleMerchant | undefined
  /** Knows `DOCS_FILTERS`. */
  readonly render: Render
}

/**
 * `/openapi.json` and `/docs`: the contract for programs and for people; `/openapi-control.json`: that of the control API.
 * They are read when somebody first asks.
 */
export function docsRouter({ addresses, randomBytes, contract: folder, known, render }: DocsDependencies): Router {
  const contract = readOnce(async () =>
    withAddresses(await readDocument(folder, 'openapi', 'parseContract'), addresses),
  )
  const control = readOnce(async () => withAddresses(await readDocument(folder, 'control', 'parseControl'), addresses))
  const writer = readOnce(async () => renderDocs(await contract(), render))
  const newRef = () => `try-${Buffer.from(randomBytes(4)).toString('hex')}`

  const router = Router()
  router.get('/openapi.json', PUBLIC, async (_request, response) => {
    response.json(spelledOut(await contract()))
  })
  router.get('/openapi-control.json', PUBLIC, async (_request, response) => {
    response.json(await control())
  })
  router.get('/docs', async (_request, response) => {
    const write = await writer()
    sendHtml(response, write(curlMaker(addresses, known, newRef)))
  })
  return router
}

/** The whole page with the commands of this maker. */
type DocsWriter = (curl: CurlMaker) => string

/** Stands before and after the number of a call, where its command goes. */
const MARK = '\u0000'

/** Renders the page once, but for its commands: they are new each time. */
async function renderDocs(contract: Contract, render: Render): Promise<DocsWriter> {
  const calls: Call[] = []
  const page = docsPage(contract, (_contract, call) => `${MARK}${calls.push(call) - 1}${MARK}`)
  const pieces = (await render('docs/views/reference', { ...page, locale: 'en' })).split(MARK)
  return (curl) =>
    pieces
      .map((piece, index) => {
        const call = index % 2 === 1 ? calls[Number(piece)] : undefined
        return call ? escapeHtml(curl(contract, call)) : piece
      })
      .join('')
}

type Parsers = typeof import('./parse.ts')

/** The build makes JSON of the documents; from source it is made now. Either way it is read when somebody asks. */
export async function readDocument<Parser extends keyof Parsers>(
  folder: string,
  name: string,
  parser: Parser,
): Promise<ReturnType<Parsers[Parser]>> {
  const built = await readFile(`${folder}${name}.json`, 'utf8').catch(() => undefined)
  if (built !== undefined) return JSON.parse(built)
  // An address that no bundler follows: the package holds no reader of YAML.
  const parsers = (await import(new URL('parse.ts', import.meta.url).href)) as Parsers
  return parsers[parser](await readFile(`${folder}${name}.yaml`, 'utf8')) as ReturnType<Parsers[Parser]>
}

/** The document says where this gateway is. */
function withAddresses<Read extends Document>(contract: Read, { base, pay, cdn }: Addresses): Read {
  const here: Readonly<Record<string, string>> = { base_url: base, pay_url: pay, cdn_url: cdn }
  return JSON.parse(JSON.stringify(contract), (key, value) =>
    key in here && typeof value?.default === 'string' ? { ...value, default: here[key] } : value,
  )
}

/** For any page to read, and for a short time, so that an update is out soon. */
const PUBLIC: RequestHandler = (_request, response, next) => {
  response.setHeader('Access-Control-Allow-Origin', '*')
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
  response.setHeader('Cache-Control', 'public, max-age=300')
  next()
}
