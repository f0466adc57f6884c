import { element, say } from './element.ts'
import { getKey, morph } from './morph.ts'

const PARTS = ['.sandbox', '#menu ul', '#content']

/** A message of the gateway: see docs/reference/console.md. */
interface ChangeMessage {
  readonly changed: readonly string[]
  /** Milliseconds. */
  readonly pace: number
}

/** Random share of the pace, so that not all browsers read at the same moment. */
const SPREAD = 1 / 8

/**
 * Reloads the page in the background after a change of its data, and updates what is different. A
 * hidden page does not listen.
 * @param prepare adds what scripts add to a page
 */
export function watchChanges(prepare: (page: Document) => void): void {
  const bar = document.querySelector<HTMLElement>('[data-live]')
  const { live: address, names: watched = '' } = bar?.dataset ?? {}
  if (!bar || address === undefined || !('EventSource' in window)) return
  const names = watched.split(' ')
  const pressed = { type: 'button', class: 'plain', 'aria-pressed': 'false' }
  const pause = element('button', pressed, 'Pause')
  const news = element('button', { type: 'button', class: 'small', hidden: '' })
  const state = element('span', { class: 'is state', hidden: '' })
  bar.append(state, news, pause)

  let source: EventSource | undefined
  let pending: Document | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let readAt = performance.now()
  let isPaused = false

  const show = (text: string, isLive: boolean) => {
    state.textContent = text
    state.hidden = false
    state.classList.toggle('good', isLive)
  }

  function open(): void {
    let isFirst = source === undefined
    source?.close()
    source = new EventSource(address as string)
    source.onopen = () => {
      show('Live', true)
      if (!isFirst) soon(0)
      isFirst = false
    }
    source.onmessage = ({ data }) => {
      const { changed, pace } = JSON.parse(data) as ChangeMessage
      if (changed.some((name) => names.some((each) => concerns(name, each)))) soon(pace)
    }
    source.onerror = () => {
      if (source?.readyState === EventSource.CLOSED) show('Not live', false)
    }
  }

  function close(): void {
    source?.close()
    clearTimeout(timer)
    timer = undefined
  }

  /** Reads at the earliest one pace after the last read. */
  function soon(pace: number): void {
    if (timer !== undefined) return
    const spread = Math.random() * Math.max(0, pace - 1_000) * SPREAD
    timer = setTimeout(read, Math.max(spread, readAt + pace - performance.now()))
  }

  function read(): void {
    timer = undefined
    readAt = performance.now()
    const request = new XMLHttpRequest()
    request.open('GET', location.href)
    // The browser parses the document, and runs none of its scripts.
    request.responseType = 'document'
    request.onload = () => {
      const page = request.responseXML
      if (new URL(request.responseURL).pathname !== location.pathname) return ended()
      if (request.status !== 200 || !page) return
      prepare(page)
      if (isPaused) keep(page)
      else put(page)
    }
    request.send()
  }

  /** The login page was returned. */
  function ended(): void {
    close()
    show('Logged out', false)
    say('You are logged out')
  }

  function keep(page: Document): void {
    pending = page
    const known = new Set(listRows(document))
    const count = listRows(page).filter((key) => !known.has(key)).length
    news.hidden = false
    news.textContent = count > 0 ? `${count} new` : 'Changed'
  }

  function put(page: Document): void {
    pending = undefined
    news.hidden = true
    for (const part of PARTS) {
      const [here, there] = [document.querySelector(part), page.querySelector(part)]
      if (here && there) morph(here, there, (made) => made.classList.add('fresh'))
    }
  }

  pause.onclick = () => {
    isPaused = !isPaused
    pause.setAttribute('aria-pressed', String(isPaused))
    show(isPaused ? 'Paused' : 'Live', !isPaused)
    if (!isPaused && pending) put(pending)
  }
  news.onclick = () => {
    if (pending) put(pending)
    pause.focus()
  }
  const follow = () => {
    if (document.hidden) close()
    else open()
  }
  document.addEventListener('visibilitychange', follow)
  addEventListener('pagehide', close)
  addEventListener('pageshow', ({ persisted }) => persisted && follow())
  if (!document.hidden) open()
}

/** Returns true if a changed name is on the page; either may have no id. */
const concerns = (told: string, shown: string): boolean =>
  told === shown || told.startsWith(`${shown}/`) || shown.startsWith(`${told}/`)

const listRows = (page: Document): readonly string[] =>
  [...page.querySelectorAll('#content tbody tr, #content [data-key]')].flatMap(
    (row) => getKey(row) ?? [],
  )
