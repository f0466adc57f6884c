import { formatMinute } from '../../pages/times.ts'
import { offerCopies } from './parts/copy.ts'
import { element } from './parts/element.ts'
import { mountKeys } from './parts/keys.ts'
import { watchChanges } from './parts/live.ts'

/*
 * Script of the console; all pages work without it. It updates pages live, runs the clock,
 * adds copy buttons and shortcuts. Browser modules, served
 * as one file. No text becomes HTML here: the browser parses whole pages of the console, and
 * everything else is set as text.
 */

/**
 * Lets the clock in the menu run, from the gateway's time at the load of the page. A stopped clock
 * does not run.
 */
function runClock(): void {
  setInterval(() => {
    for (const clock of document.querySelectorAll<HTMLTimeElement>('time[data-mode]')) {
      if (clock.dataset.mode === 'frozen') continue
      const now = Date.parse(clock.dateTime) + 1_000
      clock.dateTime = new Date(now).toISOString()
      clock.textContent = formatMinute(now)
    }
  }, 1_000)
}

/** Fills a text field from a file; without a script the text is pasted. */
function offerFiles(): void {
  for (const field of document.querySelectorAll<HTMLTextAreaElement>('textarea[data-file]')) {
    const file = element('input', { type: 'file', accept: field.dataset.file ?? '' })
    file.onchange = async () => {
      field.value = (await file.files?.[0]?.text()) ?? field.value
    }
    field.closest('label')?.before(element('label', {}, 'From a file ', file))
  }
}

// On a phone, the open menu covers the page, so it closes when the focus leaves it.
const menu = document.querySelector<HTMLElement>('#menu')
menu?.addEventListener('focusout', ({ relatedTarget: next }) => {
  if (next instanceof Element && !next.closest('#menu, [popovertarget]')) menu.hidePopover()
})

// On a phone, the current tab may be outside the window.
document
  .querySelector('.tabs [aria-current]')
  ?.scrollIntoView({ block: 'nearest', inline: 'center' })
offerCopies(document)
runClock()
mountKeys()
offerFiles()
watchChanges(offerCopies)
