/** Prefix of messages of iframe-resizer 3, in both directions (observed: iframe sizing). */
const RESIZER = '[iFrameSizer]'

/** Heights above this limit are not real. */
const HIGHEST = 20_000

/**
 * Delays in milliseconds after which the height is sent again, for a shop whose script loads late.
 */
const AGAIN_MS = [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000]

/**
 * Reports the page's height to the page around it: in the format of iframe-resizer 3 after its
 * first message, and as the object that newer shops read. Only a height is sent, so the message may
 * go to any origin.
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
    // The first message names the frame; later ones are commands, of which only these are followed.
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
