import { sep } from 'node:path'
import { runInNewContext } from 'node:vm'

/** Use of a browser or page function by the library. */
export interface Way {
  /**
   * The used member: `Element.append()`, `HTMLInputElement.value`, `HTMLInputElement.value=`, `new
   * FormData`.
   */
  use: string
  /** The library's lines that lead there, nearest first. */
  path: string
  /** Number of earlier uses, by any caller. */
  before: number
}

export interface Breakage {
  /** All functions that the library uses while `run` runs. */
  waysOf(run: () => Promise<unknown>): Promise<Way[]>
  /**
   * Runs a function while one browser function throws on each use.
   * @returns true if the library used it
   */
  break(way: Way, run: () => Promise<unknown>): Promise<boolean>
}

type Run = (this: unknown, ...given: unknown[]) => unknown
type Class = { prototype: object }
type Member = readonly [name: string, owner: object, key: string]
/** Called at every use of a member, with the function that replaces it. */
type Visit = (use: string, standIn: Run) => void

const OF_LANGUAGE = new Set<string>(runInNewContext('Object.getOwnPropertyNames(globalThis)'))

/** Members that the tests need themselves. */
const OF_TESTS = /^(_|vi|process$|global$|Buffer$|jQuery$|\$$)/

/**
 * Everything a page has of the browser: its functions and classes, and what objects of those
 * classes have.
 * @param own classes of the page itself
 */
function membersOf(own: readonly Class[]): Member[] {
  const members: Member[] = ['error', 'warn'].map((key) => [`console.${key}`, console, key])
  const plain = [...OF_LANGUAGE].map((name) => Reflect.get(globalThis, name)?.prototype)
  const seen = new Set<unknown>([undefined, null, ...plain])
  const addClass = (made: Class) => {
    for (let { prototype: proto } = made; !seen.has(proto); proto = Object.getPrototypeOf(proto)) {
      seen.add(proto)
      for (const key of Object.getOwnPropertyNames(proto))
        if (key !== 'constructor') members.push([`${proto.constructor.name}.${key}`, proto, key])
    }
  }
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    const value =
      OF_LANGUAGE.has(name) || OF_TESTS.test(name) ? undefined : Reflect.get(globalThis, name)
    if (typeof value !== 'function') continue
    members.push([name, globalThis, name])
    addClass(value)
  }
  own.forEach(addClass)
  return members
}

/**
 * Replaces a member.
 * @returns a function that restores it
 */
function lookAt([name, owner, key]: Member, visit: Visit): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, key)
  if (!before?.configurable) return () => {}
  const around = (use: string, run: Run): Run =>
    function standIn(this: unknown, ...given) {
      if (!isLooking) visit(use, standIn)
      return run.apply(this, given)
    }
  const construct: ProxyHandler<Run>['construct'] = function standIn(target, given, newTarget) {
    if (!isLooking) visit(`new ${name}`, standIn as Run)
    return Reflect.construct(target, given, newTarget)
  }
  const isGlobal = owner === globalThis
  const value = isGlobal ? Reflect.get(owner, key) : before.value
  const { get, set } = before
  const after =
    typeof value !== 'function'
      ? {
          ...(get && { get: around(name, get) }),
          ...(set && { set: around(`${name}=`, set as Run) }),
        }
      : {
          value:
            isGlobal && /^[A-Z]/.test(name)
              ? new Proxy(value, { construct })
              : around(`${name}()`, value),
        }
  Object.defineProperty(owner, key, { ...after, configurable: true })
  return () => void Object.defineProperty(owner, key, before)
}

const SOURCES = `${sep}sdk${sep}`
const isOurs = (file = '') => file.includes(SOURCES) && !file.includes(`test${SOURCES}`)

/** The check itself also uses the checked function. */
let isLooking = false

/**
 * Returns the library's lines that led to a replaced member, nearest first; empty if another caller
 * used it. Calls of the emulated browser are left out.
 */
function pathTo(standIn: Run): string {
  const { prepareStackTrace, stackTraceLimit } = Error
  isLooking = true
  try {
    Object.assign(Error, {
      stackTraceLimit: 40,
      prepareStackTrace: (_error: Error, sites: NodeJS.CallSite[]) => sites,
    })
    const held: { stack?: NodeJS.CallSite[] } = {}
    Error.captureStackTrace(held, standIn)
    const sites = (held.stack ?? []).filter((site) => !site.isNative())
    // Most are the emulator's, or of other callers.
    const nearest = sites.find((site) => !String(site.getFileName()).includes('happy-dom'))
    if (!isOurs(nearest?.getFileName() ?? undefined)) return ''
    const ours = sites.filter((site) => isOurs(site.getFileName() ?? undefined))
    return ours
      .map((site) => `${site.getFileName()?.split(SOURCES).pop()}:${site.getLineNumber()}`)
      .join(' < ')
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit })
    isLooking = false
  }
}

/**
 * Breaks the browser functions that the library uses.
 * @param own classes of the page itself, which can break too
 */
export function useBreakage(own: readonly Class[]): Breakage {
  let members: Member[] | undefined
  async function looking(
    wanted: (name: string) => boolean,
    visit: Visit,
    run: () => Promise<unknown>,
  ): Promise<void> {
    members ??= membersOf(own)
    const undo = members.filter(([name]) => wanted(name)).map((member) => lookAt(member, visit))
    try {
      await run()
    } finally {
      for (const each of undo) each()
    }
  }
  return {
    async waysOf(run) {
      const ways = new Map<string, Way>()
      const uses = new Map<string, number>()
      const visit: Visit = (use, standIn) => {
        const before = uses.get(use) ?? 0
        uses.set(use, before + 1)
        const path = pathTo(standIn)
        const key = `${use} in ${path}`
        if (path && !ways.has(key)) ways.set(key, { use, path, before })
      }
      await looking(() => true, visit, run)
      return [...ways.values()]
    },
    async break(way, run) {
      const [, member] = /^(?:new )?([\w.]+)/.exec(way.use) ?? []
      let count = 0
      let isBroken = false
      const visit: Visit = (use, standIn) => {
        if (use !== way.use || count++ < way.before) return
        if (pathTo(standIn) !== way.path) return
        isBroken = true
        throw new Error(`broken: ${way.use}`)
      }
      await looking((name) => name === member, visit, run)
      return isBroken
    },
  }
}
