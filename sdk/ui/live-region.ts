/** Id of the one live region of a page; fields with a problem point to it. */
export const LIVE_REGION_ID = 'mondido-live'

/** Visually hidden, still read aloud. Set through the style object, which content security policies allow. */
const HIDDEN = { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' }

/** Says a text politely to users of screen readers. */
export function say(text: string): void {
  const region = document.getElementById(LIVE_REGION_ID) ?? createRegion()
  region.textContent = text
}

function createRegion(): HTMLElement {
  const region = document.createElement('div')
  region.id = LIVE_REGION_ID
  region.setAttribute('role', 'status')
  Object.assign(region.style, HIDDEN)
  return document.body.appendChild(region)
}
