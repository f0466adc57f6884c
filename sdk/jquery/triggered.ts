import type { AtEnd } from '../form/submission.ts'

/**
 * Returns true if a jQuery handler receives a browser's event, which the native listener has
 * already handled.
 */
export const isRelayed = (event: JQuery.TriggeredEvent): boolean =>
  event.originalEvent !== undefined

/**
 * Calls back at the end of an event triggered through a jQuery: from the last of its handlers at
 * the window.
 */
export const endOfTriggered =
  ($: JQueryStatic): AtEnd =>
  (scope, run) => {
    const $window = $(window).on('submit.mondido', run)
    scope.add(() => $window.off('submit.mondido', run))
  }
