import { offerCopies } from './parts/copy.ts'
import { offerFiles } from './parts/files.ts'
import { mountKeys } from './parts/keys.ts'
import { watchChanges } from './parts/live.ts'
import { runClock } from './parts/times.ts'

/*
 * Script of the console; all pages work without it. It updates pages live, runs the clock,
 * adds copy buttons and shortcuts. Browser modules, served
 * as one file. No text becomes HTML here: the browser parses whole pages of the console, and
 * everything else is set as text.
 */

offerCopies(document)
runClock()
mountKeys()
offerFiles()
watchChanges(offerCopies)
