import type { AdviceCode } from '../../mock-gateway/contract/library-advice.ts'
import { log } from '../log.ts'
import type { Settings } from '../settings/options.ts'

/** What an explanation names, by name. Never a value that a payer typed. */
export type Facts = Readonly<Record<string, unknown>>

/** What knows the texts for integrators; loaded when somebody reads along. */
export interface Adviser {
  /** What is wrong and what would be right, as text. */
  describe(code: AdviceCode, facts: Facts): string
  /** The usual mistakes of a page, as it is now. */
  examine(form: HTMLFormElement, settings: Settings): readonly (readonly [AdviceCode, Facts])[]
}

/** Where the documents are while no gateway is known: in the package. */
let documents = 'mondido-js/docs/reference/library-messages.md'
let load = (): Promise<Adviser> => Promise.reject()
let loading: Promise<Adviser> | undefined
let adviser: Adviser | undefined
let isRead: boolean | undefined

/**
 * Says how this copy of the library gets its adviser; no form has said yet whether somebody reads
 * along.
 * @param ready one that is there already
 */
export function adviseFrom(how: typeof load, ready?: Adviser): void {
  load = how
  loading = undefined
  adviser = ready
  isRead = undefined
}

/** Says at which gateway the documents are. */
export function documentsAt(origin: string): void {
  documents = `${origin}/docs`
}

/** Whether the page is on the integrator's own computer. */
export const isLoopback = (): boolean => /(^|\.)localhost$|^127\.|^\[::1\]$/.test(location.hostname)

/** Says whether somebody reads along; who does not gets codes. */
export function readAlong(isWanted: boolean): void {
  isRead = isWanted
  if (isWanted) consult(() => undefined)
}

/** Whether somebody reads along; until a form says so: on the integrator's own computer. */
export const isReadAlong = (): boolean => isRead ?? isLoopback()

/** Asks the adviser, at once when it is there.
 * @param otherwise when it cannot be loaded */
export function consult(run: (adviser: Adviser) => void, otherwise = (): void => undefined): void {
  if (adviser) run(adviser)
  else {
    loading ??= load().then((loaded) => {
      adviser = loaded
      return loaded
    })
    loading.then(run).catch(otherwise)
  }
}

/** A code with its facts, and where it is explained. */
export const inShort = (code: string, facts?: Facts, anchor = `library-${code}`): string =>
  `${code} ${facts ? `${JSON.stringify(facts)} ` : ''}${documents}#${anchor}`

/** Tells the integrator on the console: explained to who reads along, else by its code.
 * @param anchor where in the documents it is explained */
export function tell(
  level: 'warn' | 'error',
  code: AdviceCode,
  facts?: Facts,
  cause?: unknown,
  anchor = `library-${code}`,
): void {
  const say = (text: string) => log(level, text, cause)
  const sayInShort = () => say(inShort(code, facts, anchor))
  if (isReadAlong())
    consult(
      ({ describe }) => say(`${code}: ${describe(code, facts || {})} ${documents}#${anchor}`),
      sayInShort,
    )
  else sayInShort()
}
