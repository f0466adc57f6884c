import type { Snapshot } from '../form/snapshot.ts'
import { log } from '../log.ts'
import type { Settings } from '../settings/options.ts'
import type { AdviceCode } from '../shared/advice-texts.ts'

/** Facts of an explanation by name. They never contain a value that a payer typed. */
export type Facts = Readonly<Record<string, unknown>>

/** Texts for developers, which are loaded only if a developer reads the console. */
export interface Adviser {
  /** Describes the problem and its fix. */
  describe(code: AdviceCode, facts: Facts): string
  /** Finds usual mistakes of the page. */
  examine(
    form: HTMLFormElement,
    settings: Settings,
    snapshot: Snapshot,
  ): readonly (readonly [AdviceCode, Facts])[]
}

/** Address of the documents, which is in the package while no gateway is known. */
let documents = 'mondido-js/docs/reference/library-messages.md'
let load = (): Promise<Adviser> => Promise.reject()
let loading: Promise<Adviser> | undefined
let adviser: Adviser | undefined
let isRead: boolean | undefined

/**
 * Sets the source of the adviser's module. Until a form decides, it is unknown whether a
 * developer reads the console.
 * @param ready an adviser that is already loaded
 */
export function adviseFrom(how: typeof load, ready?: Adviser): void {
  load = how
  loading = undefined
  adviser = ready
  isRead = undefined
}

/** Sets the gateway whose documents are linked. */
export function linkDocumentsAt(origin: string): void {
  documents = `${origin}/docs`
}

/** Returns true if the page is on the integrator's own computer. */
export const isLoopback = (): boolean => /(^|\.)localhost$|^127\.|^\[::1\]$/.test(location.hostname)

/** Sets whether a developer reads the console. Otherwise messages are codes. */
export function readAlong(isWanted: boolean): void {
  isRead = isWanted
  if (isWanted) consult(() => undefined)
}

/** Returns true if a developer reads the console; until a form decides, on localhost. */
export const isReadAlong = (): boolean => isRead ?? isLoopback()

/**
 * Runs a function with the adviser, immediately if it is loaded.
 * @param otherwise runs if it cannot be loaded
 */
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

/** Code with its facts, and the address of its explanation. */
export const inShort = (code: string, facts?: Facts, anchor = `library-${code}`): string =>
  `${code} ${facts ? `${JSON.stringify(facts)} ` : ''}${documents}#${anchor}`

/**
 * Reports a problem on the console: with its explanation if a developer reads it, otherwise as a
 * code.
 * @param anchor place of its explanation in the documents
 */
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
