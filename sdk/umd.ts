import jQuery from 'jquery'
import { install } from './index.ts'

// Entry for AMD and CommonJS: adds the plugin to the required jQuery. Without a document, jQuery is
// a factory and cannot get a plugin.
if ('fn' in jQuery) install(jQuery)

export * from './index.ts'
