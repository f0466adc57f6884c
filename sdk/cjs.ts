import { install } from './index.ts'

declare const require: (name: 'jquery') => JQueryStatic

// Entry for require(): adds the plugin to the page's jQuery. Without jQuery, as on a server,
// `createMondido` works alone. Without a document, jQuery is a factory and cannot get a plugin.
try {
  const jQuery = require('jquery')
  if ('fn' in jQuery) install(jQuery)
} catch {
  // jQuery is missing or too old; `install` reports which.
}

export * from './index.ts'
