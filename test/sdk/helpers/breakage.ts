import { sep } from 'node:path'
import { runInNewContext } from 'node:vm'

/** Use of a function of the browser or the page by the library. */
export interface Way {
  /**
   * The used member: `Element.append()`, `HTMLInputElement.value`, `HTMLInputElement.value=`, `new
   * FormData`.
   */
  use: string
  /** Lines of the library that led to the use, the nearest first. */
  path: string
  /** Number of earlier uses, by any caller. */
  before: number
}

export interface Breakage {
  /** Returns all uses of functions by the library while `run` runs. */
  waysOf(run: () => Promise<unknown>): Promise<Way[]>
  /**
   * Runs a function while one function of the browser throws at each use.
   * @returns true if the library used it
   */
  break(way: Way, run: () => Promise<unknown>): Promise<boolean>
}

type Run = (this: unknown, ...given: unknown[]) => unknown
type Class = { prototype: object }
type Member = readonly [name: string, owner: object, key: string]
/** Function that is called at every use of a member, with the function that replaces the member. */
type Visit = (use: string, standIn: Run) => void

const OF_LANGUAGE = new Set<string>(runInNewContext('Object.getOwnPropertyNames(globalThis)'))

/** Pattern of members that the tests themselves need. */
const OF_TESTS = /^(_|vi|process$|global$|Buffer$|jQuery$|\$$)/

/**
 * Returns all members that a browser provides: functions, classes, and members of the objects of
 * these classes.
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

/** True while the check itself runs, which also uses the replaced functions. */
let isLooking = false

/**
 * Returns the lines of the library that led to a replaced member, the nearest first, without calls
 * inside the emulated browser. Returns an empty text if another caller used the member.
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
    // Most uses are by the emulated browser or other callers.
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
