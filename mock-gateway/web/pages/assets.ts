import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { Router } from 'express'
import { readOnce } from './read-once.ts'

/** A file that pages load, such as a style sheet. */
export interface Asset {
  /** Below the folder of the pages, such as `hosted/views/payment.css`. */
  readonly path: string
  /** Its name with a hash of what is in it, such as `payment.0123456789abcdef.css`. */
  readonly file: string
  readonly content: string
}

/** Every asset there is. */
export type Assets = () => Promise<readonly Asset[]>

/** The assets in a folder, and in those in it. They are read when somebody first asks. */
export const assetsIn = (folder: string): Assets => readOnce(() => readAssets(folder))

async function readAssets(folder: string): Promise<readonly Asset[]> {
  const paths = await readdir(folder, { recursive: true })
  const assets = paths.filter((path) => path.endsWith('.css'))
  return Promise.all(
    assets.map(async (path) => {
      const content = await readFile(join(folder, path), 'utf8')
      const type = extname(path)
      const file = `${basename(path, type)}.${hash('sha256', content).slice(0, 16)}${type}`
      return { path: path.replaceAll('\\', '/'), file, content }
    }),
  )
}

/** Where a browser finds an asset. @throws TypeError when there is none at this path */
export function assetAddress(assets: readonly Asset[], path: string): string {
  const asset = assets.find((each) => each.path === path)
  if (!asset) throw new TypeError(`The pages have no ${path}`)
  return `/assets/${asset.file}`
}

/**
 * `/assets/{file}`: a browser never has to ask again, because what has changed has another name. An older or invented
 * name leads nowhere.
 */
export function assetRouter(assets: Assets): Router {
  const router = Router()
  router.get('/assets/:file', async (request, response, next) => {
    const asset = (await assets()).find(({ file }) => file === request.params.file)
    if (!asset) return next()
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
    response.type(extname(asset.file)).send(asset.content)
  })
  return router
}
