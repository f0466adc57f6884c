import { posix } from 'node:path'
import { type Facts, factsOf, type Import, type Source } from './facts.ts'

/**
 * Layers of the gateway from top to bottom. A module may import only from lower layers and from
 * itself.
 */
export const LAYERS: readonly (readonly string[])[] = [
  ['cli'],
  ['testing'],
  ['gateway'],
  [
    'web/api',
    'web/home',
    'web/docs',
    'web/hosted',
    'web/three-d-secure',
    'web/library',
    'web/console',
    'web/control',
  ],
  ['check'],
  ['client', 'web/http', 'web/pages'],
  ['operations'],
  ['parsing'],
  ['subscriptions', 'webhooks'],
  ['payments'],
  ['cards'],
  ['customers'],
  ['merchants'],
  ['templates'],
  ['scheduler'],
  ['outbox'],
  ['serializers'],
  ['work'],
  ['acquirer', 'storage'],
  ['storage/tables'],
  ['domain'],
  ['contract'],
]

/** The only part of the library that the gateway imports. It imports nothing from elsewhere. */
const SHARED = 'sdk/shared'

/** Modules outside the gateway, each with the other modules that it may import. */
const OUTSIDE: Readonly<Record<string, (target: string) => boolean>> = {
  sdk: (target) => target === SHARED,
  examples: (target) => target === 'mock-gateway/cli' || target.startsWith('examples/'),
}

/**
 * Returns true for an example shop. Example shops are independent, so that a merchant can copy one
 * of them.
 */
const isShop = (module: string) => module.startsWith('examples/') && module !== 'examples/shared'

const PURE = ['mock-gateway/domain', 'mock-gateway/acquirer', 'mock-gateway/contract', SHARED]

interface Ban {
  /** Forbidden packages or uses, or their first parts. */
  readonly what: readonly string[]
  /** Modules in which they are forbidden. */
  readonly where: (module: string) => boolean
  /** Files of these modules in which they are allowed. */
  readonly except?: readonly string[]
  readonly because: string
}

const inside =
  (...modules: string[]) =>
  (module: string) =>
    modules.includes(module)
const gatewayExcept =
  (...modules: string[]) =>
  (module: string) =>
    module.startsWith('mock-gateway/') && !modules.includes(module)

/**
 * Returns true for modules of the gateway in lower layers than `web/`, except pure modules, which
 * have a longer list of forbidden uses.
 */
const belowTheWeb = (module: string) =>
  module.startsWith('mock-gateway/') &&
  layerOf(module) > layerOf('mock-gateway/web/http') &&
  !PURE.includes(module)

const BANS: readonly Ban[] = [
  {
    what: ['process.env', 'process.argv'],
    where: gatewayExcept('mock-gateway/cli', 'mock-gateway/testing'),
    because: 'cli.ts reads them, and the kit of tests what exec says',
  },
  {
    what: ['process.env', 'node:'],
    where: inside('sdk', SHARED),
    because: 'the library runs in a browser',
  },
  {
    what: [
      'express',
      'kysely',
      'pg',
      'pino',
      'node:sqlite',
      'node:http',
      'node:https',
      'node:net',
      'node:fs',
    ],
    where: inside(...PURE),
    // Compares addresses, and opens no connection.
    except: ['mock-gateway/domain/webhook/addresses.ts'],
    because: 'these modules are pure',
  },
  {
    what: [
      'Date.now',
      'new Date()',
      'performance.now',
      'Math.random',
      'crypto.random',
      'node:crypto#random',
    ],
    where: inside(...PURE),
    because: 'time and chance are passed in',
  },
  {
    what: ['now()', 'Date.now'],
    where: gatewayExcept(
      'mock-gateway/cli',
      'mock-gateway/gateway',
      'mock-gateway/scheduler',
      ...PURE,
    ),
    except: [
      'mock-gateway/web/http/exchange.ts',
      'mock-gateway/subscriptions/due.ts',
      // A fault ends by the machine's clock.
      'mock-gateway/check/gateway-state.ts',
      // Leases follow the machine's clock, not the clock of a merchant.
      'mock-gateway/webhooks/administer.ts',
    ],
    because:
      'the clock is read once for each request, where it begins, or where something falls due',
  },
  {
    what: ['@remix-run/html-template'],
    where: gatewayExcept(),
    except: ['mock-gateway/web/pages/html.ts'],
    because: 'one file decides what passes unescaped',
  },
  { what: ['express'], where: belowTheWeb, because: 'only web/ knows Express' },
  {
    what: ['pg', 'node:sqlite'],
    where: gatewayExcept('mock-gateway/storage'),
    because: 'storage opens databases',
  },
  {
    what: ['kysely#sql', 'query()'],
    where: gatewayExcept('mock-gateway/storage', 'mock-gateway/storage/tables'),
    because: 'queries stand in storage',
  },
]

/** Modules whose folders are modules of their own. */
const WITH_MODULES = ['mock-gateway/web', 'mock-gateway/storage/tables']

/**
 * Returns the module of a project file, for example `mock-gateway/web/api` or `sdk`. `cli.ts` and
 * the folder `cli` are one module.
 */
function moduleOf(path: string): string {
  const [top = '', second = '', third] = path.split('/')
  if (WITH_MODULES.some((module) => path.startsWith(`${module}/`)))
    return `${top}/${second}/${third}`
  if (path.startsWith(`${SHARED}/`)) return SHARED
  if (top === 'mock-gateway') return `${top}/${second.replace(/\.ts$/, '')}`
  if (top === 'examples' && third !== undefined) return `${top}/${second}`
  return top
}

const layerOf = (module: string): number =>
  LAYERS.findIndex((modules) => modules.some((name) => `mock-gateway/${name}` === module))

function mayImport(from: string, to: string): boolean {
  if (from === to) return true
  if (from.startsWith('mock-gateway/'))
    return to === SHARED || (to.startsWith('mock-gateway/') && layerOf(from) < layerOf(to))
  if (isShop(from)) return to === 'examples/shared'
  return OUTSIDE[from]?.(to) ?? false
}

function directionProblem(path: string, { specifier }: Import): string | undefined {
  if (!specifier.startsWith('.')) return undefined
  const target = posix.join(posix.dirname(path), specifier)
  const [from, to] = [moduleOf(path), moduleOf(target)]
  // package.json describes a package, and is not a module.
  if (target.endsWith('package.json') || mayImport(from, to)) return undefined
  return `${path}: ${from} may not import ${target}`
}

function named({ imports, uses }: Facts): string[] {
  return [
    ...imports.flatMap(({ specifier, names }) => [
      specifier,
      ...names.map((name) => `${specifier}#${name}`),
    ]),
    ...uses,
  ]
}

/**
 * Returns true if `found` is `what`, a member or submodule of it, or (for `node:`, `random`) a name
 * that begins with it.
 */
function matches(found: string, what: string): boolean {
  if (/(:|random)$/.test(what)) return found.startsWith(what)
  return found === what || ['.', '/', '#'].some((mark) => found.startsWith(what + mark))
}

function bansBroken(path: string, facts: Facts): string[] {
  const found = named(facts)
  return BANS.filter(
    ({ where, except = [] }) => where(moduleOf(path)) && !except.includes(path),
  ).flatMap(({ what, because }) =>
    what
      .filter((each) => found.some((name) => matches(name, each)))
      .map((each) => `${path}: ${each} is not for this module: ${because}`),
  )
}

/** Returns every violation of the rules for modules in these sources, one line each. */
export function breaches(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    const module = moduleOf(source.path)
    if (module.startsWith('mock-gateway/') && layerOf(module) < 0)
      return [`${source.path}: ${module} is no known module`]
    const facts = factsOf(source)
    const turned = facts.imports.flatMap((each) => directionProblem(source.path, each) ?? [])
    return [...turned, ...bansBroken(source.path, facts)]
  })
}
