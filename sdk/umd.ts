import jQuery from 'jquery'
import { install } from './index.ts'

// Entry for AMD and CommonJS: the plugin is on the required jQuery when this module is. Without a
// document, jQuery is a factory and there is nothing to add to.
if ('fn' in jQuery) install(jQuery)

export * from './index.ts'
