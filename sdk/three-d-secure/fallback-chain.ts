import type { Facts } from '../advice/tell.ts'
import { lock } from '../attempt/running.ts'
import { Fault } from '../errors/faults.ts'
import { announce, getLanguage, getText, move } from '../form/mounted.ts'
import { guard } from '../log.ts'
import { createScope } from '../scope.ts'
import type { Attempt } from '../state.ts'
import type { CloseWhy, FaultCode } from '../types.ts'
import { createDialog, type Dialog, type DialogButton } from '../ui/dialog.ts'
import type { MessageKey } from '../ui/messages.ts'
import { createFrame, openPopup, type View } from './view.ts'

/** Milliseconds until the panel is shown: many banks answer sooner. */
const PANEL_DELAY = 500

/** CSS pixels of the first window. For a challenge, the bank's page enlarges it. */
const SMALL = { width: 360, height: 200 }

/**
 * Shows the payer the bank's page, once: in a window; if it is blocked, in a window after another
 * click; otherwise in a frame.
 * @param name of window or frame
 * @param mayOpen whether this is the stack of the payer's click, where browsers let a page open one
 *   window
 * @param leave called when the payer goes before the bank answered
 */
export function createFallbackChain(
  of: Attempt,
  name: string,
  mayOpen: boolean,
  leave: () => void,
) {
  const { id: attempt, settings, mounted } = of
  const { emit } = mounted
  const text = (key: MessageKey) => getText(of, key)
  const { mpi, mpiSize, mpiContainer } = settings
  const scope = createScope()
  let panel = createScope()
  let view: View | undefined
  let shown: 'paying' | 'waitingForBank' = 'paying'
  let dialog: Dialog | undefined
  let halt = (_fault: Fault): void => {}

  function show(opened: View | undefined): boolean {
    view = opened
    if (view) emit('mpi:open', { attempt, mode: view.mode, window: view.page })
    return !!view
  }

  const openWindow = (): boolean =>
    show(openPopup(name, shown === 'paying' ? SMALL : mpiSize, text(shown)))

  function open(): void {
    if (mayOpen && mpi !== 'iframe' && !scope.isOver) openWindow()
    mayOpen = false
  }

  function close(reason: CloseWhy): void {
    const left = view
    const isFirst = !scope.isOver
    view = undefined
    scope.end()
    panel.end()
    guard(() => left?.remove())
    if (isFirst && reason !== 'completed') guard(leave)
    if (left) emit('mpi:close', { attempt, reason })
  }

  function ended(reason: CloseWhy, code: FaultCode, facts?: Facts, error?: string): Fault {
    close(reason)
    return new Fault(code, { facts, ...(error && { error }) })
  }

  function createPanel(
    key: MessageKey,
    actions: readonly DialogButton[],
    content: Node[] = [],
  ): Dialog {
    const cancel = () => halt(ended('cancelled', 'mpi.closed'))
    panel.end()
    panel = createScope()
    const withWayOut = [...actions, [text('cancel'), cancel] as const]
    const lang = getLanguage(mounted, settings)
    dialog = createDialog(panel, { text: text(key), lang, actions: withWayOut, content })
    return dialog
  }

  /** Shows the bank's challenge: texts mention the bank, and a frame becomes visible. */
  function showBank(): void {
    if (scope.isOver || shown === 'waitingForBank') return
    shown = 'waitingForBank'
    announce(mounted, shown, settings)
    dialog?.say(text(shown))
    revealFrame()
  }

  function revealFrame(): void {
    if (!view?.reveal) return
    dialog?.open()
    view.reveal(text(shown))
  }

  /**
   * Tries each way to show the bank's page until one succeeds.
   * @throws Fault `mpi.closed`, `mpi.blocked`
   */
  async function present(): Promise<void> {
    await tryEachView()
    // A handler of the page can have ended the attempt meanwhile.
    if (scope.isOver) await new Promise<never>(() => {})
  }

  async function tryEachView(): Promise<void> {
    open()
    if (scope.isOver) return
    // The window has not been navigated yet, so the payer has closed it.
    if (view?.page?.closed) throw ended('closed', 'mpi.closed')
    if (!view && mpi !== 'iframe') await openOnClick()
    if (scope.isOver) return
    if (!view && (mpi === 'popup' || (mpi === 'auto' && top !== self))) {
      throw ended('blocked', 'mpi.blocked')
    }
    if (!view) showFrame()
    scope.timer(PANEL_DELAY, showWaiting)
  }

  const isThere = (): boolean => guard(() => view?.page?.closed) === false

  function showWaiting(): void {
    const actions: DialogButton[] = isThere() ? [[text('showBankWindow'), focus]] : []
    const waiting = () => (view?.reveal ? dialog : createPanel(shown, actions))
    if (settings.showWaiting) guard(() => waiting()?.open())
  }

  /** Waits until the window appears to be closed. Then the panel no longer offers to show it. */
  async function untilShut(): Promise<void> {
    while (isThere()) await scope.pause(settings.timeouts.closePoll)
    if (view?.mode === 'popup') showWaiting()
  }

  const openOnClick = (): Promise<unknown> =>
    new Promise((resolve) => {
      const retry = (): boolean => {
        const isOpen = !scope.isOver && (!!view || openWindow())
        panel.end()
        resolve(isOpen)
        return isOpen
      }
      const { isPrevented } = emit('mpi:blocked', { attempt, retry })
      if (!isPrevented && !scope.isOver && !view)
        createPanel('windowBlocked', [[text('openBankWindow'), retry]]).open()
    })

  function showFrame(): void {
    const framed = createFrame(name, mpiSize)
    const place =
      typeof mpiContainer === 'string' ? document.querySelector(mpiContainer) : mpiContainer
    if (place) place.append(framed.frame)
    else createPanel(shown, [], [framed.frame])
    show(framed)
    if (shown === 'waitingForBank') revealFrame()
  }

  function focus(): boolean {
    guard(() => view?.focus())
    return !!view
  }

  return {
    /** Ends when nothing is shown any more. */
    scope,
    /** Returns the window of the bank's page. */
    page: () => view?.page,
    isFrame: () => view?.mode === 'iframe',
    open,
    present,
    showBank,
    untilShut,
    focus,
    close,
    /** Runs a flow until it is done or `stop` ends it with a fault. */
    run<T>(flow: () => Promise<T>): Promise<T> {
      lock(of)
      move(mounted, 'mpi')
      const halted = new Promise<never>((_resolve, reject) => {
        halt = reject
      })
      return Promise.race([flow(), halted])
    },
    stop: (...why: Parameters<typeof ended>) => halt(ended(...why)),
  }
}
