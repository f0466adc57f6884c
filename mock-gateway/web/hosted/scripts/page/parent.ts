/** How messages of iframe-resizer 3 begin, both ways (observed: iframe sizing). */
const RESIZER = '[iFrameSizer]'

/** Heights outside of this say nothing about a page. */
const HIGHEST = 20_000

/**
 * Milliseconds after which the height is said again: a shop whose script is slow to come has not
 * heard it before.
 */
const AGAIN_MS = [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000]

/**
 * Tells the page around, when there is one, how high this one is: in the words of iframe-resizer 3
 * once it has begun, and as the object that newer shops read. A height is all that it ever says, so
 * old browsers that do not know who frames them may tell anybody.
 */
export function speakToParent(): void {
  if (parent === window) return
  let around = location.ancestorOrigins?.[0] ?? '*'
  let id: string | undefined
  let told = 0

  const tellHeight = () => parent.postMessage({ msg: 'resize', height: `${told}px` }, around)
  const tell = (type: string) => {
    const height = Math.min(
      Math.ceil(document.documentElement.getBoundingClientRect().height),
      HIGHEST,
    )
    if (type === 'size' && height === told) return
    told = height
    tellHeight()
    const width = document.documentElement.scrollWidth
    if (id !== undefined) parent.postMessage(`${RESIZER}${id}:${height}:${width}:${type}`, around)
  }

  addEventListener('message', ({ source, data, origin }) => {
    if (source !== parent || typeof data !== 'string' || !data.startsWith(RESIZER)) return
    const [first = ''] = data.slice(RESIZER.length).split(':')
    // The first message names the frame; later ones are orders, of which only these are ours to
    // follow.
    if (id !== undefined) return first === 'resize' || first === 'reset' ? tell(first) : undefined
    if (!/^[\w.-]{1,100}$/.test(first)) return
    id = first
    if (origin !== 'null') around = origin
    tell('init')
  })
  parent.postMessage('[iFrameResizerChild]Ready', around)
  tell('size')
  for (const after of AGAIN_MS) setTimeout(tellHeight, after)
  new ResizeObserver(() => tell('size')).observe(document.documentElement)
}
