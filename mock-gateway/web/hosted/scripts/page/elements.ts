/** Finds an element by its id, if it has this type. */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind | null {
  const found = document.getElementById(id)
  return found instanceof kind ? found : null
}
