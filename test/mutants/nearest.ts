import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

/** Where the tests of a room are, nearest first; the longest beginning of a path that is here counts. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'mock-gateway/payments': [
    'payments',
    'cards',
    'web/api',
    'subscriptions',
    'payment-methods',
    'web/hosted',
    'three-d-secure',
    'races',
  ],
  'mock-gateway/payments/authentication': ['three-d-secure', 'web/hosted', 'races'],
  'mock-gateway/cards': ['cards', 'payments', 'races/customers-and-cards'],
  'mock-gateway/customers': ['customers', 'races/customers-and-cards'],
  'mock-gateway/webhooks': ['webhooks', 'web/console/webhooks', 'web/control', 'races/due'],
  'mock-gateway/subscriptions': ['subscriptions', 'payments', 'races/subscriptions', 'races/due'],
  'mock-gateway/requests': [
    'requests',
    'payments',
    'cards',
    'web/api',
    'web/hosted',
    'subscriptions',
    'payment-methods',
  ],
  'mock-gateway/acquirer': ['acquirer', 'payments', 'cards', 'three-d-secure'],
  'mock-gateway/domain': [
    'domain',
    'payments',
    'cards',
    'web/api',
    'web/hosted',
    'subscriptions',
    'webhooks',
    'three-d-secure',
  ],
  'mock-gateway/domain/card': ['domain/card', 'acquirer', 'payments', 'cards', 'three-d-secure'],
  'mock-gateway/domain/webhook': ['domain/webhook', 'webhooks', 'requests'],
  'mock-gateway/domain/subscription': ['domain/subscription', 'subscriptions', 'requests'],
  'mock-gateway/domain/listing': ['listing', 'domain'],
  'mock-gateway/domain/errors': ['domain/errors', 'errors', 'payments'],
  'mock-gateway/domain/language': ['domain', 'web/hosted', 'web/pages', 'three-d-secure'],
}

/** Tests that run in one process. */
export interface TestRun {
  readonly project: 'sdk' | 'gateway'
  readonly files: readonly string[]
}

/**
 * The tests nearest to a source: those that import it or bear its name, then those of its room.
 * @param root the repository
 */
export function nearestTests(root: string, path: string): readonly TestRun[] {
  const project = path.startsWith('sdk/') ? 'sdk' : 'gateway'
  const all = globSync(`test/${project}/**/*.test.ts`, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.endsWith('.mocked.test.ts'))
  const name = basename(path, '.ts')
  const isNamed = (file: string) => basename(file, '.test.ts') === name
  const imports = (file: string) => readFileSync(`${root}/${file}`, 'utf8').includes(`/${path}'`)
  const closest = all.filter((file) => isNamed(file) || imports(file))
  const folders =
    project === 'sdk' ? sdkFolders(path) : (ROOMS[roomOf(path)] ?? []).map((room) => `test/gateway/${room}`)
  const ofRoom = folders.flatMap((folder) => all.filter((file) => file.startsWith(folder) && !closest.includes(file)))
  return [closest, [...new Set(ofRoom)]].filter(({ length }) => length > 0).map((files) => ({ project, files }))
}

/** The room that is named by the longest beginning of the path. */
function roomOf(path: string): string {
  const rooms = Object.keys(ROOMS).filter((room) => path.startsWith(`${room}/`))
  return rooms.toSorted((one, other) => other.length - one.length)[0] ?? ''
}

/** Its own folder first; the rest of the library is small enough. */
const sdkFolders = (path: string): readonly string[] => [`test/${path.split('/').slice(0, -1).join('/')}/`, 'test/sdk/']
