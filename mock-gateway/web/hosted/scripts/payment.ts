import {
  leaveBankFrame,
  mountPrevious,
  mountPrint,
  mountTestHelper,
  sendOnce,
  watchEmail,
} from './page/buttons.ts'
import { mountCardForm } from './page/card-form.ts'
import { openAgain } from './page/elements.ts'
import { speakToParent } from './page/parent.ts'
import { tellPayersTime, waitForEnd, watchTime } from './page/time.ts'
import { keepTyped } from './page/typed.ts'

/*
 * Script of the payment pages; all of them work without it. Browser modules, served as one file;
 * they only import each other and rules that the gateway also applies.
 */

// A page from the browser's cache may show a payment that is already paid.
addEventListener('pageshow', (event) => {
  if (event.persisted) openAgain()
})
mountCardForm()
keepTyped()
watchEmail()
mountTestHelper()
sendOnce()
watchTime()
waitForEnd()
mountPrint()
mountPrevious()
tellPayersTime()
speakToParent()
leaveBankFrame()
