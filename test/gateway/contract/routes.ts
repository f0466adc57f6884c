import type { Express } from 'express'

/** Express's description of a router, which its types lack. */
interface Listing {
  listRoutes(): readonly {
    readonly path: string | RegExp
    /** Methods of the route; undefined for a mounted router. */
    readonly methods: readonly string[] | undefined
    readonly router: Listing | undefined
  }[]
}

/** Returns every route of an app in the form `get /v1/transactions/{id}`, sorted. */
export function routesOf(app: Express): string[] {
  const walk = (listing: Listing, base: string): string[] =>
    listing.listRoutes().flatMap(({ path, methods = [], router }) => {
      const address = path === '/' ? base : `${base}${path}`
      if (router) return walk(router, address)
      const named = methods
        .map((method) => method.toLowerCase())
        .filter((method) => method !== 'head')
      return named.map((method) => `${method} ${template(address)}`)
    })
  return [...new Set(walk(app.router as unknown as Listing, ''))].sort()
}

/**
 * Converts a path of Express, with parameters such as `:id`, into a path of the contract, with
 * `{id}`.
 */
const template = (path: string): string => path.replace(/:(\w+)/g, '{$1}')
