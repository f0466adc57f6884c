import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type RequestHandler, type Response, Router } from 'express'
import type { Addresses } from '../../domain/addresses.ts'
import type { Ambient } from '../../domain/ambient.ts'
import { readOnce } from '../../domain/read-once.ts'
import type { AddressOf } from '../pages/assets.ts'
import { LANGUAGES } from '../pages/call-samples.ts'
import { html, type SafeHtml, trustedHtml } from '../pages/html.ts'
import { sendHtml } from '../pages/page.ts'
import { type Policy, SELF } from '../pages/policy.ts'
import { sendPublic } from '../pages/send-public.ts'
import { type Contract, type Document, resolvePaths } from './contract.ts'
import { type ExampleMerchant, exampleMaker } from './curl.ts'
import { MOVED_GUIDES, readGuides, withOwnAddresses } from './guides.ts'
import { anchorOf, markdownRenderer } from './markdown.ts'
import { type CallView, docsPage } from './page.ts'
import {
  addressOf,
  asMarkdown,
  type DocPage,
  EXAMPLE_MARK,
  type Example,
  hrefOf,
  type Pages,
} from './pages.ts'
import { exampleBlocks, firstPage, LOOK_UP, referencePages } from './reference.ts'
import { createSearch } from './search.ts'
import { articleView, type DocsMenu, docsView, searchView, type TriedCall } from './views.ts'

/** Dependencies of the documentation. */
export interface DocsDependencies {
  readonly addresses: Addresses
  readonly randomBytes: Ambient['randomBytes']
  /** Path of the contract's folder. */
  readonly contract: string
  /** Path of the guides' folder. */
  readonly guides: string
  /** The merchant with public secrets; undefined if there is none. */
  readonly known: ExampleMerchant | undefined
  readonly assetAddresses: () => Promise<AddressOf>
  /** Builds the document of the control API. */
  readonly control: () => Promise<Document>
}

/** Allows our own script, which sends examples to this gateway, and no forms to other sites. */
const POLICY: Policy = {
  'script-src': [SELF],
  'connect-src': [SELF],
  'img-src': [SELF],
  'form-action': [SELF],
}

const LONGEST_QUERY = 200

/** Common guesses of addresses, with their targets. */
const GUESSED: readonly (readonly [RegExp, string])[] = [
  [/^(?:openapi|swagger|postman|bruno)(?:\.json)?$/, '/openapi.json'],
]

/**
 * Serves `/docs`: guides and contract for people, each page as Markdown too; `/openapi.json` and
 * `/openapi-control.json`: the contracts for programs; `/llms.txt`: an index for language models.
 * Files are read on first use.
 */
export function docsRouter({
  addresses,
  randomBytes,
  contract: folder,
  guides,
  known,
  assetAddresses,
  control: buildControl,
}: DocsDependencies): Router {
  const root = `${new URL(addresses.base).pathname.replace(/\/$/, '')}/docs`
  const contract = readOnce(async () => withAddresses(await readContract(folder), addresses))
  const control = readOnce(async () => withAddresses(await buildControl(), addresses))
  const examples = exampleMaker(
    addresses,
    known,
    () => `try-${Buffer.from(randomBytes(4)).toString('hex')}`,
  )
  const documentation = readOnce(async () => {
    const [read, found] = await Promise.all([contract(), readGuides(guides, addresses)])
    const index = found.find(({ path }) => path === 'index')
    const texts = found.filter((guide) => guide !== index)
    const docs = docsPage(read)
    const exampleOf = ({ call }: CallView) => examples(read, call)
    const reference = referencePages(docs, exampleOf)
    const pages: Pages = new Map(
      [firstPage(docs, index?.markdown ?? '', exampleOf), ...texts, ...reference].map((page) => [
        page.path,
        page,
      ]),
    )
    return { docs, pages, search: createSearch(pages), bodies: new Map<string, string>() }
  })

  async function sendInFrame(
    response: Response,
    shown: Readonly<Record<'title' | 'at' | 'query', string>> & { readonly group?: string },
    body: SafeHtml,
  ) {
    const menus = menuOf((await documentation()).pages, root, shown.group)
    const page = docsView(await assetAddresses(), { ...shown, root, menus, body })
    sendHtml(response, String(page), { policy: POLICY })
  }

  async function show(response: Response, page: DocPage): Promise<void> {
    const { pages, bodies } = await documentation()
    const render = await markdownRenderer()
    const resolve = (link: string) => hrefOf(pages, root, link)
    const body = bodies.get(page.path) ?? render(page.markdown, resolve)
    bodies.set(page.path, body)
    const example = page.example?.()
    const shown = example
      ? body.replace(`<p>${EXAMPLE_MARK}</p>`, () => String(exampleHtml(example)))
      : body
    const at = addressOf(root, page.path)
    const article = {
      root,
      at,
      body: trustedHtml(shown),
      call: tried(example),
      contents: contentsOf(body),
    }
    await sendInFrame(response, { ...page, at, query: '' }, articleView(article))
  }

  /** Serves a page by its path, as Markdown if it ends in `.md`. */
  const answer =
    (pathOf: (named: Readonly<Record<string, string>>) => string): RequestHandler =>
    async (request, response, next) => {
      const { pages } = await documentation()
      const [, path = '', ending] =
        /^(.*?)(\.md)?$/.exec(pathOf(request.params as Record<string, string>)) ?? []
      const page = pages.get(path === 'index' && ending ? '' : path)
      const guessed = GUESSED.find(([pattern]) => pattern.test(path))
      if (!page && guessed)
        return response.status(302).location(`${addresses.base}${guessed[1]}`).end()
      const moved = MOVED_GUIDES.get(path)
      if (!page && moved)
        return response
          .status(302)
          .location(`${addresses.base}/docs/${moved}${ending ?? ''}`)
          .end()
      if (!page) return next()
      if (!ending) return show(response, page)
      sendHtml(response, asMarkdown(pages, root, withExample(page)), {
        type: 'text/markdown; charset=utf-8',
      })
    }

  const router = Router()
  router.get('/openapi.json', PUBLIC, async (_request, response) => {
    sendPublicJson(response, resolvePaths(await contract()))
  })
  router.get('/openapi-control.json', PUBLIC, async (_request, response) => {
    sendPublicJson(response, await control())
  })
  router.get('/llms.txt', async (_request, response) => {
    const { docs, pages } = await documentation()
    response.setHeader('Cache-Control', 'no-store, private')
    response
      .type('text/plain; charset=utf-8')
      .send(forPrograms(docs.info, pages, `${addresses.base}/docs`))
  })
  router.get('/docs/search', async (request, response) => {
    const query = (new URL(request.url, addresses.base).searchParams.get('q') ?? '').slice(
      0,
      LONGEST_QUERY,
    )
    const hits = (await (await documentation()).search(query)).map((hit) => ({
      ...hit,
      to: `${root}/${hit.link}`,
    }))
    await sendInFrame(response, { title: 'Search', at: '', query }, searchView(query, hits))
  })
  router.get(
    '/docs',
    answer(() => ''),
  )
  router.get(
    '/docs/:document',
    answer(({ document = '' }) => document),
  )
  router.get(
    '/docs/:kind/:name',
    answer(({ kind, name }) => `${kind}/${name}`),
  )
  return router
}

/**
 * Pages below this size, or with fewer headings, fit on a few screens and need no list of contents.
 */
const LONG_PAGE = { characters: 6000, headings: 4 }

/** Returns the headings of a long page with their ids, and an empty list for a short page. */
function contentsOf(body: string) {
  const found = body.matchAll(/<h([23]) id="([^"<>]{1,200})">([^\n]{1,500})<\/h[23]>/g)
  const headings = [...found].map(([, level, id, inner = '']) => ({
    level,
    id,
    html: trustedHtml(inner.replace(/<[^<>]{0,300}>/g, '')),
  }))
  return body.length < LONG_PAGE.characters || headings.length < LONG_PAGE.headings ? [] : headings
}

/** Returns the data of the page's form; null if the example cannot be sent. */
const tried = (example: Example | undefined): TriedCall | null =>
  example?.call
    ? {
        ...example.call,
        path: example.call.url.replace(/^https?:\/\/[^/]*/, ''),
        login: example.call.login ?? null,
        fields: Object.entries(example.call.fields)
          .map(([name, value]) => `${name}=${value}`)
          .join('\n'),
      }
    : null

const inLanguages = ({ call }: Example) =>
  call ? LANGUAGES.map(({ name, fence, write }) => [name, fence, write(call)] as const) : []

const exampleHtml = (example: Example): SafeHtml =>
  html`<pre tabindex="0" data-lang="sh">${example.command}</pre>
${inLanguages(example).map(
  ([name, , text]) =>
    html`<details><summary>${name}</summary><pre tabindex="0">${text}</pre></details>
`,
)}`

function withExample({ markdown, example }: DocPage): string {
  if (!example) return markdown
  const made = example()
  return markdown.replace(EXAMPLE_MARK, () => exampleBlocks(made.command, inLanguages(made)))
}

/** Groups whose pages are always in the menu, in reading order. */
const ALWAYS = ['Start', 'Connect your shop', 'Test your shop', LOOK_UP]

/** Groups that are only reached from other pages. */
const NEVER = ['Objects', 'Errors']

const rankOf = (group: string) => (ALWAYS.includes(group) ? ALWAYS.indexOf(group) : ALWAYS.length)

/**
 * Builds the menu of a page: the calls of the page's own group are listed, other groups lead to
 * their first page.
 */
function menuOf(pages: Pages, root: string, of: string | undefined): readonly DocsMenu[] {
  return [...Map.groupBy(pages.values(), ({ group }) => group)]
    .filter(([group]) => !NEVER.includes(group))
    .toSorted(([one], [other]) => rankOf(one) - rankOf(other))
    .map(([title, entries]) => ({
      title,
      to: ALWAYS.includes(title) ? null : `${root}#${anchorOf(title)}`,
      entries: (ALWAYS.includes(title) || title === of ? entries : []).map((page) => ({
        text: page.path === '' ? 'All guides' : page.title,
        to: addressOf(root, page.path),
      })),
    }))
}

/** Writes the index for `llms.txt` (llmstxt.org). */
const forPrograms = (info: Contract['info'], pages: Pages, root: string): string =>
  [
    `# ${info.title}`,
    `> ${info.summary}`,
    ...[...Map.groupBy(pages.values(), ({ group }) => group)].flatMap(([group, entries]) => [
      `## ${group}`,
      entries.map(({ path, title }) => `- [${title}](${root}/${path || 'index'}.md)`).join('\n'),
    ]),
    '',
  ].join('\n\n')

/**
 * Reads the contract on first use: the build converts it to JSON, from source it is converted now.
 */
export async function readContract(folder: string): Promise<Contract> {
  const built = await readFile(`${folder}openapi.json`, 'utf8').catch((error) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (built !== undefined) return JSON.parse(built)
  // Written so that no bundler follows it: the package contains no YAML parser.
  const { parseContract }: typeof import('./parse.ts') = await import(
    pathToFileURL(join(import.meta.dirname, 'parse.ts')).href
  )
  return parseContract(await readFile(`${folder}openapi.yaml`, 'utf8'))
}

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

const sendPublicJson = (response: Response, value: object) =>
  sendPublic(response.type('json'), JSON.stringify(value))
