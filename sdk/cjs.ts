import { install } from './index.ts'

declare const require: (name: 'jquery') => JQueryStatic

// Entry for require(): the plugin is on the jQuery that is there; without one, as on a server or in
// a page of its own events, `createMondido` works alone. Without a document, jQuery is a factory
// and there is nothing to add to.
try {
  const jQuery = require('jquery')
  if ('fn' in jQuery) install(jQuery)
} catch {
  // There is no jQuery, or one that is too old; `install` tells which.
}

export * from './index.ts'
