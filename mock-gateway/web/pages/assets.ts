import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Router } from 'express'
import { readOnce } from '../../domain/memoized.ts'
import { sendCompressed } from './send-public.ts'

/** A file that pages load: a style sheet, a script or a picture. */
export interface Asset {
  /** Path below the folder of the pages, such as `hosted/payment.css`. */
  readonly path: string
  /** File name with a hash of the content, such as `payment.0123456789abcdef.css`. */
  readonly file: string
  readonly content: string
}

/** Loads all assets. */
export type Assets = () => Promise<readonly Asset[]>

/** Finds the assets in a folder and its subfolders, on first use. */
export const findAssets = (folder: string): Assets => readOnce(() => readAssets(folder))

/** Content types of assets. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
}

/** Entry scripts: files directly in such a folder; deeper ones are their modules. */
const SCRIPT = /(?:^|[\\/])scripts[\\/][^\\/]+\.ts$/

/** Reads the few small files synchronously, which takes half the time: the first page waits for it. */
async function readAssets(folder: string): Promise<readonly Asset[]> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const assets = paths.filter((path) => extname(path) in TYPES || SCRIPT.test(path))
  return Promise.all(
    assets.map(async (path) => {
      const content = await (SCRIPT.test(path)
        ? fromSource(join(folder, path))
        : readWithImports(join(folder, path)))
      const type = SCRIPT.test(path) ? '.js' : extname(path)
      const name = basename(path, extname(path))
      const file = `${name}.${hash('sha256', content).slice(0, 16)}${type}`
      return { path: path.replaceAll('\\', '/').replace(/\.ts$/, '.js'), file, content }
    }),
  )
}

/** An import at the start of a style sheet, such as `@import "base.css" layer(base);`. */
const IMPORT = /^@import "([^"]+)" layer\((\w+)\);$/gm

/** Reads a file with its imported style sheets inside, so that a page loads one. */
function readWithImports(file: string): string {
  return readFileSync(file, 'utf8').replace(IMPORT, (_import, path: string, layer: string) => {
    const sheet = readWithImports(join(dirname(file), path))
    return `@layer ${layer} {\n${sheet}}`
  })
}

/** The package contains built scripts instead. */
async function fromSource(file: string): Promise<string> {
  // Built so that no bundler follows the import.
  const { buildScriptFromSource } = (await import(
    pathToFileURL(join(import.meta.dirname, 'script-from-source.ts')).href
  )) as typeof import('./script-from-source.ts')
  return buildScriptFromSource(file)
}

/** Returns the address of an asset. @throws TypeError if there is none at this path */
function createAssetAddress(assets: readonly Asset[], path: string): string {
  const asset = assets.find((each) => each.path === path)
  if (!asset) throw new TypeError(`The pages have no ${path}`)
  return `/assets/${asset.file}`
}

/** Returns the address of an asset by its path. @throws TypeError if there is none */
export type AddressOf = (path: string) => string

/** Finds the addresses of all assets. @param prefix path of the gateway, usually '' */
export const createAssetAddresses = (assets: Assets, prefix: string): (() => Promise<AddressOf>) =>
  readOnce(async () => {
    const known = await assets()
    return (path) => prefix + createAssetAddress(known, path)
  })

/** Files that merchants' own pages refer to by a fixed name. */
const NAMED_BY_MERCHANTS = /^service-[a-z]+\.(?:js|css)$/

const formatFileName = ({ path }: Asset): string => basename(path)

/**
 * Serves `/assets/{file}`. Browsers cache assets for good, because changed files have new names;
 * unknown and old names are not found. Files with a fixed name are revalidated.
 */
export function createAssetRouter(assets: Assets): Router {
  const router = Router()
  router.get('/assets/:file', async (request, response, next) => {
    const { file } = request.params
    const isName = NAMED_BY_MERCHANTS.test(file)
    const asset = (await assets()).find(
      (each) => (isName ? formatFileName(each) : each.file) === file,
    )
    if (!asset) return next()
    response.setHeader(
      'Cache-Control',
      isName ? 'public, max-age=0, must-revalidate' : 'public, max-age=31536000, immutable',
    )
    await sendCompressed(request, response.type(TYPES[extname(asset.file)] ?? ''), asset.content)
  })
  return router
}
