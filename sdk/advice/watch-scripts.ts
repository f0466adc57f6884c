import type { AdviceCode } from '../shared/advice-texts.ts'
import {
  describeElement,
  findCardFields,
  findCardParameter,
  findCoveringInput,
  TYPABLE,
} from './card-fields.ts'
import { digitsOf, hasNumber, isCardNumber } from './find-number.ts'
import type { Facts } from './tell.ts'

/*
 * Watches how the scripts of a page use a card, in test mode only. It wraps functions of the
 * browser, all in this file, and live pages do not load it. The typed card number is the canary: no
 * script may read, store or send it. This does not detect functions that a script took from a frame
 * or stored before, or encrypted copies of a number. In most of these cases, the reading of the
 * field is reported.
 */

/** Receives the findings. */
export interface ScriptReports {
  report(code: AdviceCode, facts: Facts): void
  /** Receives the scripts of the page, whenever they change. */
  list(text: string): void
}

/**
 * A property of the page that is set while a copy of the library watches, since a page can have two
 * copies.
 */
const WATCHED = Symbol.for('mondido.watched')

type Values = readonly unknown[]
type See = (self: unknown, values: Values) => void

/** A line of a script. */
interface Place {
  readonly url: string
  readonly line: string
}

/** Digits that went to one host in one way, the newest last. */
interface Trail {
  readonly origin: string
  readonly how: string
  digits: string
  place: Place | undefined
}
const TRAIL = 60

/** Returns whether a file is of the library: built, as a source, or as Vite serves it. */
const isLibraryFile = (url: string): boolean => {
  const path = withoutQuery(url)
  return /\/mondido[^/]*\.js$/.test(path) || (path.endsWith('.ts') && path.includes('/sdk/'))
}
/** Frameworks read fields for their callers, so the calling script is the one to report. */
const FRAMEWORK = /jquery|react|vue|angular|svelte|zone/i

/** Added elements whose origin is reported. */
const ADDED = `script,${TYPABLE}`

/** Milliseconds between a change of the page and a check of it. */
const SETTLED = 200

/** Original functions of the browser, which this file uses after they are wrapped. */
const { FormData, setTimeout } = globalThis
const inputValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')

/** Runs a function whose errors must not affect the page. */
function quietly(run: () => void): void {
  try {
    run()
  } catch {
    // An error of the library must not affect the page.
  }
}

/** Returns a function or class that behaves like the given one, and reports each call. */
const observed = <Wrapped extends object>(wrapped: Wrapped, see: See): Wrapped =>
  new Proxy<Wrapped>(wrapped, {
    apply(target, self, values) {
      quietly(() => see(self, values))
      return Reflect.apply(target as () => unknown, self, values)
    },
    construct(target, values, created) {
      quietly(() => see(undefined, values))
      return Reflect.construct(target as new () => object, values, created)
    },
  })

/** Replaces a member's value, getter or setter, if it exists, by an observed function. */
function wrap(owner: object | undefined, name: string, see: See, part: 'value' | 'set' = 'value') {
  const member = owner && Object.getOwnPropertyDescriptor(owner, name)
  if (!member?.configurable || typeof member[part] !== 'function') return
  Object.defineProperty(owner, name, { ...member, [part]: observed(member[part], see) })
}

/** Returns a class of the browser by name; undefined if the browser lacks it. */
const prototypeOf = (name: string): object | undefined => Reflect.get(globalThis, name)?.prototype

/**
 * Returns the places in an error's stack, innermost first. Chromium and Firefox have different
 * formats.
 */
function* placesOf(stack: string): Iterable<Place> {
  for (const text of stack.split('\n')) {
    const start = text.search(/(https?|file|blob):/)
    if (start < 0) continue
    const parts = (text.slice(start).split(/[),\s]/, 1)[0] ?? '').split(':')
    parts.pop()
    const line = parts.pop() ?? ''
    yield { url: parts.join(':'), line }
  }
}

const withoutQuery = (url: string): string => url.split(/[?#]/, 1)[0] ?? ''

const fileOf = (url: string): string => withoutQuery(url).split('/').pop() ?? ''

/** Maximum characters of a text that are searched. */
const LONGEST = 100_000

/** Converts sent data to text. */
function textOf(data: unknown): string {
  if (data instanceof FormData || data instanceof Headers)
    return [...data].map((pair) => pair.map(textOf).join('=')).join('&')
  if (data instanceof ArrayBuffer || ArrayBuffer.isView(data))
    return new TextDecoder('latin1').decode(data)
  if (data instanceof URLSearchParams || data instanceof URL) return String(data)
  if (data instanceof Request) return data.url
  return typeof data === 'object' ? (JSON.stringify(data) ?? '') : String(data ?? '')
}

/**
 * Starts to watch the page, once.
 * @returns a function that receives the file of the page that contains the library, if its name
 * does not show it
 */
export function watchScripts({ report, list }: ScriptReports): () => void {
  if (Reflect.has(window, WATCHED)) return () => undefined
  Reflect.set(window, WATCHED, true)
  const own = withoutQuery(import.meta.url)
  /** The card numbers of the page. */
  const numbers = new Set<string>()
  /** Findings that were already reported. */
  const told = new Set<string>()
  const trails = new Map<string, Trail>()
  /** Scripts by the elements that they added. */
  const adders = new WeakMap<Element, string>()
  const addresses = new WeakMap<object, unknown>()
  const waiting: (() => void)[] = []
  let library: string | undefined
  let shown = ''
  let isDue = false

  /** Returns the scripts of the running call, innermost first, without the library's own files. */
  const callers = (): Place[] =>
    [...placesOf(new Error().stack ?? '')].filter(({ url }) => withoutQuery(url) !== own)
  const isLibrary = (url: string) => url === library || isLibraryFile(url)
  const caller = (): Place | undefined => {
    const places = callers()
    return places.find(({ url }) => !FRAMEWORK.test(fileOf(url))) ?? places[0]
  }
  const written = (place: Place | undefined) =>
    place ? `${place.url}, line ${place.line},` : 'A script'

  function tellOnce(code: AdviceCode, facts: Facts, key = JSON.stringify(facts)): void {
    if (told.has(code + key)) return
    told.add(code + key)
    report(code, facts)
  }

  const find = (text: string): boolean =>
    [...numbers].some((number) => hasNumber(text.slice(0, LONGEST), number))

  function learn(text: string): boolean {
    const digits = digitsOf(text)
    if (isCardNumber(digits) && !numbers.has(digits)) {
      numbers.add(digits)
      for (const trail of trails.values()) lookAtTrail(trail)
    }
    return numbers.has(digits)
  }

  /** Reports a card number that was sent in pieces. */
  function lookAtTrail(trail: Trail): void {
    if (find(trail.digits)) tellOfSending(trail)
  }
  const tellOfSending = ({ origin, how, place }: Trail) =>
    tellOnce('scripts.sends_card', { script: written(place), origin, how }, origin)

  /** Searches the address and the data of a request for a card number. */
  function onSent(how: string, to: unknown, ...data: Values): void {
    const { origin, href } = new URL(textOf(to) || location.href, document.baseURI)
    const trail = trails.get(how + origin) ?? { origin, how, digits: '', place: undefined }
    trails.set(how + origin, trail)
    trail.place = caller()
    const look = (text: string) => {
      trail.digits = (trail.digits + digitsOf(text)).slice(-TRAIL)
      if (find(text)) tellOfSending(trail)
      else lookAtTrail(trail)
    }
    look(href.slice(origin.length))
    for (const each of data) {
      if (each instanceof Blob) each.text().then(look)
      if (each instanceof Request) each.clone().text().then(look)
      else look(textOf(each))
    }
  }
  function onStored(where: string, ...data: Values): void {
    if (numbers.size && data.some((each) => find(textOf(each))))
      tellOnce('scripts.stores_card', { script: written(caller()), where }, where)
  }

  /** Reports a script that reads a field, unless it is the library. */
  function onRead(input: HTMLInputElement, text: string): void {
    const field = findCardParameter(input)
    if (!field || !text) return
    learn(text)
    const place = callers().find(({ url }) => !FRAMEWORK.test(fileOf(url)))
    if (!place) return
    const tellOf = () => {
      if (!isLibrary(place.url))
        tellOnce('scripts.reads_card', { script: written(place), field }, place.url)
    }
    if (library || hasServedLibrary()) tellOf()
    else waiting.push(tellOf)
  }

  /** Returns true if the library's file has a name that shows that it is a separate file. */
  const hasServedLibrary = () =>
    performance.getEntriesByType('resource').some(({ name }) => isLibraryFile(name))

  // Every function that sends data from a page.
  wrap(globalThis, 'fetch', (_self, [to, options]) =>
    onSent('fetch', to, to instanceof Request && to, Object(options).body, Object(options).headers),
  )
  const xhr = prototypeOf('XMLHttpRequest')
  wrap(xhr, 'open', (self, [, to]) => void addresses.set(Object(self), to))
  wrap(xhr, 'setRequestHeader', (self, [, value]) =>
    onSent('XMLHttpRequest', addresses.get(Object(self)), value),
  )
  wrap(xhr, 'send', (self, [body]) => {
    const to = addresses.get(Object(self))
    onSent('XMLHttpRequest', to, body)
  })
  wrap(prototypeOf('Navigator'), 'sendBeacon', (_self, [to, body]) =>
    onSent('sendBeacon', to, body),
  )
  for (const name of ['WebSocket', 'EventSource'])
    wrap(globalThis, name, (_self, [to]) => onSent(name, to))
  wrap(prototypeOf('WebSocket'), 'send', (self, [data]) =>
    onSent('WebSocket', Object(self).url, data),
  )
  wrap(globalThis, 'open', (_self, [to]) => onSent('window.open', to))
  for (const name of ['Image', 'Script', 'IFrame'])
    wrap(
      prototypeOf(`HTML${name}Element`),
      'src',
      (_self, [to]) => onSent(name.toLowerCase(), to),
      'set',
    )
  wrap(Element.prototype, 'setAttribute', (_self, [name, to]) => {
    if (/^(src|href|action)$/i.test(String(name))) onSent(String(name), to)
  })
  wrap(HTMLFormElement.prototype, 'submit', (self) => onSubmit(self))
  for (const name of ['Worker', 'ServiceWorker', 'MessagePort', 'BroadcastChannel'])
    wrap(prototypeOf(name), 'postMessage', (_self, [data]) => onSent(name, '', data))

  // Every function that stores data in a page.
  wrap(Storage.prototype, 'setItem', (self, pair) =>
    onStored(self === localStorage ? 'localStorage' : 'sessionStorage', ...pair),
  )
  wrap(Document.prototype, 'cookie', (_self, [text]) => onStored('a cookie', text), 'set')
  for (const name of ['put', 'add'])
    wrap(prototypeOf('IDBObjectStore'), name, (_self, data) => onStored('IndexedDB', ...data))

  // Functions that add elements to a page.
  const ADDING = ['append', 'prepend', 'before', 'after', 'replaceWith', 'insertAdjacentElement']
  const onAdded: See = (_self, values) => {
    for (const each of values) {
      if (!(each instanceof Element || each instanceof DocumentFragment)) continue
      const added = [...each.querySelectorAll(ADDED)]
      if (each instanceof Element && each.matches(ADDED)) added.push(each)
      const place = added[0] && caller()
      for (const element of place ? added : []) adders.set(element, written(place))
    }
  }
  for (const name of ['appendChild', 'insertBefore', 'replaceChild'])
    wrap(Node.prototype, name, onAdded)
  for (const name of ADDING) wrap(Element.prototype, name, onAdded)

  function onSubmit(form: unknown): void {
    if (!(form instanceof HTMLFormElement)) return
    onSent('form', form.getAttribute('action'), new FormData(form))
  }

  /** Functions that process card data: a script that replaces them can read the card. */
  const TRUSTED: readonly (readonly [name: string, read: () => unknown])[] = [
    ['HTMLInputElement.prototype.value', () => inputValue?.get],
    ['FormData', () => FormData],
    ['FormData.prototype.append', () => FormData.prototype.append],
    ['FormData.prototype.get', () => FormData.prototype.get],
    ['HTMLFormElement.prototype.submit', () => HTMLFormElement.prototype.submit],
  ]
  for (const [name, read] of TRUSTED)
    if (!/\[native code\]/.test(Function.prototype.toString.call(read())))
      tellOnce('scripts.replaced', { name })

  const { get } = inputValue ?? {}
  if (inputValue?.configurable && get)
    Object.defineProperty(HTMLInputElement.prototype, 'value', {
      ...inputValue,
      get(this: HTMLInputElement) {
        const text = get.call(this)
        quietly(() => onRead(this, text))
        return text
      },
    })

  /** Reports elements that cover or replace the card fields. */
  function lookAtFields(): void {
    for (const field of findCardFields()) {
      const name = findCardParameter(field)
      const { left, top, width, height } = field.getBoundingClientRect()
      const above = document.elementFromPoint(left + width / 2, top + height / 2)
      const typed =
        width === 0 ? field.form?.querySelector('iframe') : findCoveringInput(field, above)
      if (typed && typed.getBoundingClientRect().width > 0)
        tellOnce(
          'scripts.covered_field',
          { field: name, element: describeElement(typed), script: adders.get(typed) ?? 'a script' },
          describeElement(typed),
        )
    }
  }
  function lookAtStores(): void {
    onStored('localStorage', { ...localStorage })
    onStored('sessionStorage', { ...sessionStorage })
    onStored('a cookie', document.cookie)
  }

  function listScripts(): void {
    const scripts = [...document.scripts].filter(({ src }) => src)
    const lines = scripts.map((script) => {
      const added = adders.get(script)
      const state = script.integrity ? 'with integrity' : 'without integrity'
      return `${state}: ${script.src}${added ? ` (added by ${added.replace(/,$/, '')})` : ''}`
    })
    const inline = document.scripts.length - scripts.length
    const text = [`scripts of this page, ${inline} of them inline:`, ...lines].join('\n')
    if (text !== shown) list(text)
    shown = text
  }

  function look(): void {
    isDue = false
    for (const each of [lookAtFields, lookAtStores, listScripts]) quietly(each)
  }
  function lookSoon(): void {
    if (!isDue) setTimeout(look, SETTLED)
    isDue = true
  }

  function onInput(event: Event): void {
    const [input] = event.composedPath()
    if (!(input instanceof HTMLInputElement)) return
    const isNumber = learn(get?.call(input) ?? '')
    if (isNumber && !findCardParameter(input))
      tellOnce('scripts.other_field', {
        element: describeElement(input),
        script: adders.get(input) ?? 'a script',
      })
    lookSoon()
  }
  for (const name of ['input', 'change', 'focusin'])
    window.addEventListener(name, (event) => quietly(() => onInput(event)), true)
  window.addEventListener('submit', ({ target }) => quietly(() => onSubmit(target)), true)
  window.addEventListener('pagehide', look)
  const navigation: EventTarget | undefined = Reflect.get(window, 'navigation')
  navigation?.addEventListener('navigate', (event) =>
    quietly(() => {
      const { destination, formData } = Object(event)
      onSent('navigation', destination.url, formData)
    }),
  )
  new MutationObserver(lookSoon).observe(document, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['style', 'class', 'hidden'],
  })
  // Addresses that were loaded with functions that are not wrapped.
  new PerformanceObserver((entries) => {
    for (const { name } of entries.getEntries()) quietly(() => onSent('address', name))
  }).observe({ type: 'resource' })
  lookSoon()

  return () => {
    library ??= callers()[0]?.url
    for (const each of waiting.splice(0)) each()
  }
}
