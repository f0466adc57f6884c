import { asked, serviceSettings } from './settings.ts'
import { show } from './shown.ts'

/** Tabs whose name differs from their method's. */
const TABS: Readonly<Record<string, string>> = {
  bank: 'trustly_tab',
  credit_card: 'credit_card_tab',
}

/** Shows the tabs of the page's methods, and the pane of one of them (observed: 11.5). */
export function mountTabs(): void {
  const { supportedPaymentMethods, activePaymentMethod = 'credit_card_tab' } = serviceSettings()
  const methods = supportedPaymentMethods?.filter(({ active }) => active).map(({ name }) => name)
  const tabs = [...document.querySelectorAll<HTMLElement>('[role=tab]')]
  const panes = tabs.map((tab) => tab.getAttribute('aria-controls') ?? '')
  const names = panes.filter(
    (name) => document.getElementById(name) && (methods?.includes(name) ?? true),
  )
  for (const pane of panes) show(`li.${CSS.escape(pane)}`, names.includes(pane))
  const choose = (name: string) => {
    for (const pane of panes) {
      show(`#${CSS.escape(pane)}`, pane === name)
      for (const one of document.querySelectorAll(`#${CSS.escape(pane)}, li.${CSS.escape(pane)}`))
        one.classList.toggle('active', pane === name)
    }
    for (const [index, tab] of tabs.entries())
      tab.setAttribute('aria-selected', String(panes[index] === name))
  }
  for (const [index, tab] of tabs.entries())
    tab.addEventListener('click', (event) => {
      event.preventDefault()
      choose(panes[index] ?? '')
    })
  const wished = asked('payment.selected') ?? ''
  const first =
    [TABS[wished] ?? `${wished}_tab`, activePaymentMethod].find((name) => names.includes(name)) ??
    names[0]
  if (first !== undefined) choose(first)
}
