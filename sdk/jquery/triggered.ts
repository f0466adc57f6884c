import type { AtEnd } from '../form/submission.ts'

/** Whether a jQuery handler sees a browser's event, which the native listener has taken care of. */
export const isRelayed = (event: JQuery.TriggeredEvent): boolean =>
  event.originalEvent !== undefined

/** The end of an event triggered through a jQuery: the last of its handlers at the window. */
export const endOfTriggered =
  ($: JQueryStatic): AtEnd =>
  (run) => {
    const $window = $(window).on('submit.mondido', run)
    return () => void $window.off('submit.mondido', run)
  }
