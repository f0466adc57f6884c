import { readFile } from 'node:fs/promises'
import { type RequestHandler, type Response, Router } from 'express'
import type { Addresses } from '../../domain/addresses.ts'
import type { Ambient } from '../../domain/ambient.ts'
import { readOnce } from '../../domain/memoized.ts'
import type { KnownMerchant } from '../../merchants/seed.ts'
import type { AddressOf } from '../pages/assets.ts'
import type { SafeHtml } from '../pages/html.ts'
import { sendHtml } from '../pages/page.ts'
import { sendPublic } from '../pages/send-public.ts'
import { SITE_POLICY } from '../pages/site.ts'
import { type Contract, type Document, resolvePaths } from './contract.ts'
import { createExampleMaker } from './curl.ts'
import { readErrorTexts } from './errors.ts'
import { markdownRenderer } from './markdown.ts'
import {
  asMarkdown,
  type DocPage,
  formatAddress,
  type Pages,
  readGuides,
  resolveLink,
  withOwnAddresses,
} from './pages.ts'
import { createFirstPage, createReferencePages, readReference } from './reference.ts'
import { createSearch } from './search.ts'
import { renderArticle, renderDocs, searchView } from './views.ts'

/** Dependencies of the documentation. */
export interface DocsDependencies {
  readonly addresses: Addresses
  readonly randomBytes: Ambient['randomBytes']
  /** Path of the contract's folder. */
  readonly contract: string
  /** Path of the guides' folder. */
  readonly guides: string
  /** The merchant with public secrets; undefined if there is none. */
  readonly known: KnownMerchant | undefined
  readonly assetAddresses: () => Promise<AddressOf>
  /** Builds the document of the control API. */
  readonly control: () => Promise<Document>
}

const LONGEST_QUERY = 200

/** Common guesses of the contract's address. */
const GUESSED = /^(?:openapi|swagger|postman|bruno)(?:\.json)?$/

/**
 * Serves `/docs`: guides and contract for people, each page as Markdown too; `/openapi.json` and
 * `/openapi-control.json`: the contracts for programs; `/llms.txt`: an index for language models.
 * Files are read on first use.
 */
export function createDocsRouter(docs: DocsDependencies): Router {
  const { addresses, assetAddresses } = docs
  const root = `${new URL(addresses.base).pathname.replace(/\/$/, '')}/docs`
  const contract = readOnce(async () => withAddresses(await readContract(docs.contract), addresses))
  const control = readOnce(async () => withAddresses(await docs.control(), addresses))
  const pages = readOnce(async () => loadPages(await contract(), docs))
  const search = readOnce(async () => createSearch(await pages()))
  const bodies = new Map<string, string>()

  async function send(response: Response, page: Pick<DocPage, 'title' | 'path'>, body: SafeHtml) {
    const view = { root, pages: await pages(), page, body }
    sendHtml(response, String(renderDocs(await assetAddresses(), view)), { policy: SITE_POLICY })
  }

  async function show(response: Response, page: DocPage): Promise<void> {
    const all = await pages()
    const render = await markdownRenderer()
    const body =
      bodies.get(page.path) ?? render(page.markdown(), (link) => resolveLink(all, root, link))
    // The example of a call has a new order each time.
    if (!page.example) bodies.set(page.path, body)
    const at = formatAddress(root, page.path)
    await send(response, page, renderArticle({ root, at, body, call: page.example?.().call }))
  }

  /** Serves a page by its path, as Markdown if it ends in `.md`. */
  const servePage: RequestHandler = async ({ path: asked }, response, next) => {
    const all = await pages()
    const [, path = '', ending] = /^\/docs\/?(.*?)(\.md)?$/.exec(asked) ?? []
    const page = all.get(path === 'index' && ending ? '' : path)
    if (!page && GUESSED.test(path))
      return response.status(302).location(`${addresses.base}/openapi.json`).end()
    if (!page) return next()
    if (!ending) return show(response, page)
    const markdown = asMarkdown(all, root, page.markdown())
    sendHtml(response, markdown, { type: 'text/markdown; charset=utf-8' })
  }

  const router = Router()
  router.get('/openapi.json', PUBLIC, async (_request, response) => {
    sendPublic(response.type('json'), JSON.stringify(resolvePaths(await contract())))
  })
  router.get('/openapi-control.json', PUBLIC, async (_request, response) => {
    sendPublic(response.type('json'), JSON.stringify(await control()))
  })
  router.get('/llms.txt', async (_request, response) => {
    const { info } = await contract()
    response.setHeader('Cache-Control', 'no-store, private')
    response
      .type('text/plain; charset=utf-8')
      .send(writeLlmsTxt(info, await pages(), `${addresses.base}/docs`))
  })
  router.get('/docs/search', async (request, response) => {
    const asked = new URL(request.url, addresses.base).searchParams.get('q') ?? ''
    const query = asked.slice(0, LONGEST_QUERY)
    const hits = query === '' ? [] : (await search())(query)
    await send(response, { title: 'Search', path: 'search' }, searchView(root, query, hits))
  })
  for (const path of ['/docs', '/docs/:document', '/docs/:kind/:name']) router.get(path, servePage)
  return router
}

/** Builds every page of the documentation. */
async function loadPages(contract: Contract, docs: DocsDependencies): Promise<Pages> {
  const { addresses, known, randomBytes } = docs
  const newRef = () => `try-${Buffer.from(randomBytes(4)).toString('hex')}`
  const exampleFor = createExampleMaker(contract, addresses, known, newRef)
  const reference = readReference(contract)
  const guides = await readGuides(docs.guides, addresses)
  const readText = (path: string) => guides.find((guide) => guide.path === path)?.markdown() ?? ''
  return new Map(
    [
      createFirstPage(reference, readText('index'), exampleFor),
      ...guides.filter(({ path }) => path !== 'index'),
      ...createReferencePages(reference, readErrorTexts(readText('errors')), exampleFor),
    ].map((page) => [page.path, page]),
  )
}

/** Writes the index for `llms.txt` (llmstxt.org). */
const writeLlmsTxt = (info: Contract['info'], pages: Pages, root: string): string =>
  [
    `# ${info.title}`,
    `> ${info.summary}`,
    ...[...Map.groupBy(pages.values(), ({ group }) => group)].flatMap(([group, entries]) => [
      `## ${group}`,
      entries.map(({ path, title }) => `- [${title}](${root}/${path || 'index'}.md)`).join('\n'),
    ]),
    '',
  ].join('\n\n')

/** @param folder path of the contract's folder, where `npm run generate` writes it as JSON */
export const readContract = async (folder: string): Promise<Contract> =>
  JSON.parse(await readFile(`${folder}openapi.json`, 'utf8'))

/** Replaces the default address in examples, and in the variables of the servers by name. */
function withAddresses<Read extends Document>(contract: Read, addresses: Addresses): Read {
  const { base, pay, cdn } = addresses
  const here: Readonly<Record<string, string>> = { base_url: base, pay_url: pay, cdn_url: cdn }
  return JSON.parse(withOwnAddresses(JSON.stringify(contract), addresses), (key, value) =>
    key in here && typeof value?.default === 'string' ? { ...value, default: here[key] } : value,
  )
}

/** Allows any page to read it, and caches it for a short time, so that an update is seen soon. */
const PUBLIC: RequestHandler = (_request, response, next) => {
  response.setHeader('Access-Control-Allow-Origin', '*')
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
  response.setHeader('Cache-Control', 'public, max-age=300')
  next()
}
