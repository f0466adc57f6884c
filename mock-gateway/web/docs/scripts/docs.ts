/*
 * Script of the documentation; all pages work without it. It sends calls, filters long tables, and
 * redirects old anchors. All text is set as text.
 */

/** Pages of the anchors that the documentation had on one page: the library links to them. */
const MOVED: readonly (readonly [anchor: RegExp, to: string])[] = [
  [/^error-(\d+)$/, 'errors/$1'],
  [/^object-(\w+)$/, 'objects/$1'],
  [/^library-[\w.]+$/, 'reference/library-messages#$&'],
]

/** Redirects an old anchor of the first page, and unfolds the list of a heading. */
function leadOn(): void {
  const id = decodeURIComponent(location.hash.slice(1))
  document.getElementById(id)?.closest('details')?.setAttribute('open', '')
  const moved = MOVED.find(([anchor]) => anchor.test(id))
  if (!moved || !/\/docs$/.test(location.pathname)) return
  location.replace(`docs/${id.replace(...moved)}`)
}

/** Scrolls a long menu to the current page; the page itself stays. */
function showCurrent(): void {
  const current = document.querySelector<HTMLElement>('.menu [aria-current]')
  const side = current?.closest<HTMLElement>('.side')
  if (current && side) side.scrollTop = current.offsetTop - side.clientHeight / 2
}

/** Number of rows from which a table gets a field that filters them. */
const LONG_TABLE = 60

/** Adds a field above each long table, which shows only the rows that have every typed word. */
function addFilters(): void {
  for (const table of document.querySelectorAll<HTMLTableElement>('article table')) {
    const rows = [...table.tBodies].flatMap((body) => [...body.rows])
    if (rows.length < LONG_TABLE) continue
    const field = document.createElement('input')
    field.type = 'search'
    field.placeholder = 'Filter the table'
    field.setAttribute('aria-label', field.placeholder)
    field.addEventListener('input', () => {
      const words = field.value.toLowerCase().split(/\s+/)
      for (const row of rows) {
        const text = row.textContent?.toLowerCase() ?? ''
        row.hidden = !words.every((word) => text.includes(word))
      }
    })
    table.parentElement?.before(field)
  }
}

const line = (name: string, text: string): HTMLElement => {
  const element = document.createElement(name)
  element.textContent = text
  return element
}

async function send(form: HTMLFormElement, answer: Element): Promise<void> {
  const written = new FormData(form)
  const getField = (name: string) => String(written.get(name) ?? '')
  const fields = getField('fields')
    .split(/\r?\n/)
    .filter((each) => each.includes('='))
    .map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)])
  const headers: Record<string, string> = {}
  if (written.has('user'))
    headers.authorization = `Basic ${btoa(`${getField('user')}:${getField('password')}`)}`
  const path = new URL(getField('path'), location.href)
  if (path.origin !== location.origin)
    return answer.replaceChildren(line('p', 'Only this gateway can be called from here.'))
  const body = written.has('fields') ? new URLSearchParams(fields) : null
  const { method = 'GET' } = form.dataset
  try {
    const answered = await fetch(path, { method, headers, body, redirect: 'manual' })
    const id = answered.headers.get('x-request-id') ?? ''
    const explain = answered.headers.get('mondido-explain')
    const seen = document.createElement('a')
    const merchantId = encodeURIComponent(getField('user') || '1')
    seen.href = `${form.dataset.console}/${merchantId}/requests/${encodeURIComponent(id)}`
    seen.textContent = 'The request in the console'
    const isRedirect = answered.type === 'opaqueredirect'
    const text = await answered.text()
    answer.replaceChildren(
      line('p', isRedirect ? 'The answer redirects to another page.' : `Status ${answered.status}`),
      ...(explain ? [line('p', explain)] : []),
      ...(id ? [seen] : []),
      line('pre', formatJson(text)),
    )
  } catch {
    answer.replaceChildren(line('p', 'The gateway did not answer.'))
  }
}

function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

leadOn()
addEventListener('hashchange', leadOn)
for (const section of document.querySelectorAll<HTMLElement>('.try')) {
  const form = section.querySelector('form')
  const answer = section.querySelector('.answer')
  if (!form || !answer) continue
  section.hidden = false
  form.onsubmit = (event) => {
    event.preventDefault()
    void send(form, answer)
  }
}
addFilters()
showCurrent()
