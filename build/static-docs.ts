/**
 * Writes the pages of `/docs` as a static site that opens from a folder. Usage: npm run docs [--
 * <folder>]
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createGateway, type Gateway } from '../mock-gateway/gateway.ts'

const ORIGIN = 'http://localhost:4400'

/** Parts of a page that work only while a gateway runs. */
const LIVE_PARTS = [
  /<form class="search".*?<\/form>/gs,
  /<section class="try".*?<\/section>/gs,
  /<script\b[^>]*><\/script>/g,
  /<li><a href="\/console">Console<\/a><\/li>/g,
  /<p class="quiet"><a href="[^"]*\.md">This page as Markdown<\/a><\/p>/g,
]

/**
 * Writes every page, and the styles, pictures and contracts that they refer to. @returns paths of
 * the pages
 */
export async function writeStaticDocs(folder: string): Promise<readonly string[]> {
  const gateway = await createGateway({ database: 'memory' })
  try {
    const list = await (await fetchFrom(gateway, '/llms.txt')).text()
    const pages = [...list.matchAll(/\/docs\/([^()\s]+)\.md\)/g)].map(([, path = '']) => path)
    const files = new Set<string>()
    for (const page of pages) {
      const response = await fetchFrom(gateway, page === 'index' ? '/docs' : `/docs/${page}`)
      await write(
        folder,
        `${page}.html`,
        withFileLinks(await response.text(), page, new Set(pages), files),
      )
    }
    for (const file of files) await writeAsset(gateway, folder, file)
    return pages
  } finally {
    await gateway.close()
  }
}

async function fetchFrom(gateway: Gateway, path: string): Promise<Response> {
  const response = await gateway.handle(
    new Request(ORIGIN + path, { headers: { accept: 'text/html' } }),
  )
  if (response.status !== 200) throw new Error(`${path} answered status ${response.status}`)
  return response
}

async function write(folder: string, path: string, contents: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), contents)
}

/**
 * Makes addresses relative, and collects the files that a page needs. Links to a running gateway
 * become text.
 */
function withFileLinks(
  html: string,
  page: string,
  pages: ReadonlySet<string>,
  files: Set<string>,
): string {
  const relative = (path: string) => posix.relative(posix.dirname(page), path)
  const nameFile = (address: string) => {
    const path = address.slice(1).replace(/\?.*$/, '')
    files.add(address)
    return relative(path)
  }
  return LIVE_PARTS.reduce((text, part) => text.replace(part, ''), html)
    .replace(
      /<a\b([^>]*) href="(\/[^"#]*)(#[^"]*)?"([^>]*)>(.*?)<\/a>/gs,
      (_link, first, to, anchor = '', rest, text) => {
        const target = to === '/docs' || to === '/' ? 'index' : to.replace(/^\/docs\//, '')
        const fragment = anchor === '#try-it' ? '' : anchor
        if (pages.has(target))
          return `<a${first} href="${relative(`${target}.html`)}${fragment}"${rest}>${text}</a>`
        return to.endsWith('.json') ? `<a${first} href="${nameFile(to)}"${rest}>${text}</a>` : text
      },
    )
    .replace(
      /(<(?:link|img)\b[^>]*\b(?:href|src)=")(\/[^"]+)"/g,
      (_tag, start, to) => `${start}${nameFile(to)}"`,
    )
}

/** Writes a file under its own path, and for a style also the files of its `url(…)`. */
async function writeAsset(gateway: Gateway, folder: string, address: string): Promise<void> {
  const response = await fetchFrom(gateway, address)
  const path = address.slice(1).replace(/\?.*$/, '')
  if (!path.endsWith('.css'))
    return write(folder, path, new Uint8Array(await response.arrayBuffer()))
  const css = await response.text()
  const inner = [...css.matchAll(/url\(["']?(\/[^"')]+)["']?\)/g)].map(([, to = '']) => to)
  for (const to of inner) await writeAsset(gateway, folder, to)
  const toRelative = (to: string) =>
    posix.relative(posix.dirname(path), to.slice(1).replace(/\?.*$/, ''))
  await write(
    folder,
    path,
    css.replace(/url\(["']?(\/[^"')]+)["']?\)/g, (_url, to) => `url("${toRelative(to)}")`),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2] ?? 'site'
  const pages = await writeStaticDocs(folder)
  process.stdout.write(`${pages.length} pages in ${folder}: open ${join(folder, 'index.html')}.\n`)
}
