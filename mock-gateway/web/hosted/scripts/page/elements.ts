/** An element by its id, where it is of that kind. */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind | null {
  const found = document.getElementById(id)
  return found instanceof kind ? found : null
}
