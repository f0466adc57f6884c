import { element, say } from './element.ts'

/** Milliseconds for which a button confirms the copy. */
const SAID_MS = 2_000

/** Characters of a text in the name of its button. */
const NAMED = 40

let listens = false

/** Adds a button to every text with `data-copy`, and to every block of code. */
export function offerCopies(page: Document): void {
  for (const copied of page.querySelectorAll('[data-copy], pre')) {
    if (copied.nextElementSibling?.classList.contains('copy')) continue
    if (copied instanceof HTMLPreElement) frameCode(copied)
    const text = copied.textContent ?? ''
    const name = copied instanceof HTMLPreElement ? 'this text' : text.slice(0, NAMED)
    copied.after(element('button', { type: 'button', class: 'copy', 'aria-label': `Copy ${name}` }))
  }
  if (page !== document || listens) return
  listens = true
  document.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLElement && target.matches('button.copy')) void copyBefore(target)
  })
}

/** Wraps a block of code with room for its button, which the console's own blocks have. */
function frameCode(code: HTMLPreElement): void {
  if (code.parentElement?.classList.contains('code')) return
  const frame = element('div', { class: 'code' })
  code.replaceWith(frame)
  frame.append(code)
}

async function copyBefore(button: HTMLElement): Promise<void> {
  const copied = button.previousElementSibling
  if (!(copied instanceof HTMLElement)) return
  const hasCopied = await copyText(copied.dataset.copy || (copied.textContent ?? ''))
  if (!hasCopied) getSelection()?.selectAllChildren(copied)
  say(hasCopied ? 'Copied' : 'Selected: copy it by hand')
  button.classList.toggle('copied', hasCopied)
  setTimeout(() => button.classList.remove('copied'), SAID_MS)
}

/** Pages on plain http have no clipboard API, except on this machine. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyOldly(text)
  }
}

function copyOldly(text: string): boolean {
  const field = element('textarea', { class: 'unseen' }, text)
  const before = document.activeElement
  document.body.append(field)
  field.select()
  const hasCopied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  return hasCopied
}
