import { element } from './element.ts'

/** Turns single-key shortcuts off, for users of speech input (WCAG 2.2, 2.1.4). */
const OFF = 'console-keys-off'

const KEYS: Readonly<Record<string, readonly [what: string, act: () => void]>> = {
  '/': ['Search', () => document.querySelector<HTMLElement>('[type=search]')?.focus()],
  j: ['Go to the next row', () => step(1)],
  k: ['Go to the previous row', () => step(-1)],
  '?': ['Show this list', () => showKeys()],
}

export function mountKeys(): void {
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, altKey, metaKey } = event
    if (ctrlKey || altKey || metaKey || !Object.hasOwn(KEYS, key) || localStorage.getItem(OFF))
      return
    if (target instanceof Element && target.closest('input, textarea, select, dialog')) return
    event.preventDefault()
    KEYS[key]?.[1]()
  })
  const last = document.querySelector('#menu .out button')
  const button = element('button', { type: 'button', class: 'plain' }, 'Shortcuts')
  button.onclick = showKeys
  last?.before(button)
}

/** Moves through the links of rows. Enter follows the focused one, as everywhere. */
function step(by: number): void {
  const links = [...document.querySelectorAll<HTMLElement>('main tbody tr')].flatMap(
    (row) => row.querySelector<HTMLElement>('a[href]') ?? [],
  )
  const row = document.activeElement?.closest('tr')
  const here = links.findIndex((link) => row?.contains(link))
  links[Math.min(links.length - 1, Math.max(0, here + by))]?.focus()
}

function showKeys() {
  const tick = element('input', { type: 'checkbox' })
  tick.checked = !localStorage.getItem(OFF)
  tick.onchange = () =>
    tick.checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, 'true')
  const rows = [...Object.entries(KEYS), ['Enter', ['Open the row']] as const]
  const dialog = element(
    'dialog',
    { 'aria-label': 'Keyboard shortcuts' },
    element('h2', {}, 'Keyboard shortcuts'),
    element(
      'dl',
      { class: 'facts' },
      ...rows.map(([key, [what]]) =>
        element('div', {}, element('dt', {}, element('kbd', {}, key)), element('dd', {}, what)),
      ),
    ),
    element('label', {}, tick, ' Turn on these keys'),
    element('form', { method: 'dialog' }, element('button', {}, 'Close')),
  )
  dialog.onclose = () => dialog.remove()
  document.body.append(dialog)
  dialog.showModal()
}
