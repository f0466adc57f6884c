import type { AtEnd } from '../form/submission.ts'

/** Returns true for a browser's event, which the native listener has handled. */
export const isRelayed = (event: JQuery.TriggeredEvent): boolean =>
  event.originalEvent !== undefined

/** Calls back after the last handler of a triggered event, at the window. */
export const endOfTriggered =
  ($: JQueryStatic): AtEnd =>
  (scope, run) => {
    const $window = $(window).on('submit.mondido', run)
    scope.add(() => $window.off('submit.mondido', run))
  }
