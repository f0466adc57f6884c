/** Finds an element by its id, if it has this type. */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind | null {
  const found = document.getElementById(id)
  return found instanceof kind ? found : null
}

/**
 * Opens the page again at its own address, without a fragment. A reload could send the form of a
 * posted page again, and with it the card.
 */
export function openAgain(): void {
  const inPlace = byId('in-place', HTMLFormElement)
  if (inPlace) inPlace.submit()
  else location.replace(location.pathname + location.search)
}
