/** Scrolls a long menu to the current page, in its middle; the page itself stays. */
export function showCurrent(): void {
  const current = document.querySelector<HTMLElement>('.columns > nav [aria-current]')
  const menu = current?.closest('nav')
  if (current && menu) menu.scrollTop = current.offsetTop - menu.clientHeight / 2
}
