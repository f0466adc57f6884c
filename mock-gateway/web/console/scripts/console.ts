import { offerCopies } from './parts/copy.ts'
import { offerFiles } from './parts/files.ts'
import { mountKeys } from './parts/keys.ts'
import { watchChanges } from './parts/live.ts'
import { tellTimes } from './parts/times.ts'

/*
 * What a script adds to pages that work without: they grow while one looks, tell times as people
 * do, copy, and listen to keys. Modules of the browser, in one file when they are served. Nothing
 * that is read becomes HTML here: the browser parses whole pages of ours, and everything else is
 * set as text.
 */

offerCopies(document)
tellTimes(document)
mountKeys()
offerFiles()
watchChanges((page) => {
  offerCopies(page)
  tellTimes(page)
})
