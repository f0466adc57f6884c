import { createElement } from '../ui/elements.ts'

/** A window or frame that shows the bank's page. */
export interface View {
  mode: 'popup' | 'iframe'
  /** The window inside; null when it is not there any more. */
  readonly page: Window | null
  /** Shows a frame with this title, and moves the focus into it. */
  reveal?(title: string): void
  focus(): void
  remove(): void
}

/**
 * Opens a window in the middle of the page's own, without noopener, which would give no handle.
 * Nothing is trusted: browsers answer a forbidden window with null, undefined, a closed one or an
 * error.
 * @param text shown in the window until the bank's page loads
 * @returns undefined when it was blocked
 */
export function openPopup(name: string, { width, height }: Size, text: string): View | undefined {
  try {
    const left = Math.max(0, screenX + (outerWidth - width) / 2)
    const top = Math.max(0, screenY + (outerHeight - height) / 2)
    const page = window.open(
      'about:blank',
      name,
      `popup,width=${width},height=${height},left=${left},top=${top}`,
    )
    if (page?.closed !== false) return undefined
    try {
      page.document.body.textContent = text
    } catch {
      // Some browsers forbid writing into the window.
    }
    return { mode: 'popup', page, focus: () => page.focus(), remove: () => page.close() }
  } catch {
    return undefined
  }
}

/** Creates a frame, which payers neither see nor hear until it is revealed. */
export function createFrame(name: string, { width, height }: Size): View & { frame: HTMLElement } {
  const frame = createElement('iframe', {
    name,
    allow: 'payment *; publickey-credentials-get *',
  })
  frame.style.cssText = `display:none;border:0;width:${width}px;max-width:100%;height:${height}px;max-height:60vh`
  return {
    mode: 'iframe',
    frame,
    get page() {
      return frame.contentWindow
    },
    reveal(title) {
      frame.title = title
      frame.style.display = 'block'
      frame.focus()
    },
    focus: () => frame.focus(),
    remove: () => frame.remove(),
  }
}

/** CSS pixels. */
interface Size {
  width: number
  height: number
}
